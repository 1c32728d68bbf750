import type { JsonSchema } from "@fettle/contract";
import { isObject, isSchema, own, type SchemaObject } from "./jsonType.js";

/** The dialects that are understood. */
export type Dialect = "2020-12" | "draft-07";

const ONE = ["additionalProperties", "propertyNames", "items", "contains", "not", "if", "then", "else"];
const LIST = ["allOf", "anyOf", "oneOf"];
const MAP = ["properties", "patternProperties", "$defs", "definitions"];

const PLACES: Readonly<Record<Dialect, { readonly one: ReadonlySet<string>; readonly list: ReadonlySet<string>; readonly map: ReadonlySet<string> }>> = {
  "2020-12": {
    one: new Set([...ONE, "unevaluatedItems", "unevaluatedProperties", "contentSchema"]),
    list: new Set([...LIST, "prefixItems"]),
    map: new Set([...MAP, "dependentSchemas"]),
  },
  "draft-07": { one: new Set([...ONE, "additionalItems"]), list: new Set([...LIST, "items"]), map: new Set([...MAP, "dependencies"]) },
};

/** A schema inside another, with the path to it. */
export interface Subschema {
  readonly path: readonly (string | number)[];
  readonly schema: JsonSchema;
}

/** The schemas directly inside of `schema`, as its dialect places them. */
export function subschemas(schema: SchemaObject, dialect: Dialect): readonly Subschema[] {
  const { one, list, map } = PLACES[dialect];
  const found: Subschema[] = [];
  // By the keys that are there: most schemas have three of the twenty that may hold others.
  for (const key of Object.keys(schema)) {
    const value = own(schema, key);
    if (Array.isArray(value)) {
      if (list.has(key)) for (const [i, item] of value.entries()) if (isSchema(item)) found.push({ path: [key, i], schema: item });
    } else if (one.has(key)) {
      if (isSchema(value)) found.push({ path: [key], schema: value });
    } else if (map.has(key) && isObject(value)) {
      for (const [name, item] of Object.entries(value)) if (isSchema(item)) found.push({ path: [key, name], schema: item });
    }
  }
  return found;
}

const DRAFT_07 = /^https?:\/\/json-schema\.org\/draft-0[67]\/schema#?$/;
const DRAFT_2020 = /^https?:\/\/json-schema\.org\/draft\/20(19-09|20-12)\/schema#?$/;

/** The dialect that a root schema asks for: 2020-12 where it says nothing, undefined where it asks for one that isn't known. */
export function dialectOf(root: JsonSchema): Dialect | undefined {
  const asked = typeof root === "boolean" ? undefined : own(root, "$schema");
  if (asked === undefined) return "2020-12";
  if (typeof asked !== "string") return undefined;
  if (DRAFT_2020.test(asked)) return "2020-12";
  return DRAFT_07.test(asked) ? "draft-07" : undefined;
}
