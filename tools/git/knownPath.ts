import { lstat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { resourceError } from "fettle";
import { type ConfinedPath, confinedPath } from "./confinedPath.js";
import { quoted, someOf } from "./gitErrors.js";
import { nearestNames } from "./nearestNames.js";
import type { WorkTree } from "./workTree.js";

const isThere = (file: string): Promise<boolean> =>
  lstat(file).then(
    () => true,
    () => false,
  );

/** Whether a commit has a file or folder. */
export async function isInCommit(tree: WorkTree, commit: string, path: string): Promise<boolean> {
  if (path === ".") return true;
  return (await tree.git(["ls-tree", "-z", "--name-only", "--full-tree", commit, "--", `:(literal)${path}`])).stdout.length > 0;
}

/** Whether a path means anything: it is in the work tree, in the index, or in one of the commits. */
async function isKnown(tree: WorkTree, path: string, commits: readonly (string | undefined)[]): Promise<boolean> {
  if (path === "." || (await isThere(join(tree.root, path)))) return true;
  const index = await tree.git(["ls-files", "-z", "--cached", "--", `:(literal)${path}`], { enough: () => true });
  if (index.stdout.length > 0) return true;
  for (const commit of new Set(commits)) if (commit !== undefined && (await isInCommit(tree, commit, path))) return true;
  return false;
}

/**
 * A path argument in the form in which git tracks it. A folder that is a link today may have been a folder in a commit, so what the
 * commit has goes first.
 *
 * @param commit the commit that is read, where one is
 * @throws as {@link confinedPath}
 */
export async function trackedPath(tree: WorkTree, path: string, argument: string, commit?: string): Promise<string> {
  const { asSent, tracked }: ConfinedPath = await confinedPath(tree, path, argument);
  if (asSent === tracked || commit === undefined) return tracked;
  return (await isInCommit(tree, commit, asSent)) ? asSent : tracked;
}

/** The folder of another repository, a submodule for one, that a path lies in. */
export async function enclosingRepository(tree: WorkTree, path: string): Promise<string | undefined> {
  for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) {
    if (await isThere(join(tree.root, folder, ".git"))) return folder;
    const entry = await tree.git(["ls-files", "-z", "--stage", "--", `:(literal)${folder}`], { maxBytes: 4096 });
    if (entry.stdout.toString("latin1").startsWith("160000 ")) return folder;
  }
  return undefined;
}

/** Files of a commit, or of the index and the work tree where no commit is given; at most some 20,000. */
async function knownFiles(tree: WorkTree, commit: string | undefined): Promise<string[]> {
  const args =
    commit === undefined ? ["ls-files", "-z", "--cached", "--others", "--exclude-standard"] : ["ls-tree", "-r", "-z", "--name-only", "--full-tree", commit];
  const run = await tree.git(args, { maxBytes: 1024 * 1024 });
  return run.stdout.toString("utf8").split("\0").slice(0, 20_000).filter(Boolean);
}

const PATTERN = /[*?[\]]|^:([(!/^]|$)/;

/** Why a path was found nowhere, and what to send in its place. */
interface Missing {
  /** Where it isn't simply missing. */
  readonly what?: string;
  readonly why: string;
  readonly fix: string;
  readonly nearest: readonly string[];
}

/** What can be said of a path that was found nowhere. */
async function aboutMissing(tree: WorkTree, path: string, argument: string, commit?: string): Promise<Missing> {
  const other = await enclosingRepository(tree, path);
  if (other !== undefined) {
    return {
      what: `${quoted(path)} is no file of this repository`,
      why: `It lies in ${quoted(other)}, which is a submodule or another repository inside of this one. Its files aren't tracked here.`,
      fix: `Send ${quoted(other)} itself as ${argument} to mean the submodule as a whole. Its files can only be read or committed by tools whose root is that repository.`,
      nearest: [],
    };
  }
  const files = await knownFiles(tree, commit);
  if (path.includes("\ufffd") && files.some((file) => file === path || file.startsWith(`${path}/`))) {
    return {
      why: "The name isn't UTF-8: the mark \ufffd stands for bytes that can't be sent, since arguments are UTF-8 text.",
      fix: `Send the folder that it is in as ${argument}, where the tool takes a folder, or have the file renamed with git mv.`,
      nearest: [],
    };
  }
  const sendable = files.filter((file) => !file.includes("\ufffd"));
  const nearest = nearestNames(path, sendable);
  const pattern = PATTERN.test(path);
  return {
    why: pattern
      ? `${argument} is one plain path. Patterns (*, ?, [...]) and forms such as :(glob) have no meaning here, so a file of exactly this name was looked for.`
      : "The path is misspelt (case counts), is not relative to the top folder, or the file was added, moved or deleted at another time.",
    fix: pattern
      ? `Send a plain path as ${argument}: a file, or a folder to mean all that is in it.`
      : nearest.length > 0
        ? `Send one of these as ${argument}: ${someOf(nearest.map(quoted))}`
        : "Look for the right path with git_search, or with git_show, whose answer lists the files of a commit.",
    nearest,
  };
}

/** Says that nothing is called so, with the names that are most like it. */
export async function noSuchPath(tree: WorkTree, path: string, argument: string, commit?: string): Promise<never> {
  const { what, why, fix, nearest } = await aboutMissing(tree, path, argument, commit);
  const where = commit === undefined ? "in the work tree" : `in commit ${commit.slice(0, 12)}`;
  throw resourceError("git/no-such-path", {
    what: `${what ?? `There is no file called ${quoted(path)} ${where}`}.`,
    why,
    fix: [
      fix,
      ...(commit === undefined || nearest.length === 0
        ? []
        : [`If the file existed at another time, find the commit with git_log and path set to ${quoted(path)}, and send it as ref.`]),
    ],
    details: { argument, nearest: [...nearest] },
    alternativeTools: ["git_search", "git_log"],
  });
}

/**
 * For an answer that is empty: makes sure that it is so because nothing differs or matches, and not because the path is wrong.
 *
 * @param commits commits that the answer is about; undefined ones are left out
 * @throws resource_error `git/no-such-path`
 */
export async function assertKnown(tree: WorkTree, path: string, argument: string, commits: readonly (string | undefined)[]): Promise<void> {
  if (!(await isKnown(tree, path, commits))) await noSuchPath(tree, path, argument);
}

/** For an answer that is empty and for which a path that isn't there is no error: a sentence about it, or undefined where it is there. */
export async function hintIfMissing(tree: WorkTree, path: string, argument: string, commit: string): Promise<string | undefined> {
  if (await isKnown(tree, path, [commit])) return undefined;
  const { what, why, fix } = await aboutMissing(tree, path, argument);
  return `${what ?? `No file is called ${quoted(path)}, neither now nor in that commit`}. ${why} ${fix}`;
}
