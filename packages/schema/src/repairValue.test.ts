import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json, JsonSchema } from "@fettle/contract";
import { createSchemaEngine } from "./index.js";

const engine = createSchemaEngine({ compileAfter: 0 });
const open = (properties: Record<string, Json>, more: Record<string, Json> = {}): JsonSchema => ({ type: "object", properties, ...more });
const closed = (properties: Record<string, Json>, more: Record<string, Json> = {}): JsonSchema => open(properties, { additionalProperties: false, ...more });

const point = open({ x: { type: "integer" } }, { required: ["x"] });
const nullable: Json = { anyOf: [{ type: "array", items: { type: "integer" } }, { type: "null" }] };

const mended: readonly (readonly [title: string, schema: JsonSchema, value: unknown, expected: Json, repairs: Json])[] = [
  ["the text of an array", open({ v: { type: "array" } }), { v: "[1, 2]" }, { v: [1, 2] }, [{ path: "v", from: "[1, 2]", to: [1, 2] }]],
  [
    "the text of an object behind a reference, and a number inside of it",
    open({ v: { $ref: "#/$defs/p" } }, { $defs: { p: Object(point) } }),
    { v: '{"x":"1"}' },
    { v: { x: 1 } },
    [
      { path: "v", from: '{"x":"1"}', to: { x: "1" } },
      { path: "v.x", from: "1", to: 1 },
    ],
  ],
  ["the text of an array for a nullable union", open({ v: nullable }), { v: "[1]" }, { v: [1] }, [{ path: "v", from: "[1]", to: [1] }]],
  ["the text of the whole value", open({ a: {} }), '{"a":"x"}', { a: "x" }, [{ path: "", from: '{"a":"x"}', to: { a: "x" } }]],
  ["null for the whole value", open({}), null, {}, [{ path: "", from: null, to: {} }]],
  [
    "numbers and booleans in quotes",
    open({ n: { type: "integer" }, m: { type: "number" }, b: { type: "boolean" } }),
    { n: "-5", m: "1.50", b: "true" },
    { n: -5, m: 1.5, b: true },
    [
      { path: "n", from: "-5", to: -5 },
      { path: "m", from: "1.50", to: 1.5 },
      { path: "b", from: "true", to: true },
    ],
  ],
  [
    "a number in quotes for an enum or const of numbers",
    open({ v: { enum: [1, 2] }, w: { const: 3 } }),
    { v: "2", w: "3" },
    { v: 2, w: 3 },
    [
      { path: "v", from: "2", to: 2 },
      { path: "w", from: "3", to: 3 },
    ],
  ],
  ["an integer for an argument that takes only a string", open({ s: { type: "string" } }), { s: 1 }, { s: "1" }, [{ path: "s", from: 1, to: "1" }]],
  [
    "null for a member that isn't required, nested too",
    open({ a: { type: "string" }, f: point }),
    { a: null, f: { x: 1, y: 1 } },
    { f: { x: 1, y: 1 } },
    [{ path: "a", from: null }],
  ],
  ["null for a member with a default", open({ n: { type: "integer", default: 3 } }), { n: null }, { n: 3 }, [{ path: "n", from: null }]],
  ["the empty text for an optional date", open({ d: { type: "string", format: "date" } }), { d: "" }, {}, [{ path: "d", from: "" }]],
  [
    "a key in another convention",
    closed({ resourceType: {} }, { required: ["resourceType"] }),
    { resource_type: "pods" },
    { resourceType: "pods" },
    [{ path: "resource_type", from: "resource_type", to: "resourceType" }],
  ],
  ["a key in quotes of its own", closed({ q: {} }), { '"q"': 1 }, { q: 1 }, [{ path: '["\\"q\\""]', from: '"q"', to: "q" }]],
  [
    "a key in another convention in an open object",
    open({ "max-items": {} }, { required: ["max-items"] }),
    { maxItems: 3 },
    { "max-items": 3 },
    [{ path: "maxItems", from: "maxItems", to: "max-items" }],
  ],
  [
    "keys that clients add",
    closed({ q: {} }),
    { q: "x", _meta: { progressToken: 1 }, toolCallId: "c" },
    { q: "x" },
    [
      { path: "_meta", from: { progressToken: 1 } },
      { path: "toolCallId", from: "c" },
    ],
  ],
  ["an enum value in another case", open({ p: { enum: ["low", "high"] } }), { p: "LOW" }, { p: "low" }, [{ path: "p", from: "LOW", to: "low" }]],
  ["a missing member that has a default", open({ max: { type: "integer", default: 10 } }, { required: ["max"] }), {}, { max: 10 }, [{ path: "max", to: 10 }]],
  [
    "a long text is reported in part",
    open({ v: { type: "array" } }),
    { v: JSON.stringify(["x".repeat(500)]) },
    { v: ["x".repeat(500)] },
    [{ path: "v", from: `["${"x".repeat(197)}…`, to: `["${"x".repeat(197)}…` }],
  ],
];

