import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json, JsonSchema } from "@fettle/contract";
import { PORTABILITY_RULES, portabilityFindings } from "./index.js";

const root = (properties: Record<string, Json>, more: Record<string, Json> = {}): JsonSchema => ({ type: "object", properties, ...more });
const rules = (schema: JsonSchema, name?: string, description?: string): readonly string[] => [
  ...new Set(portabilityFindings(schema, name, description === undefined ? {} : { description }).map(({ rule, severity }) => `${severity} ${rule}`)),
];
const text = (more: Record<string, Json> = {}): Json => ({ type: "string", description: "A text.", ...more });

const cases: readonly (readonly [title: string, schema: JsonSchema, expected: readonly string[]])[] = [
  ["a plain schema has no finding", root({ q: text(), n: { type: "integer", minimum: 1, description: "1 or more." } }, { required: ["q"] }), []],
  ["a key with a dollar sign", root({ $top: text() }), ["error property-keys"]],
  ["a key in another script", root({ 会社名: text() }), ["error property-keys"]],
  ["a key of 65 characters", root({ ["k".repeat(65)]: text() }), ["error property-keys"]],
  ["a key with a dash", root({ "max-items": text() }), ["warning property-keys"]],
  ["a root that is no object", { anyOf: [root({ a: text() })] }, ["error root-object", "error root-combinators"]],
  ["a root without properties", { type: "object" }, ["error root-object"]],
  ["a boolean root", true, ["error root-object"]],
  ["a condition at the root", root({}, { if: {} }), ["warning root-combinators"]],
  ["an array without items", root({ a: { type: "array" } }), ["error array-items"]],
  ["an array with a list of items", root({ a: { type: ["array", "null"], items: [{ type: "string" }] } }), ["error array-items"]],
  ["a required name that isn't declared", root({ a: text() }, { required: ["b"] }), ["error required-declared"]],
  ["a required property with a default", root({ a: text({ default: "x" }) }, { required: ["a"] }), ["error default-not-required"]],
  ["a default that doesn't fit", root({ a: { type: "integer", default: "x" } }), ["error default-valid"]],
  ["a property without a type", root({ a: { description: "What?" } }), ["warning typed"]],
  ["a reference", root({ a: { $ref: "#/$defs/A" } }, { $defs: { A: { type: "string" } } }), ["warning no-ref"]],
  ["oneOf inside", root({ a: { oneOf: [{ type: "string" }] } }), ["warning union-nested"]],
  [
    "look-around in a pattern",
    root({ a: text({ pattern: "^(?!x)a$", maxLength: 9, description: "At most 9 characters, no x first." }) }),
    ["error pattern-plain"],
  ],
  ["a class of Unicode in a pattern", root({ a: text({ pattern: "^\\p{L}$" }) }), ["error pattern-plain"]],
  ["a pattern that can't be read", root({ a: text({ pattern: "(" }) }), ["error pattern-plain"]],
  ["a repeat inside a repeat", root({ a: text({ pattern: "^(a+)+$" }) }), ["error pattern-safe"]],
  ["a pattern of any length", root({ a: text({ pattern: "^a+$" }) }), ["warning pattern-safe"]],
  ["a bounded pattern", root({ a: text({ pattern: "^(a{1,3}\\+){2}[+*]$" }) }), []],
  ["a format that few know", root({ a: text({ format: "uri-template", description: "A uri-template." }) }), ["warning formats"]],
  ["an enum of numbers", root({ a: { enum: [1, 2] } }), ["warning enum-strings"]],
  ["an enum of 300 values", root({ a: { enum: Array.from({ length: 300 }, (_, i) => `v${i}`) } }), ["warning enum-strings"]],
  ["an exclusive bound", root({ a: { type: "number", exclusiveMinimum: 0, description: "More than 0." } }), ["warning exclusive-bounds"]],
  ["a bound that the description doesn't say", root({ a: { type: "integer", maximum: 1000, description: "How many." } }), ["warning constraints-in-words"]],
  ["a bound that the description says", root({ a: { type: "integer", maximum: 1000, description: "At most 1,000." } }), []],
  ["a format that the description doesn't say", root({ a: text({ format: "date" }) }), ["warning constraints-in-words"]],
  ["a long description of a property", root({ a: text({ description: "x".repeat(1025) }) }), ["warning property-description"]],
  ["draft-07", root({}, { $schema: "http://json-schema.org/draft-07/schema#" }), ["error dialect"]],
  ["a schema of 33 KB", root({ a: { enum: ["x".repeat(33 * 1024)] } }), ["warning schema-size"]],
  ["a schema of 201 schemas", root(Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`p${i}`, text()]))), ["warning schema-size"]],
];

for (const [title, schema, expected] of cases) test(title, () => assert.deepEqual(rules(schema), expected));

test("a schema of many levels is large", () => {
  let schema: Json = { type: "string" };
  for (let i = 0; i < 12; i += 1) schema = { type: "object", properties: { a: schema } };
  assert.deepEqual(rules(Object(schema)), ["warning schema-size"]);
});

test("names are checked where there is one", () => {
  const schema = root({});
  assert.deepEqual(rules(schema, "git_log"), []);
  assert.deepEqual(rules(schema, "g".repeat(65)), ["error tool-name"]);
  assert.deepEqual(rules(schema, "GetUser"), ["warning tool-name-portable"]);
  assert.deepEqual(rules(schema, "a__b"), ["warning tool-name-portable"]);
});

test("descriptions are checked where there is one", () => {
  const schema = root({});
  assert.deepEqual(rules(schema, "a", " "), ["error description"]);
  assert.deepEqual(rules(schema, "a", "x".repeat(1025)), ["warning description"]);
  assert.deepEqual(rules(schema, "a", "x".repeat(2049)), ["error description"]);
  assert.deepEqual(rules(schema, "a", "Does it."), []);
});

test("a finding says where, what, why and what to do", () => {
  const [finding] = portabilityFindings(root({ a: { type: "array" } }));
  assert.deepEqual(finding, {
    code: "portability/array-items",
    rule: "array-items",
    severity: "error",
    path: ["properties", "a"],
    message: `an array doesn't say what its items are: ${PORTABILITY_RULES["array-items"].why}`,
    hint: PORTABILITY_RULES["array-items"].hint,
  });
});
