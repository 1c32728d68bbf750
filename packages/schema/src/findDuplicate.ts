/**
 * The indexes of the first two equal items, in time linear in the size of the array. Undefined when all differ.
 */
export function findDuplicate(items: readonly unknown[]): readonly [number, number] | undefined {
  const seen = new Map<unknown, number>();
  for (let i = 0; i < items.length; i += 1) {
    const item = items[i];
    const key = typeof item === "object" && item !== null ? `o${canonical(item)}` : typeof item === "string" ? `s${item}` : item;
    const before = seen.get(key);
    if (before !== undefined) return [before, i];
    seen.set(key, i);
  }
  return undefined;
}

/** JSON with sorted members: equal for equal values, and for no others. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value === 0 ? 0 : value) ?? "null";
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(Reflect.get(value, key))}`);
  return `{${members.join(",")}}`;
}
