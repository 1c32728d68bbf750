import { lstat, readlink, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { inputError, permissionError, resourceError } from "fettle";
import { quoted, someOf } from "./gitErrors.js";
import { nearestNames } from "./nearestNames.js";
import type { WorkTree } from "./workTree.js";

const MAX_PATH = 1_000;
const MAX_LINKS = 40;

function badPath(path: string, argument: string, problem: string, fix: string): never {
  throw inputError("git/bad-path", {
    what: `${argument} can't be used: "${quoted(path)}" ${problem}.`,
    why: `${argument} is a file or folder of the work tree, relative to its top folder, with forward slashes: src/main.ts.`,
    fix,
    details: { argument },
  });
}

function outside(path: string, argument: string, how: string): never {
  throw permissionError("git/path-outside-root", {
    what: `${quoted(path)} ${how}, so it may not be used.`,
    why: "The Git tools are confined to one work tree; .. and symbolic links are followed before this is checked.",
    fix: [
      `Send a path inside of the work tree as ${argument}, relative to its top folder and without .. at the start, for example src/main.ts.`,
      "git_status and git_log show paths in the right form.",
    ],
    details: { argument },
  });
}

function inGitFolder(path: string, argument: string): never {
  throw permissionError("git/path-in-git-folder", {
    what: `${quoted(path)} is inside of a .git folder, which these tools neither read nor write as files.`,
    why: "Git's own files hold credentials, hooks and configuration.",
    fix: [
      "Send a path of the project itself.",
      "To read history use git_log, git_show or git_diff; to make a branch or a commit use git_create_branch or git_commit.",
    ],
    details: { argument },
  });
}

/** Names that file systems take for `.git`: other case, trailing dots and spaces, 8.3 names, ignorable characters (CVE-2014-9390). */
function isGitFolderName(name: string): boolean {
  const plain = name
    .replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\u00ad]/g, "")
    .toLowerCase()
    .replace(/:.*$/s, "")
    .replace(/[. ]+$/, "");
  return plain === ".git" || plain === "git~1";
}

const isInside = (path: string, folder: string): boolean => path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

function codeOf(error: unknown): string {
  return typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
}

/** The real path, following every link, also of what doesn't exist yet or where a link leads nowhere. */
async function realPathOf(path: string, links = 0): Promise<string> {
  if (links > MAX_LINKS) throw Object.assign(new Error("too many links"), { code: "ELOOP" });
  try {
    return await realpath(path);
  } catch (error) {
    const code = codeOf(error);
    if (code !== "ENOENT" && code !== "ENOTDIR") throw error;
  }
  const parent = dirname(path);
  if (parent === path) return path;
  const folder = await realPathOf(parent, links);
  const here = join(folder, basename(path));
  const link = await lstat(here).catch(() => undefined);
  if (!link?.isSymbolicLink()) return here;
  return realPathOf(resolve(folder, await readlink(here)), links + 1);
}

/**
 * A path argument, relative to the root with forward slashes and proved to be inside of it; "." is the root itself. Links and `..` are
 * followed first, also for paths that don't exist yet. An absolute path inside of the root is taken too.
 *
 * @throws input_error `git/bad-path`, permission_error `git/path-outside-root` or `git/path-in-git-folder`
 */
export async function confinedPath(tree: Pick<WorkTree, "root" | "gitDir">, path: string, argument: string): Promise<string> {
  if (path === "") badPath(path, argument, "is empty", `Leave ${argument} out to mean everything, where the tool allows that.`);
  if (path.startsWith("-"))
    badPath(path, argument, "begins with a hyphen, so git could take it for an option", `If there is a file of that name, send ./${quoted(path)}`);
  if (path.includes("\0")) badPath(path, argument, "holds a NUL character", "Send the path without it.");
  if (path.length > MAX_PATH) badPath(path, argument, `has ${path.length} characters, more than ${MAX_PATH}`, "Send a shorter path.");

  const absolute = resolve(tree.root, path);
  let real: string;
  try {
    real = await realPathOf(absolute);
  } catch (error) {
    if (codeOf(error) === "ENAMETOOLONG") badPath(path, argument, "has a part that is longer than the file system allows", "Send a shorter path.");
    outside(path, argument, "leads through links that go round in a circle or can't be read");
  }
  // An absolute path may be spelt through a link to the root; then its real form is the one to use.
  const inRoot = isInside(absolute, tree.root) ? absolute : isAbsolute(path) ? real : absolute;
  if (!isInside(inRoot, tree.root)) outside(path, argument, "is outside of the work tree");
  if (!isInside(real, tree.root)) outside(path, argument, "leads out of the work tree through a symbolic link");
  const local = relative(tree.root, inRoot);
  const parts = [...local.split(sep), ...relative(tree.root, real).split(sep)];
  if (parts.some(isGitFolderName) || isInside(real, tree.gitDir)) inGitFolder(path, argument);
  return local === "" ? "." : local.split(sep).join("/");
}

/** Files of a commit, or of the index where no commit is given; at most some 20,000. */
async function knownFiles(tree: WorkTree, commit: string | undefined): Promise<string[]> {
  const args =
    commit === undefined ? ["ls-files", "-z", "--cached", "--others", "--exclude-standard"] : ["ls-tree", "-r", "-z", "--name-only", "--full-tree", commit];
  const run = await tree.git(args, { maxBytes: 1024 * 1024 });
  return run.stdout.toString("utf8").split("\0").slice(0, 20_000).filter(Boolean);
}

/** Says that nothing is called so, with the names that are most like it. */
export async function noSuchPath(tree: WorkTree, path: string, argument: string, commit?: string): Promise<never> {
  const nearest = nearestNames(path, await knownFiles(tree, commit));
  const where = commit === undefined ? "in the work tree" : `in commit ${commit.slice(0, 12)}`;
  throw resourceError("git/no-such-path", {
    what: `There is no file called ${quoted(path)} ${where}.`,
    why: "The path is misspelt (case counts), is not relative to the top folder, or the file was added, moved or deleted at another time.",
    fix: [
      nearest.length > 0
        ? `Send one of these as ${argument}: ${someOf(nearest.map(quoted))}`
        : "Look for the right path with git_search, or with git_show, whose answer lists the files of a commit.",
      ...(commit === undefined
        ? []
        : [`If the file existed at another time, find the commit with git_log and path set to ${quoted(path)}, and send it as ref.`]),
    ],
    details: { argument, nearest },
    alternativeTools: ["git_search", "git_log"],
  });
}
