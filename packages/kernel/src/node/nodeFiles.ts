import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Files, FolderEntry } from "../platform.js";

/** Files of the machine. Links are followed. */
export const nodeFiles: Files = {
  // In one go: by way of the threads that Node has for files, a thousand small ones take ten times the CPU time. Whether a file system answers at all
  // shows where its folders are listed, which blocks nobody. O_NONBLOCK is for pipes, which would wait for a writer.
  async read(path, most = Number.POSITIVE_INFINITY) {
    const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const found = fstatSync(file);
      // A folder's own error says more: EISDIR.
      if (!found.isFile() && !found.isDirectory()) throw Object.assign(new Error(`EFTYPE: not a regular file, open '${path}'`), { code: "EFTYPE" });
      // Files that the system makes up have no size.
      return found.isFile() && found.size > 0 ? readBytes(file, Math.min(found.size, most + 1)) : readFileSync(file);
    } finally {
      closeSync(file);
    }
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

/** So many bytes of an open file, or all where it has fewer. `readFileSync` asks for the size once more. */
function readBytes(file: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let read = 0;
  while (read < length) {
    const more = readSync(file, bytes, read, length - read, null);
    if (more === 0) return bytes.subarray(0, read);
    read += more;
  }
  return bytes;
}
