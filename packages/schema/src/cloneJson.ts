import { setOwn } from "./jsonType.js";

/** A deep copy of a JSON value. A member called `__proto__` stays a member; `undefined` members are left out. */
export function cloneJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(cloneJson);
  if (typeof value !== "object" || value === null) return value;
  const copy = {};
  for (const key of Object.keys(value)) {
    const member = (value as Readonly<Record<string, unknown>>)[key];
    if (member !== undefined) setOwn(copy, key, cloneJson(member));
  }
  return copy;
}
