import { jsonTypeOf } from "./jsonType.js";

const LONGEST = 60;
/** Texts as most are: to look through one takes a third of the time that JSON.stringify takes. */
const NEEDS_NO_ESCAPE = /^[ !#-[\]-~]*$/;

/** Cuts a text to about `most` characters, never inside a surrogate pair, and says so with an ellipsis. */
export function cutText(text: string, most: number = LONGEST): string {
  if (text.length <= most) return text;
  const end = /[\uD800-\uDBFF]/.test(text.charAt(most - 2)) ? most - 2 : most - 1;
  return `${text.slice(0, end)}…`;
}

/** A value as JSON, cut to about 60 characters. Never walks more of it than it shows. */
export function showValue(value: unknown, most: number = LONGEST): string {
  return show(value, most, 0);
}

/** A text as JSON. */
function quote(text: string): string {
  return NEEDS_NO_ESCAPE.test(text) ? `"${text}"` : JSON.stringify(text);
}

function show(value: unknown, most: number, depth: number): string {
  if (typeof value === "string") return quote(cutText(value, most));
  if (typeof value !== "object" || value === null) return cutText(String(value), most);
  const list = Array.isArray(value);
  if (depth > 4) return list ? "[…]" : "{…}";
  let text = list ? "[" : "{";
  let first = true;
  for (const key in value) {
    if (!Object.hasOwn(value, key)) continue;
    if (text.length >= most) {
      text += list ? ",…" : ",…";
      break;
    }
    if (!first) text += ",";
    first = false;
    if (!list) text += `${JSON.stringify(cutText(key, 30))}:`;
    text += show(Reflect.get(value, key), Math.max(8, most - text.length), depth + 1);
  }
  return text + (list ? "]" : "}");
}

/** What a value is, with the value where that helps: `string "2"`, `null`, `an array`. */
export function showGot(value: unknown): string {
  const type = jsonTypeOf(value);
  if (type === "null") return "null";
  return `${type} ${showValue(value)}`;
}
