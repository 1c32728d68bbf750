import { resourceError } from "fettle";
import { quoted, someOf, unexpectedOutput } from "./gitErrors.js";
import { noSuchPath } from "./knownPath.js";
import { isBinary } from "./shownText.js";
import type { WorkTree } from "./workTree.js";

/** A file as a commit holds it. */
export interface FileAtCommit {
  /** Bytes in the repository. */
  readonly size: number;
  readonly binary: boolean;
  /** The content, at most 16 MiB; empty for binary files. */
  readonly bytes: Buffer;
  /** The content is longer than what was read. */
  readonly cut: boolean;
}

interface Entry {
  readonly mode: string;
  readonly type: string;
  readonly id: string;
  readonly size: number;
  readonly name: string;
}

const MAX_CONTENT = 16 * 1024 * 1024;

/** Entries of `git ls-tree -z -l`: `mode SP type SP id SP+ size TAB name NUL`. The size is BAD where the object is missing or damaged. */
function parseEntries(text: string): Entry[] {
  return text
    .split("\0")
    .slice(0, -1)
    .map((record) => {
      const parts = /^(\d{6}) (blob|tree|commit) ([0-9a-f]{40,64}) +(\d+|-|BAD)\t(.+)$/s.exec(record);
      if (!parts) throw unexpectedOutput("ls-tree", record);
      const [, mode = "", type = "", id = "", size = "", name = ""] = parts;
      return { mode, type, id, size: Number(size) || 0, name };
    });
}

async function notAFile(tree: WorkTree, path: string, commit: string, type: string): Promise<never> {
  const folder = type === "tree";
  const args = ["ls-tree", "-z", "-l", "--full-tree", commit, ...(path === "." ? [] : ["--", `:(literal)${path}/`])];
  const inside = folder ? parseEntries((await tree.git(args, { maxBytes: 1024 * 1024 })).stdout.toString("utf8")).map((entry) => entry.name) : [];
  throw resourceError("git/not-a-file", {
    what: `${path === "." ? "The top folder" : quoted(path)} is ${folder ? "a folder" : "a submodule, another repository"}, not a file.`,
    why: "This call shows the content of one file.",
    fix: folder
      ? `Send the path of a file. In this folder are: ${someOf(inside.map(quoted), 20)}`
      : "Files of a submodule can't be read through this repository. Choose a file that isn't in a submodule.",
    details: { entries: inside.slice(0, 20), entries_total: inside.length },
  });
}

/**
 * A file's content at a commit. A symbolic link's content is the path it points to.
 *
 * @throws resource_error `git/no-such-path` or `git/not-a-file`
 */
export async function fileAtCommit(tree: WorkTree, commit: string, path: string): Promise<FileAtCommit> {
  if (path === ".") return notAFile(tree, path, commit, "tree");
  const listing = await tree.git(["ls-tree", "-z", "-l", "--full-tree", commit, "--", `:(literal)${path}`]);
  const [entry] = parseEntries(listing.stdout.toString("utf8"));
  if (!entry) return noSuchPath(tree, path, "path", commit);
  if (entry.type !== "blob") return notAFile(tree, path, commit, entry.type);
  const content = await tree.git(["cat-file", "blob", entry.id], { maxBytes: MAX_CONTENT });
  const binary = isBinary(content.stdout);
  return { size: entry.size, binary, bytes: binary ? Buffer.alloc(0) : content.stdout, cut: content.cut };
}
