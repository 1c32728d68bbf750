import type { JsonPath } from "@fettle/contract";

/** What stands at a path inside of some data; undefined where there is nothing. */
export function valueAt(root: unknown, path: JsonPath): unknown {
  let value = root;
  for (const step of path)
    value = typeof value === "object" && value !== null && Object.hasOwn(value, step) ? (value as Record<string | number, unknown>)[step] : undefined;
  return value;
}
