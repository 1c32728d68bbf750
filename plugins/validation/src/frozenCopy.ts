/** A deep copy of a JSON value that can't be changed. A member called `__proto__` stays a member; `undefined` members are left out. */
export function frozenCopy(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy));
  const copy: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue;
    if (key === "__proto__") Object.defineProperty(copy, key, { value: frozenCopy(member), enumerable: true });
    else copy[key] = frozenCopy(member);
  }
  return Object.freeze(copy);
}
