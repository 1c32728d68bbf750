import type { JsonSchema } from "@fettle/contract";
import { cloneJson } from "./cloneJson.js";
import { defaultOf } from "./defaultOf.js";
import { isObject, isSchema, type Members, own, setOwn } from "./jsonType.js";
import type { SchemaIndex } from "./schemaIndex.js";
import { subschemas } from "./subschemas.js";

/** Whether a value fits an inner schema. */
export type Fits = (schema: JsonSchema, value: unknown) => boolean;

const DEEPEST = 64;

/** Whether a document has any `default` at all. */
export function hasDefaults(schema: JsonSchema, index: SchemaIndex, seen: Set<object> = new Set()): boolean {
  if (typeof schema === "boolean" || seen.has(schema)) return false;
  seen.add(schema);
  if (Object.hasOwn(schema, "default")) return true;
  for (const inner of subschemas(schema, index.dialect)) if (hasDefaults(inner.schema, index, seen)) return true;
  return false;
}

/**
 * Fills in the defaults of absent members, those of nested objects too. The value is never changed: what differs is a copy.
 *
 * Defaults are looked for where it is certain that a schema applies: `properties`, `items`, `$ref`, `allOf`, and the branch of `anyOf` or `oneOf`
 * that the value fits. A default that doesn't fit its own schema is left out.
 */
export function fillDefaults(index: SchemaIndex, schema: JsonSchema, value: unknown, fits: Fits, depth: number = 0): unknown {
  if (typeof schema === "boolean" || depth > DEEPEST || typeof value !== "object" || value === null) return value;
  const fill = (inner: JsonSchema, each: unknown): unknown => fillDefaults(index, inner, each, fits, depth + 1);
  let filled: unknown = value;
  const take = (next: unknown): void => {
    filled = next;
  };
  const ref = own(schema, "$ref");
  const target = typeof ref === "string" ? index.resolve(schema, ref) : undefined;
  if (target !== undefined) take(fill(target.schema, filled));
  if (target !== undefined && index.dialect === "draft-07") return filled;
  const all = own(schema, "allOf");
  if (Array.isArray(all)) for (const each of all) if (isSchema(each)) take(fill(each, filled));
  for (const keyword of ["anyOf", "oneOf"]) {
    const branches = own(schema, keyword);
    const branch = Array.isArray(branches) ? branches.find((each) => isSchema(each) && fits(each, value)) : undefined;
    if (isSchema(branch)) take(fill(branch, filled));
  }
  if (Array.isArray(filled)) return fillItems(schema, filled, fill);
  return isObject(filled) ? fillMembers(index, schema, filled, fits, fill) : filled;
}

type Fill = (schema: JsonSchema, value: unknown) => unknown;

function fillItems(schema: Members, value: readonly unknown[], fill: Fill): readonly unknown[] {
  const items = own(schema, "items");
  const tuple = own(schema, "prefixItems");
  const first: readonly unknown[] = Array.isArray(tuple) ? tuple : Array.isArray(items) ? items : [];
  let copy: unknown[] | undefined;
  for (let i = 0; i < value.length; i += 1) {
    const inner = i < first.length ? first[i] : items;
    if (!isSchema(inner)) continue;
    const next = fill(inner, value[i]);
    if (next === value[i]) continue;
    copy ??= [...value];
    copy[i] = next;
  }
  return copy ?? value;
}

function fillMembers(index: SchemaIndex, schema: Members, value: Members, fits: Fits, fill: Fill): object {
  const properties = own(schema, "properties");
  const additional = own(schema, "additionalProperties");
  let copy: object | undefined;
  const set = (key: string, next: unknown): void => {
    copy ??= copyMembers(value);
    setOwn(copy, key, next);
  };
  if (isObject(properties)) {
    for (const key of Object.keys(properties)) {
      const inner = properties[key];
      if (!isSchema(inner)) continue;
      const before = own(value, key);
      if (before !== undefined) {
        const next = fill(inner, before);
        if (next !== before) set(key, next);
        continue;
      }
      const fallback = defaultOf(index, inner);
      if (fallback !== undefined && fits(inner, fallback)) set(key, fill(inner, cloneJson(fallback)));
    }
  }
  if (isObject(additional) && isSchema(additional)) {
    for (const key of Object.keys(value)) {
      if (isObject(properties) && Object.hasOwn(properties, key)) continue;
      const before = own(value, key);
      const next = fill(additional, before);
      if (next !== before) set(key, next);
    }
  }
  return copy ?? value;
}

function copyMembers(value: Members): object {
  const copy = {};
  for (const key of Object.keys(value)) setOwn(copy, key, own(value, key));
  return copy;
}
