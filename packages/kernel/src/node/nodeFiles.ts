import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Files, FolderEntry } from "../platform.js";

/** Files of the machine. Links are followed. */
export const nodeFiles: Files = {
  async read(path) {
    const found = await stat(path);
    // A folder's own error says more: EISDIR.
    if (!found.isFile() && !found.isDirectory()) throw Object.assign(new Error(`EFTYPE: not a regular file, open '${path}'`), { code: "EFTYPE" });
    return readFile(path);
  },
  async list(folder) {
    const entries = await readdir(folder, { withFileTypes: true });
    return Promise.all(
      entries.map(async (entry): Promise<FolderEntry> => {
        // A link that leads nowhere is neither file nor folder.
        const target = entry.isSymbolicLink() ? await stat(join(folder, entry.name)).catch(() => undefined) : entry;
        return { name: entry.name, kind: target?.isFile() ? "file" : target?.isDirectory() ? "folder" : "other" };
      }),
    );
  },
  async size(path) {
    try {
      const found = await stat(path);
      return found.isFile() ? found.size : undefined;
    } catch (error) {
      if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")) return undefined;
      throw error;
    }
  },
  real: (path) => realpath(path),
};
