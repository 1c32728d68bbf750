import type { Finding } from "@fettle/contract";

const CODE = /^[a-z0-9]+(-[a-z0-9]+)*\/[a-z0-9]+(-[a-z0-9]+)*$/;
const SEVERITIES = new Set<unknown>(["error", "warning", "note"]);

/** What keeps something that a plugin's check gave from being a finding; undefined for a finding. */
export function findingFault(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return `it is ${value === null ? "null" : Array.isArray(value) ? "a list" : `a ${typeof value}`}, and no object`;
  const { code, severity, message, hint, path } = value as Readonly<Record<keyof Finding, unknown>>;
  if (typeof code !== "string" || !CODE.test(code)) return `its code is ${shown(code)}, and not like my-plugin/some-code`;
  if (!SEVERITIES.has(severity)) return `the severity of ${code} is ${shown(severity)}, and not error, warning or note`;
  if (typeof message !== "string" || message === "") return `the message of ${code} is ${shown(message)}, and not a text`;
  if (hint !== undefined && typeof hint !== "string") return `the hint of ${code} is ${shown(hint)}, and not a text`;
  if (path !== undefined && !isPath(path)) return `the path of ${code} is ${shown(path)}, and not a list of keys such as ["effects", "read_only"]`;
  return undefined;
}

function isPath(value: unknown): boolean {
  return Array.isArray(value) && value.every((step) => typeof step === "string" || typeof step === "number");
}

/** A value in a few words, whatever it is. */
function shown(value: unknown): string {
  if (value === undefined) return "missing";
  if (typeof value === "string") return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  if (value === null || typeof value === "number" || typeof value === "boolean") return String(value);
  return Array.isArray(value) ? "a list" : `of type ${typeof value}`;
}
