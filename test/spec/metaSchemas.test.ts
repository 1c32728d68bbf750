import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { ERROR_TYPES, type JsonObject } from "@fettle/contract";
import { createSchemaEngine } from "@fettle/schema";
import { v1 } from "@fettle/spec-types/schemas";

const folder = new URL("../../spec/v1/", import.meta.url);
const schemas = readdirSync(folder)
  .filter((name) => name.endsWith(".schema.json"))
  .map((name): [string, JsonObject] => [name, JSON.parse(readFileSync(new URL(name, folder), "utf8"))]);

const isObject = (value: unknown): value is JsonObject => typeof value === "object" && value !== null && !Array.isArray(value);

/** All sub-schemas with their paths. Meta-schemas are written with few keywords, and these are the ones that hold schemas. */
function* subschemas(schema: JsonObject, path: string): Iterable<readonly [string, JsonObject]> {
  yield [path, schema];
  for (const keyword of ["properties", "$defs"]) {
    const named = schema[keyword];
    if (isObject(named)) for (const [name, member] of Object.entries(named)) if (isObject(member)) yield* subschemas(member, `${path}/${keyword}/${name}`);
  }
  for (const keyword of ["items", "additionalProperties"]) {
    const member = schema[keyword];
    if (isObject(member)) yield* subschemas(member, `${path}/${keyword}`);
  }
}

test("there are five meta-schemas, and the engine enforces all of each", () => {
  assert.deepEqual(
    schemas.map(([name]) => name),
    ["config", "diagnostic", "error", "scenario", "tool"].map((name) => `${name}.schema.json`),
  );
  const engine = createSchemaEngine({ compileAfter: 0 });
  for (const [name, schema] of schemas) assert.deepEqual(engine.admit(schema), [], name);
});

test("the meta-schemas that ship are those of the spec", () => {
  for (const [name, schema] of schemas) assert.deepEqual(Reflect.get(v1, name.replace(".schema.json", "")), schema, name);
});

test("every part of a meta-schema has a rule id, a description, and nothing that the type generator trips over", () => {
  for (const [name, schema] of schemas) {
    for (const [path, part] of subschemas(schema, name)) {
      assert.ok(!("prefixItems" in part), `${path} has prefixItems`);
      if ("$ref" in part) {
        assert.deepEqual(Object.keys(part), ["$ref"], `${path} has a keyword beside $ref`);
        continue;
      }
      assert.match(String(part["$comment"]), /^[TCEDS]-[A-Z]+-\d+$/, `${path} has no rule id`);
      assert.equal(typeof part["description"], "string", `${path} has no description`);
      if (/\/\$defs\/\w+$/.test(path)) assert.equal(typeof part["title"], "string", `${path} has no title`);
      if (part["type"] === "object" && "properties" in part && !/\/(parameters|output)$/.test(path)) {
        assert.equal(part["additionalProperties"], false, `${path} is open: a misspelt key would be passed over`);
      }
    }
  }
});

test("the seven error types are the same in the contract and in both meta-schemas that list them", () => {
  const tool = schemas.find(([name]) => name === "tool.schema.json")?.[1];
  const error = schemas.find(([name]) => name === "error.schema.json")?.[1];
  assert.deepEqual(tool && isObject(tool["$defs"]) && isObject(tool["$defs"]["errorType"]) && tool["$defs"]["errorType"]["enum"], ERROR_TYPES);
  assert.deepEqual(
    error && isObject(error["properties"]) && isObject(error["properties"]["error_type"]) && error["properties"]["error_type"]["enum"],
    ERROR_TYPES,
  );
});
