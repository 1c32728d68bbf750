import type { JsonObject, JsonPath, JsonSchema } from "@fettle/contract";

/** A schema inside a document. */
export interface SchemaPlace {
  readonly schema: JsonObject;
  readonly path: JsonPath;
  /** Levels of schemas around it. */
  readonly depth: number;
  /** Whether it is the schema of a named property. */
  readonly isProperty: boolean;
}

const ONE = [
  "additionalProperties",
  "propertyNames",
  "items",
  "additionalItems",
  "contains",
  "not",
  "if",
  "then",
  "else",
  "unevaluatedItems",
  "unevaluatedProperties",
];
const LIST = ["allOf", "anyOf", "oneOf", "prefixItems", "items"];
const MAP = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];
/** A schema of more levels or parts isn't looked at further: it has its finding already. */
const DEEPEST = 64;
const MOST = 10_000;

/** Reads an own member. */
export function own(object: object, key: string): unknown {
  return Object.hasOwn(object, key) ? Reflect.get(object, key) : undefined;
}

/** Whether a value is an object that holds keywords. */
export function isSchemaObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Every schema of a document, itself first, each once. */
export function visitSchemas(root: JsonSchema): readonly SchemaPlace[] {
  const places: SchemaPlace[] = [];
  const seen = new Set<object>();
  const visit = (schema: unknown, path: JsonPath, depth: number, isProperty: boolean): void => {
    if (!isSchemaObject(schema) || seen.has(schema) || depth > DEEPEST || places.length >= MOST) return;
    seen.add(schema);
    places.push({ schema, path, depth, isProperty });
    for (const key of ONE) visit(own(schema, key), [...path, key], depth + 1, false);
    for (const key of LIST) {
      const list = own(schema, key);
      if (Array.isArray(list)) for (const [i, each] of list.entries()) visit(each, [...path, key, i], depth + 1, false);
    }
    for (const key of MAP) {
      const map = own(schema, key);
      if (isSchemaObject(map)) for (const name of Object.keys(map)) visit(own(map, name), [...path, key, name], depth + 1, key === "properties");
    }
  };
  visit(root, [], 0, false);
  return places;
}
