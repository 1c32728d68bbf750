import type { JsonPath } from "@fettle/contract";
import { formatChecks } from "./formats.js";
import { isObject, isSchema, own, type SchemaObject } from "./jsonType.js";
import { nearestWord } from "./nearestWord.js";
import { cutText, showValue } from "./showValue.js";
import type { Dialect } from "./subschemas.js";
import type { SchemaFinding } from "./types.js";

const TYPES = ["string", "number", "integer", "boolean", "object", "array", "null"];
/** What people write for a type, from other languages. */
const TYPE_WORDS: Readonly<Record<string, string>> = {
  str: "string",
  text: "string",
  int: "integer",
  float: "number",
  double: "number",
  bool: "boolean",
  dict: "object",
  map: "object",
  list: "array",
  none: "null",
};

type Fault = { readonly message: string; readonly hint?: string } | undefined;
type Rule = (value: unknown, keyword: string) => Fault;

const must = (ok: boolean, keyword: string, what: string, hint?: string): Fault =>
  ok ? undefined : { message: `${keyword} must be ${what}`, ...(hint !== undefined && { hint }) };
const isStrings = (value: unknown): boolean => Array.isArray(value) && value.every((each) => typeof each === "string");

const number: Rule = (value, keyword) => must(Number.isFinite(value), keyword, "a number", typeof value === "string" ? "Write it without quotes." : undefined);
const exclusive: Rule = (value, keyword) =>
  typeof value === "boolean"
    ? { message: `${keyword} must be a number`, hint: `In draft-04 it was true or false; now write the bound itself: ${keyword}: 0.` }
    : number(value, keyword);
const count: Rule = (value, keyword) => must(Number.isSafeInteger(value) && Number(value) >= 0, keyword, "a whole number, 0 or more");
const schema: Rule = (value, keyword) => must(isSchema(value), keyword, "a schema: an object, true or false");
const schemas: Rule = (value, keyword) => must(Array.isArray(value) && value.length > 0 && value.every(isSchema), keyword, "a list of schemas, at least one");
const schemaMap: Rule = (value, keyword) => must(isObject(value) && Object.values(value).every(isSchema), keyword, "an object of schemas by name");
const text: Rule = (value, keyword) => must(typeof value === "string", keyword, "a string");
const flag: Rule = (value, keyword) => must(typeof value === "boolean", keyword, "true or false");
const strings: Rule = (value, keyword) => must(isStrings(value), keyword, "a list of strings");
const anything: Rule = () => undefined;

const required: Rule = (value, keyword) =>
  typeof value === "boolean"
    ? { message: "required must be a list of strings", hint: "List the names of required properties on the object that holds them." }
    : strings(value, keyword);

const type: Rule = (value) => {
  const listed = Array.isArray(value) ? value : [value];
  const wrong = listed.find((each) => typeof each !== "string" || !TYPES.includes(each));
  if (wrong === undefined && listed.length > 0) return undefined;
  const word = String(wrong).toLowerCase();
  const meant = (Object.hasOwn(TYPE_WORDS, word) ? TYPE_WORDS[word] : undefined) ?? nearestWord(word, TYPES) ?? (TYPES.includes(word) ? word : undefined);
  const hint = word === "any" ? "Leave type out to allow anything." : meant === undefined ? undefined : `Did you mean ${meant}?`;
  return { message: `type must be one of ${TYPES.join(", ")}, or a list of them, got ${showValue(wrong)}`, ...(hint !== undefined && { hint }) };
};

const items2020: Rule = (value, keyword) =>
  Array.isArray(value)
    ? { message: "items must be one schema in 2020-12, got a list", hint: "Write the list as prefixItems, and items for the items after it." }
    : schema(value, keyword);
const itemsDraft07: Rule = (value, keyword) =>
  Array.isArray(value) ? must(value.every(isSchema), keyword, "a schema or a list of schemas") : schema(value, keyword);
const stringLists: Rule = (value, keyword) => must(isObject(value) && Object.values(value).every(isStrings), keyword, "an object of lists of names");
const dependencies: Rule = (value, keyword) =>
  must(isObject(value) && Object.values(value).every((each) => isStrings(each) || isSchema(each)), keyword, "an object of lists of names or schemas");
const multiple: Rule = (value, keyword) => must(typeof value === "number" && Number.isFinite(value) && value > 0, keyword, "a number above 0");
const list: Rule = (value, keyword) => must(Array.isArray(value), keyword, "a list of values");

const SHARED: Readonly<Record<string, Rule>> = {
  $schema: text,
  $id: text,
  $ref: text,
  $comment: text,
  $defs: schemaMap,
  definitions: schemaMap,
  type,
  enum: list,
  const: anything,
  multipleOf: multiple,
  minimum: number,
  maximum: number,
  exclusiveMinimum: exclusive,
  exclusiveMaximum: exclusive,
  minLength: count,
  maxLength: count,
  pattern: text,
  format: text,
  minItems: count,
  maxItems: count,
  uniqueItems: flag,
  contains: schema,
  minProperties: count,
  maxProperties: count,
  required,
  properties: schemaMap,
  patternProperties: schemaMap,
  additionalProperties: schema,
  propertyNames: schema,
  allOf: schemas,
  anyOf: schemas,
  oneOf: schemas,
  not: schema,
  if: schema,
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema; nobody awaits this table
  then: schema,
  else: schema,
  title: text,
  description: text,
  default: anything,
  examples: anything,
  readOnly: flag,
  writeOnly: flag,
  contentEncoding: text,
  contentMediaType: text,
};

