import type { Json, JsonObject, JsonSchema } from "@fettle/contract";
import { isJsonObject } from "./isJsonObject.js";

/** Keywords whose value is one schema, a list of schemas, or schemas by name. */
const ONE = new Set(["items", "additionalItems", "additionalProperties", "propertyNames", "contentSchema"]);
const LIST = new Set(["allOf", "anyOf", "prefixItems"]);
const NAMED = new Set(["properties", "patternProperties", "$defs", "definitions"]);

/** What demands that something is there, or depends on what is there: a part of a value can't be judged by it. */
const DROPPED = new Set([
  "required",
  "minProperties",
  "dependentRequired",
  "dependentSchemas",
  "dependencies",
  "unevaluatedProperties",
  "unevaluatedItems",
  "not",
  "if",
  "then",
  "else",
  "contains",
  "minContains",
  "maxContains",
]);

/** The schema that every part of a valid value fits: the same types and limits, with nothing required. */
export function partialSchema(schema: JsonSchema): JsonSchema {
  if (!isJsonObject(schema)) return schema;
  const partial: Record<string, Json> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (value === undefined || DROPPED.has(keyword)) continue;
    // Branches are told apart by what they require: without that more than one may fit.
    if (keyword === "oneOf") partial["anyOf"] = [...list(partial["anyOf"]), ...list(value).map(part)];
    else if (ONE.has(keyword)) partial[keyword] = part(value);
    else if (LIST.has(keyword)) partial[keyword] = list(value).map(part);
    else if (NAMED.has(keyword)) partial[keyword] = isJsonObject(value) ? named(value) : value;
    else partial[keyword] = value;
  }
  return partial;
}

const part = (value: Json): Json => (isJsonObject(value) ? partialSchema(value) : value);

const list = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

function named(schemas: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schemas).map(([name, value]) => [name, value === undefined ? value : part(value)]));
}
