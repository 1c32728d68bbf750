import type { Files } from "../platform.js";
import { join } from "./paths.js";

const SPEC_SUFFIX = ".tool.yaml";

/** A folder that couldn't be listed. */
export interface UnreadableFolder {
  readonly folder: string;
  readonly error: unknown;
}

/** What the search below one folder gave. */
export interface SpecSearch {
  /** Whatever is called `*.tool.yaml`, sorted by path: reading it says what it is. */
  readonly found: readonly string[];
  /** Why the folder itself couldn't be searched. */
  readonly failed?: UnreadableFolder;
  /** Folders below it that couldn't be listed. */
  readonly unreadable: readonly UnreadableFolder[];
}

/**
 * The spec files under some folders, at any depth. `node_modules`, `dist` and folders with a leading dot are left out.
 * Each folder is searched once, however many links lead to it, and under its own path where it has one below the folders.
 */
export async function findSpecFiles(files: Files, roots: readonly string[]): Promise<readonly SpecSearch[]> {
  const visited = new Set<string>();
  const searches = roots.map((): { found: string[]; unreadable: UnreadableFolder[]; failed?: UnreadableFolder } => ({ found: [], unreadable: [] }));
  let links: { readonly path: string; readonly root: number }[] = [];

  const search = async (path: string, real: string, root: number): Promise<void> => {
    if (visited.has(real)) return;
    visited.add(real);
    const result = searches[root];
    for (const { name, kind } of await files.list(path)) {
      const child = join(path, name);
      if (name.endsWith(SPEC_SUFFIX)) result?.found.push(child);
      if (kind !== "folder" || name.startsWith(".") || name === "node_modules" || name === "dist") continue;
      try {
        const realChild = await files.real(child);
        // A link waits until everything that is really here was searched, so that the path of a file is its own.
        if (realChild === join(real, name)) await search(child, realChild, root);
        else links.push({ path: child, root });
      } catch (error) {
        result?.unreadable.push({ folder: child, error });
      }
    }
  };

  for (const [root, path] of roots.entries()) {
    try {
      await search(path, await files.real(path), root);
    } catch (error) {
      const result = searches[root];
      if (result) result.failed = { folder: path, error };
    }
  }
  while (links.length > 0) {
    const next = links.sort((a, b) => (a.path < b.path ? -1 : 1));
    links = [];
    for (const { path, root } of next) {
      try {
        await search(path, await files.real(path), root);
      } catch (error) {
        searches[root]?.unreadable.push({ folder: path, error });
      }
    }
  }
  for (const { found } of searches) found.sort();
  return searches;
}
