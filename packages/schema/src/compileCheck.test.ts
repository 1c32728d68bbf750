import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json, JsonSchema } from "@fettle/contract";
import fc from "fast-check";
import { compileCheck } from "./compileCheck.js";
import { createSchemaEngine } from "./index.js";
import { measure } from "./measure.js";
import { SchemaIndex } from "./schemaIndex.js";
import { SchemaNodes } from "./schemaNode.js";
import { type Dialect, dialectOf } from "./subschemas.js";

const LIMITS = { depth: 64, bytes: 1024 * 1024 };
const PLAIN = { repair: false, defaults: false } as const;
const evaluating = createSchemaEngine({ compileAfter: Number.POSITIVE_INFINITY });

function compile(schema: JsonSchema, limits: typeof LIMITS = LIMITS): (value: unknown) => boolean {
  const dialect: Dialect = dialectOf(schema) ?? "2020-12";
  return compileCheck(new SchemaNodes(new SchemaIndex(schema, dialect)), schema, { formats: true, exactIntegers: true, limits }).fits;
}

const KEYS = ["a", "b", "x y", "constructor", "toString", "__proto__", '"];`${b}\\\u2028'];
const key = fc.constantFrom(...KEYS);
const few = fc.nat({ max: 3 });

const json = (value: unknown): Json => JSON.parse(JSON.stringify(value));

const values = fc
  .letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom<Json>(null, true, false, "", "a", "ab", "😀", "😀😀", "2026-01-01", ...KEYS, 0, 1, 2.5, -1, 0.07, 1e300, 2 ** 53),
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(key, tie("value"), { maxKeys: 4 }),
    ),
  }))
  .value.map(json);

