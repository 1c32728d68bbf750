import { basename } from "node:path";
import type { Diagnostic } from "@fettle/contract";
import { type Kernel, parseYaml } from "@fettle/kernel";
import { nearestWord } from "@fettle/schema";
import { sentences } from "./format/sentences.js";
import { shownPath, shownPaths } from "./format/shownPath.js";
import { UsageError } from "./usageError.js";
import { visible } from "./visible.js";

const MOST_NAMES = 20;
const MOST_FILES = 5;
const MOST_ERRORS = 5;

/** What to say of a tool or version that isn't served: the nearest name, those there are, and whether specs were left out. */
export function unknownTool(kernel: Kernel, name: string, version: string | undefined, cwd: string): UsageError {
  const catalog = kernel.catalog();
  const versions = catalog.versions(name).map((tool) => tool.version);
  const own = errorsOf(kernel, name, cwd);
  if (versions.length > 0)
    return new UsageError(`${name} is not served in version ${visible(version ?? "")}.`, [`Versions: ${versions.join(", ")}`, ...own].join("\n"));
  if (own.length > 0)
    return new UsageError(`${visible(name)} is left out, because its spec has an error:`, [...own, "Run fettle check to see it all."].join("\n"));

  const names = [...new Set(catalog.tools.map((tool) => tool.name))];
  const nearest = nearestWord(name, names);
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : "";
  const listed = names.length === 0 ? "No tool is served." : `Tools: ${names.slice(0, MOST_NAMES).join(", ")}${more}`;
  const left = leftOut(kernel, cwd);
  return new UsageError(`There is no tool called ${visible(name)}.${nearest === undefined ? "" : ` Did you mean ${nearest}?`}`, [listed, ...left].join("\n"));
}

/** The errors that keep specs of that name from being served, a line each. A spec that can't be read is known by its file's name. */
function errorsOf({ diagnostics, sources }: Kernel, name: string, cwd: string): string[] {
  const isOf = (file: string): boolean => {
    if (basename(file).replace(/(@.*)?\.tool\.yaml$/, "") === name) return true;
    const data = parseYaml(file, sources.get(file) ?? "", { lenient: true }).document?.data;
    return typeof data === "object" && data !== null && "name" in data && data.name === name;
  };
  const refused = diagnostics.filter(isRefusal);
  const files = new Set([...new Set(refused.map(({ file }) => file))].filter(isOf));
  const lines = refused
    .filter(({ file }) => files.has(file))
    .map(({ file, line, column, code, message, hint }) =>
      visible(`${shownPath(file, cwd)}:${line}:${column} ${code} ${shownPaths(sentences(message, hint), cwd)}`),
    );
  return lines.length > MOST_ERRORS ? [...lines.slice(0, MOST_ERRORS), `and ${lines.length - MOST_ERRORS} more`] : lines;
}

/** Only these keep a tool from being served. */
function isRefusal({ severity, code }: Diagnostic): boolean {
  return severity === "error" && code.startsWith("spec/");
}

/** Specs with errors aren't served: whoever misses one should hear of it. */
function leftOut(kernel: Kernel, cwd: string): string[] {
  const files = new Set(kernel.diagnostics.filter(isRefusal).map(({ file }) => shownPath(file, cwd)));
  if (files.size === 0) return [];
  const more = files.size > MOST_FILES ? ` and ${files.size - MOST_FILES} more` : "";
  return [`Left out because of errors: ${[...files].slice(0, MOST_FILES).map(visible).join(", ")}${more}. Run fettle check to see them.`];
}
