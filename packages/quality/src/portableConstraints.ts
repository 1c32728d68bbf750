import type { JsonObject, JsonPath } from "@fettle/contract";
import type { Add } from "./portabilityRules.js";
import { own, type SchemaPlace } from "./visitSchemas.js";

const FORMATS = new Set(["date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"]);
const UNPORTABLE: readonly (readonly [RegExp, string])[] = [
  [/\(\?<?[=!]/, "look-around"],
  [/\\[pP]\{/, "\\p{...}"],
  [/\\[1-9]|\\k</, "a back-reference"],
  [/\(\?P?<[A-Za-z_]/, "a named group"],
  [/(?<!\\)\[[^\]]*(?<!\\)\[/, "a bare [ in a class"],
];

/** Rules about what one schema says of its value. */
export function constraintFindings({ schema, path, isProperty }: SchemaPlace, add: Add): void {
  const description = own(schema, "description");
  if (isProperty && typeof description === "string" && [...description].length > 1024) {
    add("property-description", [...path, "description"], `the description has ${[...description].length} characters`);
  }
  checkPattern(schema, path, add);
  const format = own(schema, "format");
  if (typeof format === "string" && !FORMATS.has(format)) add("formats", [...path, "format"], `format ${format.slice(0, 80)} isn't known everywhere`);
  const values = own(schema, "enum");
  if (Array.isArray(values)) {
    if (values.some((each) => typeof each !== "string")) add("enum-strings", [...path, "enum"], "enum holds other values than strings");
    else if (values.length === 0 || values.length > 250) add("enum-strings", [...path, "enum"], `enum has ${values.length} values`);
  }
  for (const key of ["exclusiveMinimum", "exclusiveMaximum"]) if (Object.hasOwn(schema, key)) add("exclusive-bounds", [...path, key], `${key} is used`);
  if (isProperty) checkWords(schema, path, typeof description === "string" ? description : "", add);
}

function checkPattern(schema: JsonObject, path: JsonPath, add: Add): void {
  const pattern = own(schema, "pattern");
  if (typeof pattern !== "string") return;
  const place = [...path, "pattern"];
  let compiles = true;
  try {
    new RegExp(pattern, "u");
  } catch {
    compiles = false;
  }
  const found = UNPORTABLE.find(([form]) => form.test(pattern));
  if (!compiles) add("pattern-plain", place, "the pattern isn't ECMA-262 with the flag u");
  else if (found !== undefined) add("pattern-plain", place, `the pattern has ${found[1]}`);
  if (hasNestedRepeat(pattern)) add("pattern-safe", place, "the pattern repeats a repeat");
  else if (/[*+]|,\}/.test(pattern.replace(/\\./g, "").replace(/\[[^\]]*\]/g, "")) && !Object.hasOwn(schema, "maxLength")) {
    add("pattern-safe", place, "the pattern takes texts of any length and has no maxLength beside it", "warning");
  }
}

/** Whether a group that holds an unbounded repeat is repeated without bound itself. */
function hasNestedRepeat(pattern: string): boolean {
  const plain = pattern.replace(/\\./g, "x").replace(/\[[^\]]*\]/g, "x");
  const open: boolean[] = [];
  for (let i = 0; i < plain.length; i += 1) {
    const repeated = /^(?:[*+]|\{\d+,\})/.test(plain.slice(i + (plain[i] === ")" ? 1 : 0), i + 12));
    if (plain[i] === "(") open.push(false);
    else if (plain[i] === ")") {
      const inner = open.pop() ?? false;
      if (inner && repeated) return true;
      if ((inner || repeated) && open.length > 0) open[open.length - 1] = true;
    } else if (repeated && open.length > 0) open[open.length - 1] = true;
  }
  return false;
}

/** Whether the numbers of the bounds stand in the description too. */
function checkWords(schema: JsonObject, path: JsonPath, description: string, add: Add): void {
  const words = description.replaceAll(/(\d)[,_](?=\d{3})/g, "$1").toLowerCase();
  const missing: string[] = [];
  for (const key of ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "maxLength", "minItems", "maxItems"]) {
    const bound = own(schema, key);
    if (typeof bound === "number" && !words.includes(String(bound))) missing.push(`${key} ${bound}`);
  }
  const format = own(schema, "format");
  if (typeof format === "string" && !words.includes(format.toLowerCase()) && !words.includes(format.replace("-", " ")) && !/yyyy|iso|rfc|e\.g\./.test(words))
    missing.push(`format ${format}`);
  if (typeof own(schema, "pattern") === "string" && description === "") missing.push("pattern");
  if (missing.length > 0) add("constraints-in-words", path, `the description doesn't say ${missing.join(", ").slice(0, 120)}`);
}
