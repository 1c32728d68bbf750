import type { JsonObject, JsonSchema } from "@fettle/contract";

/** The JSON type of a value; what JSON can't hold is `undefined`, `bigint`, `function` or `symbol`. */
export function jsonTypeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value;
}

/** Whether a value is an object that isn't an array. */
export function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value can be a schema: an object or a boolean. */
export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "boolean" || isObject(value);
}

/** A schema that holds keywords. */
export type SchemaObject = JsonObject;

/** The members of an object, of whatever type. */
export type Members = Readonly<Record<string, unknown>>;

/** Reads an own member, so that a schema or value can't inherit one. */
export function own(object: Members, key: string): unknown {
  const value = object[key];
  return value !== undefined && Object.hasOwn(object, key) ? value : undefined;
}

/** Sets an own member, also one called `__proto__`. */
export function setOwn(object: object, key: string, value: unknown): void {
  if (key === "__proto__") Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  else (object as Record<string, unknown>)[key] = value;
}

/** Whether two JSON values are equal, numbers by value and members in any order. */
export function equalJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item, i) => equalJson(item, b[i]));
  }
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && equalJson(Reflect.get(a, key), Reflect.get(b, key)));
}
