import { lstat } from "node:fs/promises";
import { sep } from "node:path";
import { isGitFolderName } from "./gitFolder.js";
import type { WorkTree } from "./workTree.js";

/** Whether the file that git would open for an entry of the index is the one that the entry is about. */
export type InPlace = (path: Buffer) => Promise<boolean>;

const SLASH = 47;

/**
 * Tells whether all folders of a path are folders of the work tree and no links, and none is git's own. `git grep` and the combined form
 * of `git diff` open the path of an entry whatever has become of its folders, so a folder that was replaced by a link would lead them
 * out of the root. git itself takes such a file for deleted. Paths are bytes, since a name that isn't UTF-8 can't be looked up as text.
 */
export function trackedPlace(tree: Pick<WorkTree, "root" | "hidden">): InPlace {
  const known = new Map<string, Promise<boolean>>();
  const top = Buffer.from(tree.root.endsWith(sep) ? tree.root : tree.root + sep);

  const isPlainFolder = async (folder: Buffer): Promise<boolean> => {
    const parent = folder.lastIndexOf(SLASH);
    if (parent >= 0 && !(await cached(folder.subarray(0, parent)))) return false;
    const name = folder.subarray(parent + 1).toString("utf8");
    if (isGitFolderName(name) || tree.hidden.includes(folder.toString("utf8"))) return false;
    const found = await lstat(Buffer.concat([top, folder])).catch(() => undefined);
    return found?.isDirectory() === true;
  };
  const cached = (folder: Buffer): Promise<boolean> => {
    const key = folder.toString("latin1");
    const before = known.get(key);
    if (before !== undefined) return before;
    const answer = isPlainFolder(folder);
    known.set(key, answer);
    return answer;
  };
  return async (path) => {
    const end = path.lastIndexOf(SLASH);
    return end < 0 || cached(path.subarray(0, end));
  };
}
