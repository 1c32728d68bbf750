import type { Kernel } from "@fettle/kernel";
import { shownPath } from "../format/shownPath.js";
import type { Terminal } from "../terminal.js";
import { findTypesFiles, mendTypesFile } from "../types/typesOnDisk.js";
import { visible } from "../visible.js";

/** Brings the types files of a project up to date, where it has any. What to tell a person of it; empty where nothing was done. */
export async function keepTypes({ config, catalog }: Kernel, { cwd, errPaint }: Pick<Terminal, "cwd" | "errPaint">): Promise<string> {
  const files = await findTypesFiles(config, catalog().tools);
  if (!files.some(({ state }) => state === "current" || state === "stale" || state === "left_over")) return "";
  const done: string[] = [];
  const failed: string[] = [];
  for (const file of files) {
    if (file.state === "current" || file.state === "foreign") continue;
    const path = visible(shownPath(file.file, cwd));
    try {
      await mendTypesFile(file);
      done.push(file.state === "left_over" ? `removed ${path}` : `wrote ${path}`);
    } catch (error) {
      failed.push(`${path} can't be written (${error instanceof Error && "code" in error ? error.code : error})`);
    }
  }
  return [
    ...(done.length > 0 ? [`${errPaint("dim", "types:")} ${done.join(", ")}\n`] : []),
    ...(failed.length > 0 ? [`${errPaint("warning", "types:")} ${failed.join(", ")}\n`] : []),
  ].join("");
}
