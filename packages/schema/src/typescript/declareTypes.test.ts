import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonSchema } from "@fettle/contract";
import { declareTypes } from "./declareTypes.js";

const read = (schema: JsonSchema, defaults = true): string => declareTypes(schema, { name: "Args", side: "read", defaults }).text;
const written = (schema: JsonSchema): string => declareTypes(schema, { name: "Output", side: "written" }).text;
/** The type of a member called `m` with this schema. */
const member = (schema: JsonSchema, more: object = {}): string => {
  const text = read({ type: "object", additionalProperties: false, required: ["m"], properties: { m: schema }, ...more }, false);
  return (/readonly m: ([\s\S]*?);\n};/.exec(text)?.[1] ?? text).replace(/\s+/g, " ");
};

test("basic types, lists of them and values", () => {
  assert.equal(member({ type: "integer" }), "number");
  assert.equal(member({ type: ["string", "null"] }), "null | string");
  assert.equal(member({ type: "array", items: { type: ["string", "number"] } }), "readonly (number | string)[]");
  assert.equal(member({ type: "array" }), "readonly Json[]");
  assert.equal(member({ type: "object" }), "JsonObject");
  assert.equal(member({ enum: [1, "a", null, { a: [true] }, []] }), '1 | "a" | null | { readonly a: readonly [true] } | readonly []');
  assert.equal(member({ const: 'x"*/\u2028' }), '"x\\"*/\\u2028"');
  assert.equal(member({ type: "string", enum: ["a", 1] }), '"a"');
  assert.equal(member({ type: "string", format: "date-time" }), "string");
});

test("a schema may be a boolean", () => {
  assert.equal(member(true), "Json");
  assert.equal(member(false), "never");
  assert.match(written({ type: "object", properties: { m: true } }), /m\?: unknown/);
});

test("nullable is no keyword of JSON Schema, so it changes nothing", () => {
  assert.equal(member({ type: "string", nullable: true }), "string");
});

