import type { JsonSchema } from "@fettle/contract";
import { boundsText, countText, formatText, joinOr, valuesText } from "./describeSchema.js";
import { isMultipleOf } from "./isMultipleOf.js";
import { equalJson, jsonTypeOf, own, type SchemaObject } from "./jsonType.js";
import { nearestWord } from "./nearestWord.js";
import { readScalar } from "./readScalar.js";
import { label, type Run, report } from "./run.js";
import { showGot, showValue } from "./showValue.js";
import type { Problem } from "./types.js";

/** Whether a value has one of the JSON types. */
export function hasType(value: unknown, type: string, exactIntegers: boolean): boolean {
  if (type === "integer") return exactIntegers ? Number.isSafeInteger(value) : Number.isInteger(value);
  if (type === "number") return Number.isFinite(value);
  return jsonTypeOf(value) === type;
}

/** `type`. What else the schema says of the value is dropped when this fails: it would follow from it. */
export function evaluateType(run: Run, schema: SchemaObject, types: readonly string[], value: unknown, out: Problem[] | undefined): boolean {
  for (const type of types) if (hasType(value, type, run.exactIntegers)) return true;
  if (out !== undefined) {
    const values = own(schema, "enum");
    const expected = joinOr(types) + (Array.isArray(values) ? `, one of ${valuesText(values)}` : "");
    report(run, out, "type", schema, typeMessage(label(run), expected, types, value, Array.isArray(values) ? values : undefined));
  }
  return false;
}

/** `items[0].quantity: expected integer, got string "2". Send 2 without quotes`. */
export function typeMessage(place: string, expected: string, types: readonly string[], value: unknown, values?: readonly unknown[]): string {
  const scalar = typeof value === "string" ? readScalar(value) : undefined;
  // Without its quotes it would still be none of the values.
  const hint = values !== undefined && scalar !== undefined && !values.includes(scalar) ? undefined : typeHint(types, value);
  return `${place}: expected ${expected}, got ${showGot(value)}${hint === undefined ? "" : `. ${hint}`}`;
}

