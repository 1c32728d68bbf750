import type { JsonSchema } from "@fettle/contract";
import { countCharacters, hasFewer } from "./characters.js";
import { isMultipleOf } from "./isMultipleOf.js";
import { equalJson } from "./jsonType.js";
import { type Letters, nearestWord } from "./nearestWord.js";
import { readLooseNumber, readScalar } from "./readScalar.js";
import { type Run, report } from "./run.js";
import type { Choices, NumberNode, SchemaNode, TextNode, TypeNode } from "./schemaNode.js";
import { cutText, showGot, showValue } from "./showValue.js";
import { bitsOf, hasTypeIn } from "./typeBits.js";
import type { Problem } from "./types.js";

const LONGEST_EXPECTED = 200;
const LIST_HINT = "Send a list in square brackets";
const NOTHING_HINT = "Leave it out where there is no value";

/** `type`. What else the schema says of the value is dropped when this fails: it would follow from it. */
export function evaluateType(run: Run, node: SchemaNode, types: TypeNode, value: unknown, out: Problem[] | undefined): boolean {
  if (hasTypeIn(types.bits, value, run.exactIntegers)) return true;
  if (out) report(run, out, "type", node.schema, (at) => typeMessage(at, types.expected, types.names, value, node.choices?.values));
  return false;
}

/** `items[0].quantity: expected integer, got string "2". Send 2 without quotes`. */
export function typeMessage(place: string, expected: string, types: readonly string[], value: unknown, values?: readonly unknown[]): string {
  const hint = typeHint(types, value, (meant) => values === undefined || values.includes(meant));
  return `${place}: expected ${cutText(expected, LONGEST_EXPECTED)}, got ${showGot(value)}${hint === undefined ? "" : `. ${hint}`}`;
}

/** What to do about a value of the wrong type. `mayBe` says whether a value is one of those that are allowed at all: none else is advised. */
function typeHint(types: readonly string[], value: unknown, mayBe: (value: unknown) => boolean): string | undefined {
  if (value === null) return NOTHING_HINT;
  if (Array.isArray(value)) {
    const only: unknown = value[0];
    return value.length === 1 && hasTypeIn(bitsOf(types), only, true) && mayBe(only) ? "Send the item without the list" : undefined;
  }
  if (typeof value === "string") return textHint(types, value, mayBe);
  if (typeof value === "number" && (types.includes("integer") || types.includes("number"))) {
    if (!Number.isFinite(value)) return "It is too large for a number";
    return Number.isInteger(value)
      ? "It is too large to be exact: digits were lost on the way. Send it as a string where the tool takes one"
      : "Send a whole number";
  }
  if (typeof value !== "object" && types.includes("string")) {
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) return "Put the number in quotes as it was: digits of what came were lost on the way";
    return mayBe(String(value)) ? "Put it in quotes" : undefined;
  }
  return types.includes("array") ? LIST_HINT : undefined;
}

function textHint(types: readonly string[], value: string, mayBe: (value: unknown) => boolean): string | undefined {
  const wants = (type: string): boolean => types.includes(type);
  const numeric = wants("integer") || wants("number");
  const text = value.trim();
  const scalar = readScalar(text) ?? (numeric ? readLooseNumber(text) : undefined);
  if (isNothing(text)) return NOTHING_HINT;
  if (text.toLowerCase() === "null") return "Leave it out, or send null without quotes where that is allowed";
  if (numeric && typeof scalar === "number") {
    if (!wants("number") && !Number.isInteger(scalar)) return "Send a whole number, without quotes";
    return mayBe(scalar) ? `Send ${showValue(scalar)} without quotes` : undefined;
  }
  if (numeric && /^-?\d{16,}$/.test(text)) return "It has more digits than a number keeps";
  if (wants("boolean")) {
    const said = readScalar(text.toLowerCase());
    if (typeof said !== "boolean") return "Send true or false, without quotes";
    return mayBe(said) ? `Send ${said} without quotes` : undefined;
  }
  const wanted = wants("object") ? "object" : wants("array") ? "array" : undefined;
  if (wanted === undefined) return undefined;
  if (text.startsWith("```")) return `Send the ${wanted} itself, not as text`;
  if (!/^[[{]|^"\s*(?:\[|\{)/.test(text)) return wanted === "array" ? LIST_HINT : undefined;
  try {
    JSON.parse(text);
    return `Send the ${wanted} itself, not as text`;
  } catch {
    return `The text is not valid JSON; send the ${wanted} itself`;
  }
}

/** Whether a text says that there is no value. `null` isn't among these: that may be a value. */
function isNothing(text: string): boolean {
  return text === "" || /^(undefined|none|nil|n\/a)$/i.test(text);
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
  const suggestion = typeof value === "string" ? meantBy(value.trim(), words, run.letters) : undefined;
  const meant = suggestion === undefined ? unquoted(values, value) : `. Did you mean ${JSON.stringify(suggestion)}?`;
  const got = typeof value === "string" ? showValue(value) : showGot(value);
  report(run, out, "enum", schema, (at) => `${at} ${must}, got ${got}${meant}`, { suggestion });
}

function meantBy(text: string, words: readonly string[], letters: Letters): string | undefined {
  const bare = text.replace(/^["'`]+|["'`]+$/g, "");
  return words.includes(bare) ? bare : nearestWord(bare, words, letters);
}

function unquoted(values: readonly unknown[], value: unknown): string {
  if (typeof value === "string") {
    const text = value.trim();
    if (isNothing(text)) return `. ${NOTHING_HINT}`;
    if (text.toLowerCase() === "null") return values.includes(null) ? ". Send null without quotes" : `. ${NOTHING_HINT}`;
    const scalar = readScalar(text);
    return scalar !== undefined && values.includes(scalar) ? `. Send ${scalar} without quotes` : "";
  }
  if (Array.isArray(value)) return value.length === 1 && values.includes(value[0]) ? ". Send the item without the list" : "";
  return (typeof value === "number" || typeof value === "boolean") && values.includes(String(value)) ? ". Put it in quotes" : "";
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
    if (out) report(run, out, isShort ? "minLength" : "maxLength", schema, (at) => `${at} ${node.must}, got ${countCharacters(value)}: ${shownText(value)}`);
    // A text that is too long isn't matched against anything: that is what the bound is for.
    return false;
  }
  let ok = true;
  if (format !== undefined && run.formats && !format.check(value)) {
    if (!out) return false;
    ok = false;
    report(run, out, "format", schema, (at) => `${at} ${format.must}, got ${shownText(value)}`);
  }
  if (pattern !== undefined && !pattern.matcher().test(value)) {
    ok = false;
    if (out) report(run, out, "pattern", schema, (at) => `${at} ${pattern.must()}, got ${shownText(value)}`);
  }
  return ok;
}

/** A text as JSON, with advice where there is nothing in it. */
function shownText(value: string): string {
  return value.trim() === "" ? `${showValue(value)}. ${NOTHING_HINT}` : showValue(value);
}
