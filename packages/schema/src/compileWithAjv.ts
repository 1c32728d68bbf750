import { Ajv, type Options } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { compilePattern } from "./compilePattern.js";
import { findDuplicate } from "./findDuplicate.js";
import { formatChecks } from "./formats.js";
import { isMultipleOf } from "./isMultipleOf.js";
import type { Dialect } from "./subschemas.js";

/** Tells whether a value fits. What is wrong with one that doesn't is the evaluator's to say. */
export type Decider = (value: unknown) => boolean;

/** The matcher of an admitted pattern. */
export function matcherOf(pattern: string): { test(text: string): boolean } {
  const compiled = compilePattern(pattern);
  if (compiled.kind === "refused") throw new TypeError(`pattern ${pattern}: ${compiled.reason}`);
  return compiled.matcher;
}

const regExp = Object.assign((pattern: string) => matcherOf(pattern), { code: "linearPattern" });

// `allErrors` and `verbose` are off: the evaluator finds and words the problems, so the compiled code only has to decide, and can stop at the first.
const OPTIONS: Options = {
  strict: false,
  strictNumbers: true,
  ownProperties: true,
  unicodeRegExp: true,
  validateSchema: false,
  meta: false,
  messages: false,
  logger: false,
};

/**
 * Compiles a prepared schema. Each has an Ajv of its own, so that no `$id`, pattern or constant of one tool can reach another.
 *
 * @param schema a schema without `$id`, `$schema` and whatever Ajv gets wrong; see prepareForAjv
 */
export function compileWithAjv(schema: object | boolean, dialect: Dialect, formats: boolean): Decider {
  const options: Options = { ...OPTIONS, validateFormats: formats, code: { regExp } };
  const ajv = dialect === "draft-07" ? new Ajv(options) : new Ajv2020(options);
  if (formats) for (const [name, check] of formatChecks()) ajv.addFormat(name, check);
  // Ajv compares every pair of items, and multiplies in binary: 0.07 is no multiple of 0.01 to it.
  ajv.removeKeyword("uniqueItems");
  ajv.addKeyword({
    keyword: "uniqueItems",
    type: "array",
    schemaType: "boolean",
    validate: (on: boolean, items: unknown[]) => !on || findDuplicate(items) === undefined,
  });
  ajv.removeKeyword("multipleOf");
  ajv.addKeyword({ keyword: "multipleOf", type: "number", schemaType: "number", validate: (step: number, value: number) => isMultipleOf(value, step) });
  const validate = ajv.compile(schema);
  return (value) => validate(value) === true;
}
