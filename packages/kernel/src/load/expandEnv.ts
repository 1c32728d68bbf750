import type { Finding, JsonPath } from "@fettle/contract";

/** `${NAME}`, `${NAME:-default}`, and `$${` for a `${` that stays. */
const REFERENCE = /\$\$\{|\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/**
 * Expands environment variables in every string of a config. The value isn't changed: a copy is returned.
 *
 * @returns the expanded copy, the paths of strings in which something was expanded, and a finding for each variable that isn't set
 */
export function expandEnv(
  value: unknown,
  env: Readonly<Record<string, string | undefined>>,
): { readonly value: unknown; readonly expanded: readonly JsonPath[]; readonly findings: readonly Finding[] } {
  const findings: Finding[] = [];
  const expanded: JsonPath[] = [];
  const walk = (node: unknown, path: JsonPath): unknown => {
    if (Array.isArray(node)) return node.map((item, i) => walk(item, [...path, i]));
    if (typeof node === "object" && node !== null) return Object.fromEntries(Object.entries(node).map(([key, member]) => [key, walk(member, [...path, key])]));
    if (typeof node !== "string" || !node.includes("${")) return node;
    expanded.push(path);
    return node.replace(REFERENCE, (whole, name: string | undefined, fallback: string | undefined) => {
      if (name === undefined) return "${";
      // As in shells, :- also stands in for a variable that is empty.
      const set = env[name];
      if (fallback !== undefined) return set || fallback;
      if (set !== undefined) return set;
      findings.push({
        code: "config/missing-env",
        severity: "error",
        path,
        message: `The environment variable ${name} is not set`,
        hint: `Set it, or give a default: \${${name}:-default}.`,
        rule: "C-ENV-1",
      });
      return whole;
    });
  };
  return { value: walk(value, []), expanded, findings };
}
