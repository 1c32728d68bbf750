import { hasFewer } from "./characters.js";
import { isMultipleOf } from "./isMultipleOf.js";
import { type Choices, choicesOf, type NumberNode, type TextNode } from "./schemaNode.js";
import type { Writer } from "./writer.js";

/** An enum of no more texts is compared one by one. */
const FEW_VALUES = 16;

/** Statements about a number. */
export function writeNumber(writer: Writer, node: NumberNode | undefined, value: string): string {
  if (node === undefined) return "";
  const { minimum, maximum, above, below, step } = node;
  return [
    minimum === undefined ? "" : writer.unless(`${value} >= ${minimum}`),
    maximum === undefined ? "" : writer.unless(`${value} <= ${maximum}`),
    above === undefined ? "" : writer.unless(`${value} > ${above}`),
    below === undefined ? "" : writer.unless(`${value} < ${below}`),
    step === undefined ? "" : writer.unless(`${writer.constant(isMultipleOf)}(${value}, ${step})`),
  ].join(" ");
}

/** Statements about a text. What is matched is taken at once: that may take long. */
export function writeText(writer: Writer, node: TextNode | undefined, value: string): string {
  if (node === undefined) return `b += ${value}.length + 3;`;
  const { min, max, format, pattern } = node;
  const fewer = writer.constant(hasFewer);
  const size = `${value}.length + 3`;
  return [
    pattern === undefined && format === undefined ? `b += ${size};` : writer.unless(`(left -= ${size}) >= 0`),
    // A text of one character has a length, and one of no more UTF-16 units than characters are allowed isn't too long.
    min === 0 ? "" : writer.unless(min === 1 ? `${value} !== ""` : `!${fewer}(${value}, ${min})`),
    max === Number.POSITIVE_INFINITY ? "" : writer.unless(`${value}.length <= ${max} || ${fewer}(${value}, ${max + 1})`),
    format === undefined || !writer.settings.formats ? "" : writer.unless(`${writer.constant(format.check)}(${value})`),
    pattern === undefined ? "" : writer.unless(`${writer.constant(pattern.matcher())}.test(${value})`),
  ].join(" ");
}

/** Statements about an `enum`. */
export function writeChoices(writer: Writer, { values, has }: Choices, value: string): string {
  const areFewTexts = values.length > 0 && values.length <= FEW_VALUES && values.every((each) => typeof each === "string");
  return writer.unless(areFewTexts ? values.map((each) => `${value} === ${JSON.stringify(each)}`).join(" || ") : `${writer.constant(has)}(${value})`);
}

/** Statements about a `const`. */
export function writeFixed(writer: Writer, fixed: unknown, value: string): string {
  return writeChoices(writer, choicesOf([fixed]), value);
}
