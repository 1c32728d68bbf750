import assert from "node:assert/strict";
import { test } from "node:test";
import type { ToolSpec } from "@fettle/contract";
import { createSchemaEngine, type SchemaEngine } from "@fettle/schema";
import { testSpec } from "@fettle/testkit";
import { examplesFit } from "./examplesFit.js";
import { partialSchema } from "./partialSchema.js";

const engine = createSchemaEngine();
const parameters = {
  type: "object",
  additionalProperties: false,
  required: ["word"],
  properties: { word: { type: "string" }, limit: { type: "integer", maximum: 10 } },
};
const output = {
  type: "object",
  required: ["entries"],
  properties: {
    entries: { type: "array", items: { type: "object", required: ["word", "score"], properties: { word: { type: "string" }, score: { type: "number" } } } },
  },
};

function placesOf(
  example: Readonly<Record<string, unknown>>,
  fields: Readonly<Record<string, unknown>> = { parameters, output },
  on: SchemaEngine = engine,
): readonly string[] {
  const whole = { description: "A call", category: "basic", input: { word: "set" }, verify: "subset", ...example };
  const spec = testSpec("probe", { ...fields, examples: [whole] }) as unknown as ToolSpec;
  return [...examplesFit(spec, on)].map(({ code, path = [], at }) => `${code} ${path.join(".")}${at === "key" ? " (key)" : ""}`);
}

test("every problem of an input is reported at its place", () => {
  assert.deepEqual(placesOf({ input: { word: 1, limit: 11, language: "en" } }).toSorted(), [
    "example/input-mismatch examples.0.input.language (key)",
    "example/input-mismatch examples.0.input.limit",
    "example/input-mismatch examples.0.input.word",
  ]);
  assert.deepEqual(placesOf({ input: {} }), ["example/input-mismatch examples.0.input"]);
});

test("an input isn't repaired: what an example shows is sent as it stands", () => {
  assert.deepEqual(placesOf({ input: { word: "set", limit: "3" } }), ["example/input-mismatch examples.0.input.limit"]);
});

test("a negative example may have any input", () => {
  assert.deepEqual(placesOf({ category: "negative", input: { limit: 99 }, error: { error_type: "input_error" } }), []);
});

test("a part of an output fits, a wrong part doesn't", () => {
  assert.deepEqual(placesOf({ output: {} }), []);
  assert.deepEqual(placesOf({ output: { entries: [{ word: "set" }] } }), []);
  assert.deepEqual(placesOf({ output: { entries: [{ word: 7 }] } }), ["example/output-mismatch examples.0.output.entries.0.word"]);
});

test("an exact output is whole, one that isn't compared is anything", () => {
  assert.deepEqual(placesOf({ output: { entries: [{ word: "set" }] }, verify: "exact" }), ["example/output-mismatch examples.0.output.entries.0"]);
  assert.deepEqual(placesOf({ output: { entries: 7 }, verify: "none" }), []);
  assert.deepEqual(placesOf({ verify: "schema" }), []);
});

test("without an output schema, or with one that the engine refuses, nothing is said", () => {
  assert.deepEqual(placesOf({ output: "text" }, { parameters }), []);
  const refusing: SchemaEngine = { ...engine, admit: () => [{ severity: "error", code: "schema/ref-loop", path: [], message: "m" }] };
  assert.deepEqual(placesOf({ input: { word: 7 }, output: { entries: 7 } }, { parameters, output }, refusing), []);
});

test("a partial schema keeps types and limits and demands nothing", () => {
  assert.deepEqual(
    partialSchema({
      type: "object",
      required: ["a"],
      minProperties: 1,
      properties: { required: { type: "string", minLength: 2 }, b: true },
      $defs: { c: { required: ["d"], enum: [{ required: 1 }] } },
      items: { required: ["e"] },
      allOf: [{ required: ["f"], maximum: 3 }],
      oneOf: [{ required: ["g"] }, false],
      if: { required: ["h"] },
      unevaluatedProperties: false,
    }),
    {
      type: "object",
      properties: { required: { type: "string", minLength: 2 }, b: true },
      $defs: { c: { enum: [{ required: 1 }] } },
      items: {},
      allOf: [{ maximum: 3 }],
      anyOf: [{}, false],
    },
  );
  assert.equal(partialSchema(true), true);
});