const schemas = fc
  .letrec<{ schema: unknown; keyword: object }>((tie) => {
    const inner = tie("schema");
    const list = fc.array(inner, { minLength: 1, maxLength: 3 });
    const table = fc.dictionary(key, inner, { maxKeys: 3 });
    const keyword = (entries: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<object> => fc.record(entries, { requiredKeys: [] });
    return {
      schema: fc.oneof(
        { maxDepth: 3 },
        fc.boolean(),
        fc.constant({ $ref: "#" }),
        fc.constant({ $ref: "#/$defs/text" }),
        fc.tuple(tie("keyword"), tie("keyword")).map(([one, other]) => ({ ...one, ...other })),
      ),
      keyword: fc.oneof(
        keyword({
          type: fc.constantFrom("string", "number", "integer", "boolean", "null", "array", "object", ["integer", "number"], ["array", "null", "string"]),
        }),
        keyword({ const: values }),
        keyword({ enum: fc.array(values, { maxLength: 3 }) }),
        keyword({ minimum: few, exclusiveMaximum: few, multipleOf: fc.constantFrom(0.01, 1, 2) }),
        keyword({ minLength: few, maxLength: few, pattern: fc.constantFrom("^a", "(a+)+$", '"];'), format: fc.constantFrom("date", "email", "unknown") }),
        keyword({ properties: table, required: fc.uniqueArray(key, { maxLength: 2 }), additionalProperties: fc.oneof(fc.constant(false), inner) }),
        keyword({
          patternProperties: fc.dictionary(fc.constantFrom("^a", "o", "_"), inner, { maxKeys: 2 }),
          additionalProperties: fc.oneof(fc.constant(false), inner),
        }),
        keyword({ minProperties: few, maxProperties: few, propertyNames: inner }),
        keyword({ dependentRequired: fc.dictionary(key, fc.array(key, { maxLength: 2 }), { maxKeys: 2 }), dependentSchemas: table }),
        keyword({ prefixItems: list, items: inner, minItems: few, maxItems: few, uniqueItems: fc.boolean() }),
        keyword({ contains: inner, minContains: few, maxContains: few, items: inner }),
        keyword({ allOf: list, anyOf: list }),
        keyword({ oneOf: list, not: inner }),
        // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema.
        keyword({ if: inner, then: inner, else: inner }),
      ),
    };
  })
  .keyword.map((schema) => json({ ...schema, $defs: { text: { type: "string", maxLength: 2 } } }) as JsonSchema);

test("it says of a JSON value what the evaluator says, whatever the schema, and of one that is too large that it isn't sure", () => {
  let fitting = 0;
  fc.assert(
    fc.property(schemas, fc.array(values, { minLength: 4, maxLength: 4 }), (schema, sent) => {
      if (evaluating.admit(schema).some(({ severity }) => severity === "error")) return;
      const check = compile(schema);
      for (const value of sent) {
        const said = check(value);
        assert.equal(said, evaluating.compile(schema).check(value, PLAIN).valid);
        if (!said) continue;
        fitting += 1;
        const { bytes } = measure(value, LIMITS);
        assert.equal(compile(schema, { ...LIMITS, bytes: bytes - 1 })(value), false, "what is too large isn't let through");
      }
    }),
    { numRuns: 4_000 },
  );
  assert.ok(fitting > 1_000, String(fitting));
});

test("what is wrong with a value is told alike, whether the compiled check passes over what fits or not", () => {
  const compiling = createSchemaEngine({ compileAfter: 0 });
  fc.assert(
    fc.property(schemas, fc.array(values, { minLength: 4, maxLength: 4 }), (schema, sent) => {
      if (evaluating.admit(schema).some(({ severity }) => severity === "error")) return;
      for (const value of sent) {
        for (const options of [{}, PLAIN]) assert.deepEqual(compiling.compile(schema).check(value, options), evaluating.compile(schema).check(value, options));
      }
    }),
    { numRuns: 1_000 },
  );
});

test("draft-07 has its own keywords, and ignores what is beside a reference", () => {
  const draft07 = (schema: Record<string, Json>): ((value: unknown) => boolean) => compile({ $schema: "http://json-schema.org/draft-07/schema#", ...schema });
  const tuple = draft07({ type: "array", items: [{ type: "integer" }], additionalItems: { type: "string" }, contains: { const: "a" } });
  assert.deepEqual([[1, "a"], [1, 2], ["a"], [1]].map(tuple), [true, false, false, false]);
  const dependent = draft07({ dependencies: { a: ["b"], c: { required: ["d"] } } });
  assert.deepEqual([{ a: 1, b: 1 }, { a: 1 }, { c: 1 }, { c: 1, d: 1 }].map(dependent), [true, false, false, true]);
  assert.equal(draft07({ properties: { n: { $ref: "#/definitions/n", maximum: 1 } }, definitions: { n: { type: "integer" } } })({ n: 2 }), true);
});

test("a value at the limits passes, and one beyond them doesn't, whether its schema describes it or not", () => {
  const described: JsonSchema = {
    $ref: "#/$defs/node",
    $defs: {
      node: { type: "object", additionalProperties: false, properties: { text: { type: "string" }, list: { type: "array", items: { $ref: "#/$defs/node" } } } },
    },
  };
  const nested = (levels: number): Json => (levels < 2 ? {} : { list: [nested(levels - 2)] });
  for (const schema of [described, {}, { type: "object" }, { additionalProperties: true }, { allOf: [{}] }] satisfies JsonSchema[]) {
    const check = compile(schema, { depth: 8, bytes: 200 });
    assert.deepEqual([nested(7), nested(9)].map(check), [true, false], JSON.stringify(schema));
    // 2 for the braces, 8 for the key, 3 for the quotes and what stands behind.
    assert.equal(check({ text: "x".repeat(180) }), true, JSON.stringify(schema));
    assert.equal(check({ text: "x".repeat(190) }), false, JSON.stringify(schema));
  }
  const loop: Record<string, unknown> = {};
  loop["list"] = [loop];
  assert.equal(compile(described)(loop), false);
});

test("it gives up on what takes too long, and on what isn't JSON", () => {
  const list: Json = { type: "array", items: { $ref: "#" } };
  const often: JsonSchema = { anyOf: [list, { ...list }] };
  let deep: Json = [1];
  for (let i = 0; i < 50; i += 1) deep = [deep];
  const started = performance.now();
  assert.equal(compile(often)(deep), false);
  assert.ok(performance.now() - started < 10_000);
  assert.equal(compile({ not: { type: "object", additionalProperties: false } })({ a: undefined }), false);
  for (const value of [undefined, () => 1, Symbol("a"), 1n]) assert.equal(compile({})(value), false);
});
