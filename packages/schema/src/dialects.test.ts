import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json, JsonSchema } from "@fettle/contract";
import { createSchemaEngine } from "./index.js";

const engine = createSchemaEngine({ compileAfter: 0 });
const interpreting = createSchemaEngine();
const fits = (schema: JsonSchema, value: Json): boolean => {
  const { valid } = engine.compile(schema).check(value, { repair: false });
  assert.equal(interpreting.compile(schema).check(value, { repair: false }).valid, valid, "compiled and interpreted, it is the same");
  return valid;
};
const draft07 = (schema: Record<string, Json>): JsonSchema => ({ $schema: "http://json-schema.org/draft-07/schema#", ...schema });

// What validators get wrong, by the meaning of the specification.
const cases: readonly (readonly [title: string, schema: JsonSchema, good: readonly Json[], bad: readonly Json[]])[] = [
  [
    "draft-07 tuples",
    draft07({ items: [{ type: "string" }, { type: "integer" }], additionalItems: false }),
    [["x", 1], ["x"], 5],
    [
      ["x", "y"],
      ["x", 1, 2],
    ],
  ],
  [
    "draft-07 ignores what stands beside $ref",
    draft07({ properties: { t: { $ref: "#/definitions/T", maxItems: 1 } }, definitions: { T: { type: "array" } } }),
    [{ t: [1, 2] }],
    [{ t: 1 }],
  ],
  ["2020-12 doesn't", { properties: { t: { $ref: "#/$defs/T", maxItems: 1 } }, $defs: { T: { type: "array" } } }, [{ t: [1] }], [{ t: [1, 2] }]],
  ["draft-07 dependencies", draft07({ dependencies: { a: ["b"], c: { required: ["d"] } } }), [{}, { a: 1, b: 1 }], [{ a: 1 }, { c: 1 }]],
  [
    "draft-07 by https and without #",
    { $schema: "https://json-schema.org/draft-07/schema", definitions: { a: { $id: "#x", type: "string" } }, properties: { v: { $ref: "#x" } } },
    [{ v: "" }],
    [{ v: 1 }],
  ],
  ["nullable means nothing", { type: "object", properties: { a: { type: "string", nullable: true } } }, [{ a: "x" }], [{ a: null }]],
  [
    "prototype names are keys like others",
    { type: "object", required: ["constructor"], properties: { toString: { type: "integer" } } },
    [{ constructor: 1 }],
    [{}, { constructor: 1, toString: "x" }],
  ],
  [
    "__proto__ is a key like others",
    JSON.parse('{"type":"object","properties":{"__proto__":{"type":"integer"}},"required":["__proto__"]}'),
    [JSON.parse('{"__proto__":1}')],
    [{}, JSON.parse('{"__proto__":"x"}')],
  ],
  [
    "an if without then still evaluates",
    { if: { properties: { kind: { const: "a" } }, required: ["kind"] }, unevaluatedProperties: false },
    [{ kind: "a" }],
    [{ kind: "b" }],
  ],
  ["items that some contains evaluated", { contains: { type: "string" }, unevaluatedItems: { type: "integer" } }, [["a", 1]], [["a", null]]],
  [
    "unevaluated through anyOf",
    { anyOf: [{ properties: { a: true }, required: ["a"] }, { properties: { b: true } }], unevaluatedProperties: false },
    [{ a: 1, b: 1 }, { b: 1 }],
    [{ c: 1 }],
  ],
  [
    "unevaluated by a schema",
    { prefixItems: [true], unevaluatedItems: { type: "string" }, unevaluatedProperties: { type: "integer" } },
    [[1, "a"], { a: 1 }],
    [[1, 2], { a: "x" }],
  ],
  [
    "anchors and ids inside",
    {
      $id: "https://a.example/root",
      properties: { v: { $ref: "inner#name" }, w: { $ref: "/inner" } },
      $defs: { i: { $id: "inner", type: "object", $defs: { n: { $anchor: "name", type: "string" } } } },
    },
    [{ v: "x", w: {} }],
    [{ v: 1 }, { w: 1 }],
  ],
  [
    "dynamic references",
    {
      $id: "https://a.example/strict",
      $dynamicAnchor: "node",
      $ref: "tree",
      unevaluatedProperties: false,
      $defs: { tree: { $id: "tree", $dynamicAnchor: "node", type: "object", properties: { data: true, kids: { items: { $dynamicRef: "#node" } } } } },
    },
    [{ kids: [{ data: 1 }] }],
    [{ kids: [{ daat: 1 }] }],
  ],
  [
    "a dynamic reference without a dynamic anchor is a plain one",
    { properties: { v: { $dynamicRef: "#/$defs/s" } }, $defs: { s: { type: "string" } } },
    [{ v: "x" }],
    [{ v: 1 }],
  ],
  ["the meta-schema as a schema", { $ref: "https://json-schema.org/draft/2020-12/schema" }, [{ type: "string" }, true], [{ type: 1 }]],
  ["an empty enum", { enum: [] }, [], [1, null]],
  ["multiples in decimals", { multipleOf: 0.01 }, [0.07, 9.95, 100, 1e300], [0.0751, 1e-9]],
  ["equal numbers and unequal types", { enum: [0, [false], { a: 1 }] }, [0, [false], { a: 1.0 }], [false, [0], { a: 1, b: 1 }, [false, 1]]],
  [
    "unique items by value",
    { uniqueItems: true },
    [[1, "1", true, [1], [true], { a: 1 }, { a: "1" }]],
    [
      [0, -0],
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      [[], []],
    ],
  ],
  ["pointers with escapes", { properties: { a: { $ref: "#/$defs/x~1y%25" } }, $defs: { "x/y%": { type: "string" } } }, [{ a: "" }], [{ a: 1 }]],
  [
    "a place that only a reference makes a schema",
    { properties: { a: { $ref: "#/x-shared/s" } }, "x-shared": { s: { type: "string" } } },
    [{ a: "" }],
    [{ a: 1 }],
  ],
  ["minContains of none", { contains: { const: 1 }, minContains: 0, maxContains: 1 }, [[], [1], [2]], [[1, 1]]],
  ["else", { if: { type: "string" }, else: { minimum: 3 } }, ["", 3], [2]],
  ["dependentSchemas", { dependentSchemas: { a: { required: ["b"] } } }, [{}, { a: 1, b: 1 }], [{ a: 1 }]],
  ["boolean schemas", { properties: { yes: true, no: false } }, [{ yes: 1 }], [{ no: 1 }]],
];

