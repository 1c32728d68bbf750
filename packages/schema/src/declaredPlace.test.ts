import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonPath, JsonSchema } from "@fettle/contract";
import { declaredPlace } from "./declaredPlace.js";

const schema: JsonSchema = {
  type: "object",
  properties: {
    ship_to: { $ref: "#/$defs/address" },
    items: { type: "array", items: { type: "object", properties: { iban: { type: "string" } } } },
    point: { prefixItems: [{ properties: { x: {} } }, { properties: { y: {} } }] },
    tags: { type: ["array", "null"] },
    labels: { type: "object", additionalProperties: { type: "string" } },
    open: { type: "object", additionalProperties: true },
    headers: { type: "object", patternProperties: { "^x-": { type: "string" } }, additionalProperties: false },
    pay: { oneOf: [{ properties: { card: {} } }, { $ref: "#/$defs/transfer" }], not: { properties: { cash: {} } } },
    tree: { $ref: "#/$defs/node" },
  },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  allOf: [{ if: { properties: { kind: {} } }, then: { properties: { since: {} } }, else: { properties: { until: {} } } }],
  dependentSchemas: { kind: { properties: { of: {} } } },
  $defs: {
    address: { type: "object", properties: { country: {}, "post code": {} } },
    transfer: { properties: { iban: {} } },
    node: { properties: { name: {}, children: { items: { $ref: "#/$defs/node" } } } },
  },
};

const places: readonly JsonPath[] = [
  [],
  ["items"],
  ["items", 0],
  ["items", 0, "iban"],
  ["point", 0, "y"],
  ["tags", 0],
  ["labels", "a"],
  ["headers", "x-a"],
  ["ship_to", "country"],
  ["ship_to", "post code"],
  ["pay", "card"],
  ["pay", "iban"],
  ["since"],
  ["until"],
  ["of"],
  ["tree", "children", 0, "children", 0, "name"],
];
for (const path of places) test(`${JSON.stringify(path)} is declared`, () => assert.equal(declaredPlace(schema, path).declared, true));

for (const [path, depth, members, hasItems] of [
  [["shp_to"], 0, ["ship_to", "items"], false],
  [["ship_to", "contry"], 1, ["country", "post code"], false],
  [["items", "iban"], 1, [], true],
  [["items", 0, "bic"], 2, ["iban"], false],
  [["ship_to", 0], 1, ["country"], false],
  [["tags", 0, "a"], 2, [], false],
  [["open", "a"], 1, [], false],
  [["headers", "y"], 1, [], false],
  [["pay", "cash"], 1, ["card", "iban"], false],
  [["toString"], 0, ["ship_to"], false],
] as const) {
  test(`${JSON.stringify(path)} isn't declared, and it is known where it leaves what is`, () => {
    const place = declaredPlace(schema, path);
    assert.deepEqual([place.declared, place.depth, place.hasItems], [false, depth, hasItems]);
    for (const member of members) assert.ok(place.members.includes(member), `${member} is among ${place.members}`);
  });
}

test("a list of items in draft-07 is followed", () => {
  const draft07 = { $schema: "http://json-schema.org/draft-07/schema#", properties: { pair: { items: [{ properties: { a: {} } }] } } };
  assert.equal(declaredPlace(draft07, ["pair", 0, "a"]).declared, true);
  assert.equal(declaredPlace(draft07, ["pair", 0, "b"]).declared, false);
});