for (const [title, schema, value, expected, repairs] of mended) {
  test(`mended: ${title}`, () => {
    const before = JSON.stringify(value);
    const result = engine.compile(schema).check(value);
    assert.ok(result.valid, result.valid ? "" : result.problems.map(({ message }) => message).join("; "));
    assert.deepEqual(result.value, expected);
    assert.deepEqual(result.repairs, repairs);
    assert.equal(JSON.stringify(value), before, "the caller's value is unchanged");
  });
}

const integer = open({ n: { type: "integer" } });
const flag = open({ b: { type: "boolean" } });

const refused: readonly (readonly [title: string, schema: JsonSchema, value: unknown])[] = [
  ...["0x10", "0123", "1e3", "1,000", " 5", "+5", "NaN", "Infinity", "-0", "12px", "3.5", "", "725653563933458432", "null"].map(
    (n) => [`the text ${JSON.stringify(n)} for an integer`, integer, { n }] as const,
  ),
  ...["True", "yes", "1", "", "off"].map((b) => [`the text ${JSON.stringify(b)} for a boolean`, flag, { b }] as const),
  ["1 for a boolean", flag, { b: 1 }],
  ["null for a required number", open({ n: { type: "integer" } }, { required: ["n"] }), { n: null }],
  ["null for a required number with a default", open({ n: { type: "integer", default: 3 } }, { required: ["n"] }), { n: null }],
  ["null where nullable was written", open({ s: { type: "string", nullable: true } }), { s: null }],
  ["null in a list", open({ v: { type: "array", items: { type: "string" } } }), { v: ["a", null] }],
  ["a boolean for a string", open({ s: { type: "string" } }), { s: true }],
  ["a number for a string deeper in", open({ v: point, w: { type: "array", items: { type: "string" } } }), { w: [1] }],
  ["a number that lost digits for a string", open({ s: { type: "string" } }), JSON.parse('{"s":1917043659912705296}')],
  ["a fraction for a string", open({ s: { type: "string" } }), { s: 1.5 }],
  ["a text that was encoded twice", open({ v: { type: "object" } }), { v: JSON.stringify(JSON.stringify({ a: 1 })) }],
  ["the text of an array for an object", open({ v: { type: "object" } }), { v: "[1]" }],
  ["the text of Python", open({ v: { type: "array" } }), { v: "['a']" }],
  ["two spellings of one key", closed({ i_cal_uid: {} }), { iCalUid: "a", iCalUID: "b" }],
  ["another convention of a key that is there", closed({ user_id: {} }), { user_id: 1, userId: 2 }],
  ["a client's key deeper in", closed({ q: Object(closed({})) }), { q: { _meta: 1 } }],
  ["an enum whose values differ only by case", open({ f: { enum: ["markdown", "MARKDOWN"] } }), { f: "Markdown" }],
  ["the empty text for a required date", open({ d: { format: "date" } }, { required: ["d"] }), { d: "" }],
  ["an empty text that is too short", open({ s: { type: "string", minLength: 1 } }), { s: "" }],
  ["an array for the whole value", open({}), []],
  ["a value of which only a part can be mended", open({ n: { type: "integer" }, m: { type: "integer" } }), { n: "5", m: "x" }],
];