test("names that are no identifiers are quoted, and doc comments can't be ended by a description", () => {
  const text = read({
    type: "object",
    additionalProperties: false,
    properties: { "x-y": { type: "string", description: "one */ two\nthree" }, __proto__: true, "": { type: "null" }, 'q"': { type: "null" } },
  });
  assert.match(text, /\/\*\*\n {3}\* one \*\\\/ two\n {3}\* three\n {3}\*\/\n {2}readonly "x-y"\?: string;/);
  assert.match(text, /readonly ""\?: null/);
  assert.match(text, /readonly "q\\""\?: null/);
});

test("an open object has members of which nothing is known; a closed one has none", () => {
  assert.match(read({ type: "object", properties: { a: { type: "string" } } }), /readonly \[key: string\]: unknown;/);
  assert.doesNotMatch(read({ type: "object", properties: { a: { type: "string" } }, additionalProperties: false }), /\[key/);
  assert.doesNotMatch(read({ type: "object", properties: { a: { type: "string" } }, unevaluatedProperties: false }), /\[key/);
  assert.match(read({ type: "object", properties: { a: { type: "string" } }, unevaluatedProperties: false, if: true, else: true }), /\[key/);
  assert.equal(member({ type: "object", additionalProperties: { type: "integer" } }), "{ readonly [key: string]: number; }");
  assert.equal(member({ type: "object", additionalProperties: false, patternProperties: { "^x": { type: "null" } } }), "{ readonly [key: string]: null; }");
  assert.equal(member({ type: "object", additionalProperties: false }), "{ readonly [key: string]: never }");
  assert.equal(
    member({ type: "object", required: ["z"], properties: { a: { type: "null" } }, additionalProperties: { type: "string" } }),
    "{ readonly a?: null; readonly z: Json; readonly [key: string]: unknown; }",
  );
});

test("references give named types, also recursive ones, those with keywords beside them, and those to any place", () => {
  const text = read({
    type: "object",
    additionalProperties: false,
    properties: {
      tree: { $ref: "#/$defs/tree-node", description: "The tree." },
      other: { allOf: [{ $ref: "#/$defs/tree-node" }, { type: "object", properties: { more: { type: "string" } } }] },
      self: { $ref: "#" },
      named: { $ref: "#here" },
      place: { $ref: "#/properties/tree" },
    },
    $defs: {
      "tree-node": { type: "object", additionalProperties: false, properties: { kids: { type: "array", items: { $ref: "#/$defs/tree-node" } } } },
      anchored: { $anchor: "here", type: "boolean" },
      Json: { type: "null" },
      unused: { type: "null" },
    },
  });
  assert.match(text, /\/\*\* The tree\. \*\/\n {2}readonly tree\?: TreeNode;/);
  assert.match(text, /readonly other\?: TreeNode & {\n {4}readonly more\?: string;/);
  assert.match(text, /readonly self\?: Args;/);
  assert.match(text, /export type Here = boolean;/);
  assert.match(text, /export type TreeNode = {\n {2}readonly kids\?: readonly TreeNode\[\];\n}/);
  assert.doesNotMatch(text, /Unused|export type Json/);
});

test("types of the same name in two schemas of a file get numbers", () => {
  const taken = new Set<string>();
  const schema: JsonSchema = { type: "object", properties: { a: { $ref: "#/$defs/item" } }, $defs: { item: { type: "string" } } };
  declareTypes(schema, { name: "Args", side: "read", taken });
  assert.match(declareTypes(schema, { name: "Output", side: "written", taken }).text, /export type Item2 = string/);
});

test("tuples are as long as prefixItems, items, minItems and maxItems say", () => {
  const two = [{ type: "string" }, { type: "number" }] as const;
  assert.equal(member({ type: "array", prefixItems: two }), "readonly [string?, number?, ...Json[]]");
  assert.equal(member({ type: "array", prefixItems: two, items: false, minItems: 2 }), "readonly [string, number]");
  assert.equal(
    member({ type: "array", prefixItems: two, items: { type: ["null", "string"] }, minItems: 1 }),
    "readonly [string, number?, ...(null | string)[]]",
  );
  assert.equal(member({ type: "array", prefixItems: two, maxItems: 1 }), "readonly [string?]");
  assert.equal(
    member({ type: "array", items: two, additionalItems: false }, { $schema: "http://json-schema.org/draft-07/schema#" }),
    "readonly [string?, number?]",
  );
});

test("branches take the type of the schema around them, and one that says nothing leaves all open", () => {
  const closed = { type: "object", properties: { a: { type: "string" }, b: { type: "string" } }, additionalProperties: false } as const;
  assert.equal(member({ ...closed, anyOf: [{ required: ["a"] }, { required: ["b"] }] }), "{ readonly a?: string; readonly b?: string; }");
  assert.equal(
    member({
      type: "object",
      oneOf: [
        { properties: { k: { const: "a" } }, required: ["k"] },
        { properties: { k: { const: "b" } }, required: ["k"] },
      ],
    }),
    '{ readonly k: "a"; readonly [key: string]: unknown; } | { readonly k: "b"; readonly [key: string]: unknown; }',
  );
  assert.equal(member({ anyOf: [{ type: "string" }, { minimum: 3 }] }), "Json");
  assert.equal(member({ anyOf: [{ type: "string" }, { type: "array", items: { type: "null" } }] }), "string | readonly null[]");
  assert.equal(member({ allOf: [{ type: "string" }, { type: "number" }] }), "string & number");
});

test("what TypeScript can't say is left open", () => {
  assert.equal(member({ not: { type: "string" } }), "Json");
  assert.equal(member({ minLength: 3 }), "Json");
  assert.equal(member({ $dynamicRef: "#x" }, { $defs: { x: { $dynamicAnchor: "x", type: "string" } } }), "Json");
  assert.equal(
    member({ type: "object", properties: { a: { type: "null" } }, dependentRequired: { a: ["b"] }, if: { required: ["a"] }, else: { required: ["c"] } }),
    "{ readonly a?: null; readonly [key: string]: unknown; }",
  );
});

test("properties without a type leave anything, and the author is told", () => {
  const text = read({ type: "object", additionalProperties: false, properties: { a: { properties: { b: { type: "string" } } } } });
  assert.match(text, /no `type`, so any value fits\. Write `type: object`/);
  assert.match(text, /readonly a\?: Json;/);
});

test("a member with a default is there, where its default fits and validation fills it in", () => {
  const schema: JsonSchema = {
    type: "object",
    properties: { a: { type: "integer", default: 3 }, bad: { type: "integer", default: "x" }, far: { $ref: "#/$defs/far" } },
    $defs: { far: { type: "string", default: "x" } },
  };
  assert.match(read(schema), /\* @default 3 \*\/\n {2}readonly a: number;/);
  assert.match(read(schema), /readonly bad\?: number;/);
  assert.match(read(schema), /readonly far: Far;/);
  assert.match(read(schema, false), /readonly a\?: number;/);
  assert.match(written(schema), /readonly a\?: number;/);
});

test("where a keyword may object to a default, members with one may be absent, and the types say why", () => {
  const properties = { a: { type: "integer", default: 3 }, b: { type: "string" } };
  for (const objector of [
    { not: { required: ["a"] } },
    { dependentRequired: { a: ["b"] } },
    { maxProperties: 1 },
    { oneOf: [{ required: ["a"] }, { required: ["b"] }] },
    { if: { required: ["a"] }, else: { required: ["b"] } },
  ]) {
    const text = read({ type: "object", properties, ...objector } as JsonSchema);
    assert.match(text, /readonly a\?: number;/, JSON.stringify(objector));
    assert.match(text, new RegExp(`\`${Object.keys(objector)[0]}\` in the schema can keep defaults`));
  }
  assert.match(read({ type: "object", properties: { ...properties, c: { oneOf: [{ type: "string" }, { type: "null" }] } } }), /readonly a: number;/);
  assert.match(read({ type: "object", properties: { ...properties, c: { not: { required: ["d"] } } } }), /readonly a: number;/);
});

test("the same schema gives the same text", () => {
  const schema: JsonSchema = { type: "object", properties: { b: { $ref: "#/$defs/y" }, a: { $ref: "#/$defs/x" } }, $defs: { x: true, y: { type: "null" } } };
  assert.equal(read(schema), read(structuredClone(schema)));
});

test("a very long list of values and a very long tuple are told by their types", () => {
  assert.equal(member({ type: "string", enum: Array.from({ length: 5_000 }, (_, i) => `v${i}`) }), "string");
  assert.equal(member({ type: "array", prefixItems: Array.from({ length: 40 }, () => ({ type: "string" })), items: false }), "readonly string[]");
});

test("a definition that is called like a global of JavaScript or TypeScript hides none", () => {
  const names = ["string", "date", "record", "URL", "line-item", "stringType"];
  const $defs = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
  const properties = Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${name}` }]));
  const { text } = declareTypes({ type: "object", properties, $defs }, { name: "Args", side: "read" });
  const exported = [...text.matchAll(/^export type (\w+)/gm)].map(([, name]) => name).filter((name) => name !== "Args");
  assert.deepEqual(exported.sort(), ["DateType", "LineItem", "RecordType", "StringType", "StringType2", "URLType"]);
});