const RULES: Readonly<Record<Dialect, Readonly<Record<string, Rule>>>> = {
  "2020-12": {
    ...SHARED,
    $anchor: text,
    $dynamicAnchor: text,
    $dynamicRef: text,
    $vocabulary: anything,
    prefixItems: schemas,
    items: items2020,
    minContains: count,
    maxContains: count,
    dependentRequired: stringLists,
    dependentSchemas: schemaMap,
    unevaluatedItems: schema,
    unevaluatedProperties: schema,
    contentSchema: schema,
    deprecated: flag,
  },
  "draft-07": { ...SHARED, items: itemsDraft07, additionalItems: schema, dependencies },
};

/** Keywords that people expect to work and that this dialect doesn't have. */
const EXPECTED: Readonly<Record<string, string>> = {
  nullable: 'Write type: [T, "null"].',
  discriminator: "Give each branch of oneOf a property with its own const.",
  dependencies: "Write dependentRequired or dependentSchemas.",
  additionalItems: "Write prefixItems, and items for the rest.",
  dependentRequired: "In draft-07 it is called dependencies.",
  dependentSchemas: "In draft-07 it is called dependencies.",
  prefixItems: "In draft-07 write items as a list.",
  unevaluatedProperties: "Use 2020-12: leave $schema out.",
  unevaluatedItems: "Use 2020-12: leave $schema out.",
  $recursiveRef: "Write $dynamicRef, or a plain $ref.",
  id: "It is called $id.",
  example: "It is called examples, a list.",
};

/** Whether the keywords of one schema have values that mean something, and which of them don't do what they seem to. */
export function checkKeywords(schema: SchemaObject, dialect: Dialect, path: JsonPath): readonly SchemaFinding[] {
  const findings: SchemaFinding[] = [];
  const add = (severity: "error" | "warning", code: string, keyword: string, message: string, hint?: string): void => {
    findings.push({ severity, code: `schema/${code}`, path: [...path, keyword], message, ...(hint !== undefined && { hint }) });
  };
  const rules = RULES[dialect];
  const overshadowed = dialect === "draft-07" && Object.hasOwn(schema, "$ref");
  for (const keyword of Object.keys(schema)) {
    const value = own(schema, keyword);
    if (value === undefined) continue;
    const rule = Object.hasOwn(rules, keyword) ? rules[keyword] : undefined;
    if (rule !== undefined) {
      const fault = rule(value, keyword);
      if (fault !== undefined)
        add("error", "invalid-keyword", keyword, `${fault.message}${fault.message.includes("got ") ? "" : `, got ${showValue(value)}`}`, fault.hint);
      else if (overshadowed && !["$ref", "$defs", "definitions", "$schema", "$comment", "title", "description", "default", "examples"].includes(keyword)) {
        add(
          "warning",
          "ignored-keyword",
          keyword,
          `${keyword} isn't enforced: draft-07 ignores everything beside $ref`,
          "Put both under allOf, or use 2020-12.",
        );
      }
      continue;
    }
    const known = Object.hasOwn(EXPECTED, keyword) ? EXPECTED[keyword] : undefined;
    if (known !== undefined)
      add(keyword === "$recursiveRef" ? "error" : "warning", "unknown-keyword", keyword, `${keyword} is no keyword of ${dialect} and isn't enforced`, known);
    else if (!keyword.startsWith("x-")) {
      const meant = nearestWord(keyword, Object.keys(rules));
      if (meant !== undefined) add("warning", "unknown-keyword", keyword, `${cutText(keyword)} is no keyword and isn't enforced`, `Did you mean ${meant}?`);
    }
  }
  const format = own(schema, "format");
  if (typeof format === "string" && !formatChecks().has(format)) {
    const meant = nearestWord(format, formatChecks().keys());
    add(
      "warning",
      "unknown-format",
      "format",
      `format ${cutText(format)} isn't enforced, it only annotates`,
      meant === undefined ? "Say it by pattern or in the description." : `Did you mean ${meant}?`,
    );
  }
  checkBounds(schema, add);
  return findings;
}

const PAIRS: readonly (readonly [string, string])[] = [
  ["minimum", "maximum"],
  ["minLength", "maxLength"],
  ["minItems", "maxItems"],
  ["minProperties", "maxProperties"],
];

function checkBounds(schema: SchemaObject, add: (severity: "warning", code: string, keyword: string, message: string) => void): void {
  for (const [low, high] of PAIRS) {
    const min = own(schema, low);
    const max = own(schema, high);
    if (typeof min === "number" && typeof max === "number" && min > max)
      add("warning", "unsatisfiable", low, `${low} ${min} is more than ${high} ${max}: nothing fits`);
  }
}