for (const [title, schema, value] of refused) {
  test(`never mended: ${title}`, () => {
    const before = JSON.stringify(value);
    const result = engine.compile(schema).check(value);
    assert.equal(result.valid, false, JSON.stringify(result));
    assert.equal(JSON.stringify(result.value), before);
  });
}

test("a valid value is never mended, whatever it looks like", () => {
  const schema = open({ v: { anyOf: [{ type: "string" }, { type: "array" }] }, any: {}, s: { type: "string" } });
  const value = { v: '["a"]', any: "[1]", s: "5" };
  const result = engine.compile(schema).check(value);
  assert.ok(result.valid);
  assert.equal(result.value, value, "it is the very same value");
  assert.deepEqual(result.repairs, []);
});

test("a key of a pattern is no client's key", () => {
  const schema = closed({ n: { type: "integer" } }, { patternProperties: { "^_": {} } });
  const result = engine.compile(schema).check({ _keep: 1, n: "5" });
  assert.ok(result.valid);
  assert.deepEqual(result.value, { _keep: 1, n: 5 });
});

test("more than twenty misplaced quotes are mended too", () => {
  const result = engine.compile({ type: "array", items: { type: "integer" } }).check(Array.from({ length: 100 }, (_, i) => String(i)));
  assert.ok(result.valid);
  assert.equal(result.repairs.length, 100);
});

test("defaults are filled in, nested too, without touching the value or the schema", () => {
  const opts = open({ verbose: { type: "boolean", default: false }, tags: { type: "array", default: ["a"] } });
  const schema = open(
    { name: {}, opts: Object(opts), list: { type: "array", items: { $ref: "#/$defs/o" } }, map: { additionalProperties: { $ref: "#/$defs/o" } } },
    { $defs: { o: Object(opts) } },
  );
  const value = Object.freeze({
    name: "x",
    opts: Object.freeze({}),
    list: Object.freeze([Object.freeze({ verbose: true })]),
    map: Object.freeze({ k: Object.freeze({}) }),
  });
  const first = engine.compile(schema).check(value);
  assert.ok(first.valid);
  const full = { verbose: false, tags: ["a"] };
  assert.deepEqual(first.value, { name: "x", opts: full, list: [{ ...full, verbose: true }], map: { k: full } });
  assert.deepEqual(first.repairs, []);
  Object(first.value).opts.tags.push("poison");
  const second = engine.compile(schema).check({ opts: {} });
  assert.ok(second.valid);
  assert.deepEqual(second.value, { opts: full });
});

test("defaults come from allOf, tuples and the branch that fits, and not where they would do harm", () => {
  const schema = open(
    {
      u: { oneOf: [open({ k: { const: "a" }, n: { default: 1 } }, { required: ["k"] }), open({ k: { const: "b" }, n: { default: 2 } }, { required: ["k"] })] },
      t: { prefixItems: [open({ p: { default: 0 } })] },
      bad: { type: "integer", default: "not one" },
    } as Record<string, Json>,
    { allOf: [open({ z: { default: true } })] as Json },
  );
  const result = engine.compile(schema).check({ u: { k: "b" }, t: [{}, {}] });
  assert.ok(result.valid);
  assert.deepEqual(result.value, { u: { k: "b", n: 2 }, t: [{ p: 0 }, {}], z: true });
  const entangled = open({ a: { default: 1 }, b: {} }, { dependentRequired: { a: ["b"] } });
  assert.deepEqual(engine.compile(entangled).check({}).value, {});
  assert.deepEqual(engine.compile(entangled).check({}, { defaults: false }).value, {});
});

test("a member called __proto__ stays a member, and no prototype changes", () => {
  const schema: JsonSchema = JSON.parse('{"type":"object","properties":{"n":{"type":"integer"},"d":{"default":1}},"additionalProperties":{"type":"string"}}');
  const result = engine.compile(schema).check(JSON.parse('{"__proto__":"x","constructor":"y","n":"5"}'));
  assert.ok(result.valid);
  assert.deepEqual(Object.entries(Object(result.value)).sort(), [
    ["__proto__", "x"],
    ["constructor", "y"],
    ["d", 1],
    ["n", 5],
  ]);
  assert.equal(Object.getPrototypeOf(result.value), Object.prototype);
});
