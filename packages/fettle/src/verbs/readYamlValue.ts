import type { Diagnostic, JsonPath } from "@fettle/contract";
import { parseYaml } from "@fettle/kernel";
import { formatPath } from "@fettle/schema";

/** Reads the text of an instance: its value with the ids of what deserves a look, or why it can't be read and where. */
export type YamlReader = (
  text: string,
) => { readonly value: unknown; readonly lint?: readonly string[] } | { readonly path: JsonPath; readonly message: string };

/** Reads YAML as specs are read. What a spec may not have, but what has a meaning in YAML, is only pointed at here. */
export const readYamlValue: YamlReader = (text) => {
  const { document, diagnostics } = parseYaml("yaml", text, { lenient: true });
  if (document !== undefined) return { value: document.data, lint: [...new Set(diagnostics.map(({ code }) => code))] };
  return { path: [], message: [...diagnostics.map((diagnostic) => told(text, diagnostic)), ...otherReadings(text)].join("; ") };
};

/** What version 1.1 takes for a boolean or a date, and 1.2 for a string. */
const MEANT_OTHERWISE = /^(?:y|n|yes|no|on|off|\d{4}-\d\d?-\d\d?(?:[Tt ].*)?)$/i;

/** For a text that asks for YAML 1.1: what would not come out as the string that it looks like. */
function otherReadings(text: string): readonly string[] {
  const directive = /^%YAML[ \t]+1\.[01][ \t]*\r?\n(?:---\r?\n)?/.exec(text);
  const data = directive === null ? undefined : parseYaml("yaml", text.slice(directive[0].length), { lenient: true }).document?.data;
  const places: string[] = [];
  const walk = (value: unknown, path: JsonPath): void => {
    if (places.length >= 5 || path.length > 32) return;
    if (typeof value === "string" && MEANT_OTHERWISE.test(value)) places.push(`${formatPath(path)} would be no string there`);
    if (typeof value !== "object" || value === null) return;
    for (const [key, each] of Object.entries(value)) walk(each, [...path, Array.isArray(value) ? Number(key) : key]);
  };
  walk(data, []);
  return places;
}

/** A finding with its place and the line that it is about. */
function told(text: string, { line, column, message, hint }: Diagnostic): string {
  const source = text.split(/\r?\n/)[line - 1]?.trim().slice(0, 60) ?? "";
  return `line ${line}, column ${column} (${source}): ${message}${hint === undefined ? "" : `. ${hint}`}`;
}
