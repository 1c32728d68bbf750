import type { Files } from "../platform.js";
import { join } from "./paths.js";

const SPEC_SUFFIX = ".tool.yaml";
/** Deepest nesting of folders that is searched: more is a loop of links. */
const MAX_FOLDER_DEPTH = 32;

/** The spec files under a folder, sorted by path. `node_modules`, `dist` and folders with a leading dot are left out. */
export async function findSpecFiles(
  files: Files,
  folder: string,
): Promise<{ readonly found: readonly string[]; readonly unreadable: readonly { readonly folder: string; readonly error: unknown }[] }> {
  const found: string[] = [];
  const unreadable: { folder: string; error: unknown }[] = [];
  const search = async (path: string, depth: number): Promise<void> => {
    let entries: Awaited<ReturnType<Files["list"]>>;
    try {
      entries = await files.list(path);
    } catch (error) {
      unreadable.push({ folder: path, error });
      return;
    }
    for (const { name, kind } of entries) {
      if (kind === "file" && name.endsWith(SPEC_SUFFIX)) found.push(join(path, name));
      else if (kind === "folder" && depth < MAX_FOLDER_DEPTH && !name.startsWith(".") && name !== "node_modules" && name !== "dist")
        await search(join(path, name), depth + 1);
    }
  };
  await search(folder, 0);
  return { found: found.sort(), unreadable };
}
