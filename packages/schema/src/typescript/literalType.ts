/** A JSON value as a TypeScript type: `"a"`, `-1`, `{ readonly a: 1 }`. */
export function literalType(value: unknown): string {
  if (Array.isArray(value)) return `readonly [${value.map(literalType).join(", ")}]`;
  if (typeof value !== "object" || value === null) return text(value);
  const members = Object.entries(value).map(([key, member]) => `readonly ${propertyName(key)}: ${literalType(member)}`);
  return members.length === 0 ? "{ readonly [key: string]: never }" : `{ ${members.join("; ")} }`;
}

/** A name as it stands in an object type: quoted where it is no identifier. */
export function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : text(name);
}

/** JSON, with the two line ends in it that end a line for some readers of code. */
function text(value: unknown): string {
  return JSON.stringify(value).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}