function typeHint(types: readonly string[], value: unknown): string | undefined {
  const wants = (type: string): boolean => types.includes(type);
  const numeric = wants("integer") || wants("number");
  if (typeof value === "number") {
    if (numeric && !Number.isFinite(value)) return "It is too large for a number";
    if (wants("integer") && Number.isInteger(value))
      return "It is too large to be exact: digits were lost on the way. Send it as a string where the tool takes one";
    if (wants("integer")) return "Send a whole number";
    return wants("string") ? "Put it in quotes" : undefined;
  }
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  if (text.toLowerCase() === "null") return "Leave it out, or send null without quotes where that is allowed";
  if (numeric && readScalar(value) !== undefined && typeof readScalar(value) === "number") {
    return wants("integer") && !wants("number") && !Number.isInteger(readScalar(value))
      ? "Send a whole number, without quotes"
      : `Send ${showValue(readScalar(value))} without quotes`;
  }
  if (numeric && /^-?\d{16,}$/.test(value)) return "It has more digits than a number keeps";
  if (wants("boolean")) return value === "true" || value === "false" ? `Send ${value} without quotes` : "Send true or false, without quotes";
  const wanted = wants("object") ? "object" : wants("array") ? "array" : undefined;
  if (wanted === undefined) return undefined;
  if (!/^[[{]/.test(text)) return wanted === "array" ? "Send a list in square brackets" : undefined;
  try {
    JSON.parse(text);
    return `Send the ${wanted} itself, not as text`;
  } catch {
    return `The text is not valid JSON; send the ${wanted} itself`;
  }
}

/** `const` and `enum`. */
export function evaluateValues(run: Run, schema: SchemaObject, value: unknown, out: Problem[] | undefined): boolean {
  if (Object.hasOwn(schema, "const") && !equalJson(value, own(schema, "const"))) {
    if (out) report(run, out, "const", schema, `${label(run)} must be ${showValue(own(schema, "const"))}, got ${showGot(value)}`);
    return false;
  }
  const values = own(schema, "enum");
  if (!Array.isArray(values) || values.some((each) => equalJson(each, value))) return true;
  if (out) reportEnum(run, schema, values, value, out);
  return false;
}

/** A value that is none of a list, with the one that was probably meant. */
export function reportEnum(run: Run, schema: JsonSchema, values: readonly unknown[], value: unknown, out: Problem[], place: string = label(run)): void {
  const words = values.filter((each) => typeof each === "string");
  const suggestion = typeof value === "string" ? nearestWord(value, words) : undefined;
  const meant = suggestion === undefined ? unquoted(values, value) : `. Did you mean ${JSON.stringify(suggestion)}?`;
  const must = values.length === 1 ? `must be ${showValue(values[0])}` : values.length === 0 ? "can't have any value" : `must be one of ${valuesText(values)}`;
  const got = typeof value === "string" ? showValue(value) : showGot(value);
  report(run, out, "enum", schema, `${place} ${must}, got ${got}${meant}`, { suggestion });
}

function unquoted(values: readonly unknown[], value: unknown): string {
  const scalar = typeof value === "string" ? readScalar(value) : undefined;
  return scalar !== undefined && values.includes(scalar) ? `. Send ${scalar} without quotes` : "";
}

const BOUNDS: readonly (readonly [string, (value: number, bound: number) => boolean])[] = [
  ["minimum", (value, bound) => value >= bound],
  ["maximum", (value, bound) => value <= bound],
  ["exclusiveMinimum", (value, bound) => value > bound],
  ["exclusiveMaximum", (value, bound) => value < bound],
];

/** Bounds and `multipleOf`. */
export function evaluateNumber(run: Run, schema: SchemaObject, value: number, out: Problem[] | undefined): boolean {
  let ok = true;
  for (const [keyword, fits] of BOUNDS) {
    const bound = own(schema, keyword);
    if (typeof bound !== "number" || fits(value, bound)) continue;
    if (!out) return false;
    ok = false;
    report(run, out, keyword, schema, `${label(run)} must be ${boundsText(schema)}, got ${value}`);
    break;
  }
  const step = own(schema, "multipleOf");
  if (typeof step === "number" && !isMultipleOf(value, step)) {
    ok = false;
    if (out) report(run, out, "multipleOf", schema, `${label(run)} must be a multiple of ${step}, got ${value}`);
  }
  return ok;
}

/** Length, `pattern` and `format`. */
export function evaluateString(run: Run, schema: SchemaObject, value: string, out: Problem[] | undefined): boolean {
  const min = own(schema, "minLength");
  const max = own(schema, "maxLength");
  if (typeof min === "number" || typeof max === "number") {
    const length = countCharacters(value);
    if ((typeof min === "number" && length < min) || (typeof max === "number" && length > max)) {
      if (out) {
        const must = countText(min, max, "character", "characters");
        const keyword = typeof min === "number" && length < min ? "minLength" : "maxLength";
        report(run, out, keyword, schema, `${label(run)} must have ${must}, got ${length}: ${showValue(value)}`);
      }
      // A text that is too long isn't matched against anything: that is what the bound is for.
      return false;
    }
  }
  let ok = true;
  const format = own(schema, "format");
  const check = typeof format === "string" ? run.format(format) : undefined;
  if (typeof format === "string" && check !== undefined && !check(value)) {
    if (!out) return false;
    ok = false;
    report(run, out, "format", schema, `${label(run)} must match ${formatText(format)}, got ${showValue(value)}`);
  }
  const pattern = own(schema, "pattern");
  if (typeof pattern === "string" && !run.matcher(pattern).test(value)) {
    ok = false;
    if (out)
      report(
        run,
        out,
        "pattern",
        schema,
        `${label(run)} must match pattern ${pattern.length > 120 ? `${pattern.slice(0, 119)}…` : pattern}, got ${showValue(value)}`,
      );
  }
  return ok;
}

/** Code points, as JSON Schema counts: an emoji is one. */
function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
