import type { JsonSchema } from "@fettle/contract";
import type { Options } from "ajv";
import { matcherOf } from "./compilePattern.js";
import { findDuplicate } from "./findDuplicate.js";
import { formatChecks } from "./formats.js";
import { isMultipleOf } from "./isMultipleOf.js";
import { newAjv } from "./loadAjv.js";
import { type Dialect, subschemas } from "./subschemas.js";

/** Tells whether a value fits. What is wrong with one that doesn't is the evaluator's to say. */
export type Decider = (value: unknown) => boolean;

const regExp = Object.assign((pattern: string) => matcherOf(pattern), { code: "linearPattern" });

// `verbose` is off, and `allErrors` where it can be: the evaluator finds and words the problems, so the compiled code only has to decide.
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

/** Without `allErrors` Ajv nests the check of each member in the one before, and the compiler of JavaScript overflows its stack at some hundreds. */
const MOST_NESTED = 250;

/**
 * Compiles a prepared schema. Each has an Ajv of its own, so that no `$id`, pattern or constant of one tool can reach another.
 *
 * @param schema a schema without `$id`, `$schema` and whatever Ajv gets wrong; see prepareForAjv
 */
export function compileWithAjv(schema: JsonSchema, dialect: Dialect, formats: boolean): Decider {
  const options: Options = { ...OPTIONS, allErrors: countSchemas(schema, dialect) > MOST_NESTED, validateFormats: formats, code: { regExp } };
  const ajv = newAjv(dialect, options);
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

function countSchemas(schema: JsonSchema, dialect: Dialect): number {
  if (typeof schema === "boolean") return 1;
  let count = 1;
  for (const inner of subschemas(schema, dialect)) count += countSchemas(inner.schema, dialect);
  return count;
}
