import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inlineRefs } from "./inlineRefs.js";

const POINT = { type: "object", properties: { x: { type: "number" } } };

describe("local references written out", () => {
  test("everywhere that a schema may stand, and the definitions go", () => {
    const ref = { $ref: "#/$defs/point" };
    const schema = {
      type: "object",
      properties: { a: ref, b: { type: "array", items: ref, prefixItems: [ref] }, c: { anyOf: [ref, { type: "null" }] } },
      not: ref,
      $defs: { point: POINT },
    };
    assert.deepEqual(inlineRefs(schema), {
      type: "object",
      properties: { a: POINT, b: { type: "array", items: POINT, prefixItems: [POINT] }, c: { anyOf: [POINT, { type: "null" }] } },
      not: POINT,
    });
  });

  test("through several steps, escaped names, definitions of draft-07 and places outside of them", () => {
    const schema = {
      properties: { a: { $ref: "#/definitions/a~1b" }, d: { $ref: "#/properties/c" }, c: { $ref: "#/definitions/per%20cent" }, e: { $ref: "#/allOf/0" } },
      allOf: [{ minProperties: 1 }],
      definitions: { "a/b": { $ref: "#/definitions/per%20cent" }, "per cent": { type: "number" } },
    };
    const number = { type: "number" };
    assert.deepEqual(inlineRefs(schema), { properties: { a: number, d: number, c: number, e: { minProperties: 1 } }, allOf: [{ minProperties: 1 }] });
  });

  test("what describes beside a reference wins, what constrains is added", () => {
    const schema = {
      properties: { a: { $ref: "#/$defs/s", description: "own" }, b: { $ref: "#/$defs/s", maxLength: 3, allOf: [{ minLength: 1 }] } },
      $defs: { s: { type: "string", description: "shared" } },
    };
    assert.deepEqual(inlineRefs(schema), {
      properties: {
        a: { type: "string", description: "own" },
        b: { maxLength: 3, allOf: [{ type: "string", description: "shared" }, { minLength: 1 }] },
      },
    });
  });

  test("data that looks like a reference stays data", () => {
    const schema = { properties: { a: { const: { $ref: "#/$defs/s" } }, b: { $ref: "#/$defs/s" } }, $defs: { s: true, t: {} } };
    assert.deepEqual(inlineRefs({ ...schema, $defs: { s: { type: "string" } } }), {
      properties: { a: { const: { $ref: "#/$defs/s" } }, b: { type: "string" } },
    });
  });

  test("references that lead back to themselves stay, with the definitions, and the others are written out", () => {
    const $defs = { node: { type: "object", properties: { next: { $ref: "#/$defs/node" }, at: { $ref: "#/$defs/point" } } }, point: POINT };
    const schema = { type: "object", properties: { list: { $ref: "#/$defs/node" }, at: { $ref: "#/$defs/point" } }, $defs };
    assert.deepEqual(inlineRefs(schema), { type: "object", properties: { list: { $ref: "#/$defs/node" }, at: POINT }, $defs });
  });

  test("what can't be written out safely comes back as it is", () => {
    const remote = { properties: { a: { $ref: "https://example.com/s" }, b: { $ref: "#/$defs/none" }, c: { $ref: "#/%zz" }, d: { $ref: "#anchor" } } };
    assert.deepEqual(inlineRefs(remote), remote);
    const nested = { properties: { a: { $ref: "#/$defs/s" }, b: { $id: "urn:other", type: "string" } }, $defs: { s: { type: "string" } } };
    assert.equal(inlineRefs(nested), nested);
    const plain = { type: "object", properties: { a: { type: "string" } } };
    assert.equal(inlineRefs(plain), plain);
  });

  test("a schema that would double twenty times comes back as it is, and soon", () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 20 }, (_, i) => [
        `d${i}`,
        i === 19 ? { type: "string" } : { anyOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] },
      ]),
    );
    const schema = { properties: { a: { $ref: "#/$defs/d0" } }, $defs };
    const start = Date.now();
    assert.equal(inlineRefs(schema), schema);
    assert.ok(Date.now() - start < 10_000);
  });
});
