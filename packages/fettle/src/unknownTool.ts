import type { Kernel } from "@fettle/kernel";
import { nearestWord } from "@fettle/schema";
import { shownPath } from "./format/shownPath.js";
import { UsageError } from "./usageError.js";
import { visible } from "./visible.js";

const MOST_NAMES = 20;
const MOST_FILES = 5;

/** What to say of a tool or version that isn't served: the nearest name, those there are, and whether specs were left out. */
export function unknownTool(kernel: Kernel, name: string, version: string | undefined, cwd: string): UsageError {
  const catalog = kernel.catalog();
  const versions = catalog.versions(name).map((tool) => tool.version);
  if (versions.length > 0) return new UsageError(`${name} is not served in version ${visible(version ?? "")}.`, `Versions: ${versions.join(", ")}`);

  const names = [...new Set(catalog.tools.map((tool) => tool.name))];
  const nearest = nearestWord(name, names);
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : "";
  const listed = names.length === 0 ? "No tool is served." : `Tools: ${names.slice(0, MOST_NAMES).join(", ")}${more}`;
  const left = leftOut(kernel, cwd);
  return new UsageError(`There is no tool called ${visible(name)}.${nearest === undefined ? "" : ` Did you mean ${nearest}?`}`, [listed, ...left].join("\n"));
}

/** Specs with errors aren't served: whoever misses one should hear of it. */
function leftOut(kernel: Kernel, cwd: string): string[] {
  const files = new Set(
    kernel.diagnostics.filter(({ severity, code }) => severity === "error" && code.startsWith("spec/")).map(({ file }) => shownPath(file, cwd)),
  );
  if (files.size === 0) return [];
  const more = files.size > MOST_FILES ? ` and ${files.size - MOST_FILES} more` : "";
  return [`Left out because of errors: ${[...files].slice(0, MOST_FILES).map(visible).join(", ")}${more}. Run fettle check to see them.`];
}
