import type { Tool } from "@fettle/contract";
import type { Kernel } from "./kernel.js";

/** What decides which tools a client is shown. */
export type ShownTools = Pick<Kernel, "catalog" | "sources" | "variesList">;

/**
 * Whether clients are shown the same tools before and after a load: the same specs. Where a plugin decides what is listed nobody knows, and it
 * counts as changed.
 *
 * @param before what was served
 * @param after what is served in its place
 */
export function showsSameTools(before: ShownTools, after: ShownTools): boolean {
  if (before.variesList || after.variesList) return false;
  const now = after.catalog().tools;
  const old = before.catalog().tools;
  return old.length === now.length && old.every((tool, index) => isSameTool(tool, before.sources, now[index], after.sources));
}

function isSameTool(old: Tool, oldSources: ShownTools["sources"], now: Tool | undefined, sources: ShownTools["sources"]): boolean {
  if (now === undefined) return false;
  if (old.name !== now.name || old.version !== now.version) return false;
  // Of thousands of specs most have the text that they had.
  const text = sources.get(now.file);
  return (text !== undefined && text === oldSources.get(old.file)) || JSON.stringify(old.spec) === JSON.stringify(now.spec);
}
