import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json, JsonSchema } from "@fettle/contract";
import { createSchemaEngine } from "./index.js";

const engine = createSchemaEngine({ compileAfter: 0 });
const open = (properties: Record<string, Json>): Record<string, Json> => ({ type: "object", properties });

function told(schema: JsonSchema, value: unknown): readonly string[] {
  const result = engine.compile(schema).check(value);
  return result.valid ? [] : result.problems.map(({ message }) => message);
}

test("a value that is too deep, too large or holds itself is refused before anything looks at it", () => {
  const deep = JSON.parse(`{"a":${"[".repeat(100)}${"]".repeat(100)}}`);
  assert.deepEqual(told(open({}), deep), ["the arguments are nested more than 64 levels deep. Send a flatter value"]);
  assert.deepEqual(told(open({}), { s: "x".repeat(2_000_000) }), ["the arguments are larger than 1024 KiB. Send less, or in several calls"]);
  const loop: Record<string, unknown> = {};
  loop["self"] = loop;
  assert.match(told(open({}), loop)[0] ?? "", /nested more than 64/);
});

test("schemas and values made to take forever are ended", () => {
  const $defs: Record<string, Json> = { d40: { type: "string" } };
  for (let i = 0; i < 40; i += 1) $defs[`d${i}`] = { allOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] };
  const doubling: JsonSchema = { type: "object", properties: { x: { $ref: "#/$defs/d0" } }, $defs };
  assert.match(told(doubling, { x: "a" })[0] ?? "", /can't be checked within bounds/);
  const twice: JsonSchema = { $ref: "#/$defs/n", $defs: { n: open({ c: { allOf: [{ $ref: "#/$defs/n" }, { $ref: "#/$defs/n" }] } }) } };
  let value: Json = {};
  for (let i = 0; i < 60; i += 1) value = { c: value };
  assert.match(told(twice, value)[0] ?? "", /can't be checked within bounds/);
});

test("a schema of thousands of properties is compiled and enforced", () => {
  const names = Array.from({ length: 1_000 }, (_, i) => `p${i}`);
  const wide = open(Object.fromEntries(names.map((name) => [name, { type: "integer" }])));
  assert.deepEqual(told(wide, { p999: "x" }), ['p999: expected integer, got string "x"']);
  const wider = open(Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`p${i}`, { type: "integer" }])));
  assert.equal(engine.compile(wider).check({ p2999: 1 }).valid, true);
});

test("finding out what was meant has bounds, however many words there are to compare", () => {
  const words = Array.from({ length: 1_000 }, (_, i) => `${"a".repeat(90)}${i}`);
  const misspelt = { v: Array.from({ length: 2_000 }, (_, i) => `${"a".repeat(88)}b${i}`) };
  const missing = Array.from({ length: 1_000 }, (_, i) => `argument_${i}`);
  const others = Object.fromEntries(Array.from({ length: 40_000 }, (_, i) => [`argumnet_${i}`, 1]));
  const started = performance.now();
  assert.match(told(open({ v: { type: "array", items: { enum: words } } }), misspelt)[0] ?? "", /Did you mean "a{90}/);
  assert.match(told({ type: "object", required: missing }, others)[0] ?? "", /^missing argument_0: required\. You sent argumnet_0: did you mean argument_0\?$/);
  // Each took half a minute without bounds, and a fraction of a second with them.
  assert.ok(performance.now() - started < 10_000);
});
