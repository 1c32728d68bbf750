import type { JsonSchema } from "@fettle/contract";
import { isMultipleOf } from "./isMultipleOf.js";
import { equalJson } from "./jsonType.js";
import { nearestWord } from "./nearestWord.js";
import { readScalar } from "./readScalar.js";
import { type Run, report } from "./run.js";
import type { Choices, NumberNode, SchemaNode, TextNode, TypeNode } from "./schemaNode.js";
import { showGot, showValue } from "./showValue.js";
import { hasTypeIn } from "./typeBits.js";
import type { Problem } from "./types.js";

/** `type`. What else the schema says of the value is dropped when this fails: it would follow from it. */
export function evaluateType(run: Run, node: SchemaNode, types: TypeNode, value: unknown, out: Problem[] | undefined): boolean {
  if (hasTypeIn(types.bits, value, run.exactIntegers)) return true;
  if (out) report(run, out, "type", node.schema, (at) => typeMessage(at, types.expected, types.names, value, node.choices?.values));
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
export function evaluateValues(run: Run, { schema, fixed, choices }: SchemaNode, value: unknown, out: Problem[] | undefined): boolean {
  if (fixed !== undefined && !equalJson(value, fixed.value)) {
    if (out) report(run, out, "const", schema, (at) => `${at} must be ${showValue(fixed.value)}, got ${showGot(value)}`);
    return false;
  }
  if (choices === undefined || choices.has(value)) return true;
  if (out) reportEnum(run, schema, choices, value, out);
  return false;
}

/** A value that is none of a list, with the one that was probably meant. */
export function reportEnum(run: Run, schema: JsonSchema, { values, words, must }: Choices, value: unknown, out: Problem[]): void {
  const suggestion = typeof value === "string" ? nearestWord(value, words) : undefined;
  const meant = suggestion === undefined ? unquoted(values, value) : `. Did you mean ${JSON.stringify(suggestion)}?`;
  const got = typeof value === "string" ? showValue(value) : showGot(value);
  report(run, out, "enum", schema, (at) => `${at} ${must}, got ${got}${meant}`, { suggestion });
}

function unquoted(values: readonly unknown[], value: unknown): string {
  const scalar = typeof value === "string" ? readScalar(value) : undefined;
  return scalar !== undefined && values.includes(scalar) ? `. Send ${scalar} without quotes` : "";
}

/** Bounds and `multipleOf`. */
export function evaluateNumber(run: Run, schema: JsonSchema, node: NumberNode, value: number, out: Problem[] | undefined): boolean {
  const { step } = node;
  const broken = brokenBound(node, value);
  let ok = broken === undefined;
  if (!ok && !out) return false;
  if (broken !== undefined && out) report(run, out, broken, schema, (at) => `${at} ${node.must}, got ${value}`);
  if (step !== undefined && !isMultipleOf(value, step)) {
    ok = false;
    if (out) report(run, out, "multipleOf", schema, (at) => `${at} must be a multiple of ${step}, got ${value}`);
  }
  return ok;
}

/** The keyword of the bound that a number doesn't keep. NaN keeps none. */
function brokenBound({ minimum, maximum, above, below }: NumberNode, value: number): string | undefined {
  if (minimum !== undefined && !(value >= minimum)) return "minimum";
  if (maximum !== undefined && !(value <= maximum)) return "maximum";
  if (above !== undefined && !(value > above)) return "exclusiveMinimum";
  if (below !== undefined && !(value < below)) return "exclusiveMaximum";
  return undefined;
}

/** Length, `pattern` and `format`. */
export function evaluateString(run: Run, schema: JsonSchema, node: TextNode, value: string, out: Problem[] | undefined): boolean {
  const { min, max, format, pattern } = node;
  const isShort = hasFewer(value, min);
  if (isShort || !hasFewer(value, max + 1)) {
    if (out) report(run, out, isShort ? "minLength" : "maxLength", schema, (at) => `${at} ${node.must}, got ${countCharacters(value)}: ${showValue(value)}`);
    // A text that is too long isn't matched against anything: that is what the bound is for.
    return false;
  }
  let ok = true;
  if (format !== undefined && run.formats && !format.check(value)) {
    if (!out) return false;
    ok = false;
    report(run, out, "format", schema, (at) => `${at} ${format.must}, got ${showValue(value)}`);
  }
  if (pattern !== undefined && !pattern.matcher().test(value)) {
    ok = false;
    if (out) report(run, out, "pattern", schema, (at) => `${at} ${pattern.must}, got ${showValue(value)}`);
  }
  return ok;
}

/** Whether a text has fewer code points than `count`. They are counted only where the length in UTF-16 leaves it open: it is up to twice as much. */
function hasFewer(text: string, count: number): boolean {
  if (text.length < count) return true;
  return text.length < 2 * count && countCharacters(text) < count;
}

/** Code points, as JSON Schema counts: an emoji is one. */
function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
