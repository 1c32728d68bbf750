import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonSchema } from "@fettle/contract";
import fc from "fast-check";
import { createSchemaEngine, formatPath, nearestWord, renderProblems, showValue } from "./index.js";
import { isMultipleOf } from "./isMultipleOf.js";
import { isStaticallyLinear } from "./isStaticallyLinear.js";

const engine = createSchemaEngine({ compileAfter: 0 });
const interpreting = createSchemaEngine({ compileAfter: Number.POSITIVE_INFINITY });
const key = fc.constantFrom("a", "b", "user_id", "userId", "x y", "__proto__");

/** Values that meet the schemas below now and then. */
const value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, false, "", "5", "true", "[1]", '{"a":1}', "low", "LOW", "2026-01-01", "x@y.zz"),
    fc.integer({ min: -3, max: 12 }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.string({ maxLength: 5 }),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(key, tie("value"), { maxKeys: 3 }),
  ),
})).value;

const schema = fc.letrec<{ schema: Record<string, unknown> }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Record<string, unknown>>(
      { type: "integer", minimum: 0, maximum: 9 },
      { type: ["number", "null"] },
      { type: "string", minLength: 1 },
      { type: "boolean" },
      { enum: ["low", "high", 5, null] },
      { const: "x" },
      { type: "string", format: "date" },
      { type: "string", pattern: "^[a-z]+$" },
      { multipleOf: 0.5 },
      {},
    ),
    fc.record({ type: fc.constant("array"), items: tie("schema"), uniqueItems: fc.boolean(), maxItems: fc.integer({ min: 1, max: 3 }) }),
    fc.record({
      type: fc.constant("object"),
      properties: fc.dictionary(key, tie("schema"), { maxKeys: 3, noNullPrototype: true }),
      required: fc.uniqueArray(key, { maxLength: 2 }),
      additionalProperties: fc.oneof(fc.boolean(), tie("schema")),
    }),
    fc.record({ anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }) }),
    fc.record({ oneOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }) }),
    fc.record({ not: tie("schema") }),
    fc.record({ allOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }) }),
  ),
})).schema;

const asJson = (json: unknown): JsonSchema => JSON.parse(JSON.stringify(json));

test("whatever the schema and value: what fits stays the very value, what doesn't has a bounded message, and the caller's value never changes", () => {
  fc.assert(
    fc.property(schema, value, (anySchema, anyValue) => {
      const checked = engine.compile(asJson(anySchema));
      const input: unknown = JSON.parse(JSON.stringify(anyValue));
      const before = JSON.stringify(input);
      const strict = checked.check(input, { repair: false });
      const safe = checked.check(input);
      assert.equal(JSON.stringify(input), before);
      if (strict.valid) {
        assert.equal(strict.value, input);
        assert.ok(safe.valid && safe.value === input && safe.repairs.length === 0);
        return;
      }
      assert.ok(strict.problems.length > 0 && strict.problems.every(({ keyword }) => keyword !== "schema"), "the two ways of deciding agree");
      assert.ok(renderProblems(strict.problems).length < 9_000);
      if (!safe.valid) return;
      assert.ok(safe.repairs.length > 0, "a value that was mended says so");
      assert.ok(checked.check(safe.value, { repair: false }).valid, "a mended value is valid");
    }),
    { numRuns: 1_500 },
  );
});

test("the compiled and the interpreted way decide alike", () => {
  fc.assert(
    fc.property(schema, value, (anySchema, anyValue) => {
      const plain = asJson(anySchema);
      const input: unknown = JSON.parse(JSON.stringify(anyValue));
      assert.equal(engine.compile(plain).check(input, { repair: false }).valid, interpreting.compile(plain).check(input, { repair: false }).valid);
    }),
    { numRuns: 1_000 },
  );
});

test("a message has an upper bound, whatever the value holds", () => {
  const wide: JsonSchema = {
    type: "object",
    additionalProperties: false,
    properties: { v: { enum: ["a"] }, w: { type: "array", items: { type: "integer" } } },
  };
  fc.assert(
    fc.property(fc.dictionary(fc.string({ maxLength: 2_000 }), fc.anything({ maxDepth: 3 }), { maxKeys: 40 }), (anyValue) => {
      const result = engine.compile(wide).check({ ...anyValue, v: "y".repeat(10_000), w: Array.from({ length: 50 }, () => "z".repeat(3_000)) });
      assert.ok(!result.valid && renderProblems(result.problems).length < 9_000);
    }),
    { numRuns: 200 },
  );
});

test("a shown value is short and stays whole characters", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "grapheme", maxLength: 300 }), value), (anyValue) => {
      const shown = showValue(anyValue);
      assert.ok(shown.length <= 400, shown);
      assert.doesNotThrow(() => encodeURIComponent(shown), "no half of a surrogate pair is left");
    }),
  );
});

test("every two-decimal price is a multiple of a cent", () => {
  for (let cents = 0; cents <= 10_000; cents += 1) assert.ok(isMultipleOf(cents / 100, 0.01), String(cents));
});

test("a path is written as JavaScript writes it", () => {
  assert.equal(formatPath(["items", 0, "quantity"]), "items[0].quantity");
  assert.equal(formatPath(["headers", "x y", 2]), 'headers["x y"][2]');
  assert.equal(formatPath([]), "");
});

test("a word is near up to a third of its letters, case aside", () => {
  assert.equal(nearestWord("urgnet", ["low", "urgent"]), "urgent");
  assert.equal(nearestWord("REF", ["ref"]), "ref");
  assert.equal(nearestWord("brnch", ["ref", "path"]), undefined);
  assert.equal(nearestWord("", ["a"]), undefined);
  assert.equal(nearestWord("x".repeat(200), ["x".repeat(199)]), undefined);
});

test("what is called linear is linear", () => {
  const atom = fc.constantFrom("a", "[ab]", "[^a]", "\\d", ".", "b", "\\s", "(a|b)", "(?:a+b)", "(?:b[ab]+)", "(a-)");
  const repeat = fc.constantFrom("", "", "*", "+", "?", "{1,3}", "{2,}");
  const pattern = fc.tuple(fc.constantFrom("", "^"), fc.array(fc.tuple(atom, repeat), { minLength: 1, maxLength: 5 }), fc.constantFrom("", "$"));
  const texts = ["a".repeat(3_000), "ab".repeat(1_500), " ".repeat(3_000), "1".repeat(3_000)];
  fc.assert(
    fc.property(pattern, ([start, parts, end]) => {
      const source = `${start}${parts.map(([a, r]) => a + r).join("")}${end}`;
      if (!isStaticallyLinear(source)) return;
      const native = new RegExp(source, "u");
      const started = performance.now();
      for (const text of texts) native.test(`${text}!`);
      assert.ok(performance.now() - started < 5_000, source);
    }),
    { numRuns: 500 },
  );
});