for (const [title, schema, good, bad] of cases) {
  test(title, () => {
    for (const value of good) assert.ok(fits(schema, value), `${JSON.stringify(value)} fits`);
    for (const value of bad) assert.ok(!fits(schema, value), `${JSON.stringify(value)} doesn't fit`);
  });
}

test("two schemas with one $id are kept apart", () => {
  const one: JsonSchema = { $id: "https://a.example/s", type: "string" };
  const other: JsonSchema = { $id: "https://a.example/s", type: "integer" };
  assert.ok(fits(one, "x") && fits(other, 1) && !fits(one, 1) && !fits(other, "x"));
});

test("equal schemas are compiled once, and nothing before its first value", () => {
  const fresh = createSchemaEngine();
  const make = (): JsonSchema => ({ type: "object", properties: { n: { type: "integer" } } });
  const started = performance.now();
  const all = Array.from({ length: 1_000 }, (_, i) => fresh.compile({ ...Object(make()), description: String(i) }));
  assert.ok(performance.now() - started < 10_000, "a thousand schemas are ready at once");
  assert.ok(all[0]?.check({ n: 1 }).valid);
  assert.ok(fresh.compile(make()).check({ n: 1 }).valid && fresh.compile(make()).check({ n: 2 }).valid);
});

const formats: readonly (readonly [format: string, good: readonly string[], bad: readonly string[]])[] = [
  ["date", ["2026-12-31", "2024-02-29"], ["2026-02-30", "31/12/2026", "tomorrow", ""]],
  ["date-time", ["2025-10-22T15:50:22Z", "2025-10-22t15:50:22.5+01:00"], ["2026-05-21", "1761148222", "2025-10-22 15:50:22Z", "2025-10-22T15:50:22"]],
  [
    "date-time",
    ["2024-02-29T00:00:00Z", "2026-01-31T09:05:59.123-23:59", "2016-12-31T23:59:60Z", "0000-01-01T00:00:00Z"],
    ["2026-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "2026-13-01T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-01T24:00:00Z"],
  ],
  ["date-time", [], ["2026-01-01T10:60:00Z", "2026-01-01T10:00:60Z", "2026-01-01T10:00:00+24:00", "2026-01-01T10:00:00Z\n", "2026-01-01T10:00:00.Z"]],
  ["time", ["23:59:59Z"], ["24:00:00Z", "noon"]],
  ["duration", ["P1DT12H"], ["1 day"]],
  ["email", ["ada@example.org"], ["ada at example", `${"a".repeat(400)}@example.org`]],
  ["uuid", ["2eb8aa08-aa98-11ea-b4aa-73b441d16380"], ["2eb8aa08aa9811eab4aa73b441d16380", "urn:uuid:2eb8aa08-aa98-11ea-b4aa-73b441d16380"]],
  ["ipv4", ["192.0.2.1"], ["256.1.1.1"]],
  ["ipv6", ["2001:db8::1"], ["12345::"]],
  ["hostname", ["www.example.org"], ["-bad-.example"]],
  ["uri", ["https://example.com/a?b=1#c", "mailto:desk@example.com"], ["/relative", "not a uri"]],
  ["regex", ["^a+$"], ["("]],
  ["uint64", ["anything"], []],
];

for (const [format, good, bad] of formats) {
  test(`format ${format}`, () => {
    for (const value of good) assert.ok(fits({ format }, value), value);
    for (const value of bad) assert.ok(!fits({ format }, value), value);
    for (const value of [...good, ...bad]) assert.ok(engine.compile({ format }).check(value, { formats: false }).valid);
  });
}
