import { lstat, readlink, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { inputError, permissionError } from "fettle";
import { quoted } from "./gitErrors.js";
import { isGitFolderName } from "./gitFolder.js";
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

/** A path argument that is proved to be inside of the root. */
export interface ConfinedPath {
  /** As it was sent, relative to the root with forward slashes; "." is the root itself. */
  readonly asSent: string;
  /** The same with links among its folders followed: git tracks a file under the real path of its folder. Mostly equal to `asSent`. */
  readonly tracked: string;
}

/**
 * Proves that a path argument is inside of the root. Links and `..` are followed first, also for paths that don't exist yet. An absolute
 * path inside of the root is taken too.
 *
 * @throws input_error `git/bad-path`, permission_error `git/path-outside-root` or `git/path-in-git-folder`
 */
export async function confinedPath(tree: Pick<WorkTree, "root" | "gitDir" | "commonDir">, path: string, argument: string): Promise<ConfinedPath> {
  if (path === "") badPath(path, argument, "is empty", `Leave ${argument} out to mean everything, where the tool allows that.`);
  if (path.startsWith("-"))
    badPath(path, argument, "begins with a hyphen, so git could take it for an option", `If there is a file of that name, send ./${quoted(path)}`);
  if (path.includes("\0")) badPath(path, argument, "holds a NUL character", "Send the path without it.");
  if (path.length > MAX_PATH) badPath(path, argument, `has ${path.length} characters, more than ${MAX_PATH}`, "Send a shorter path.");

  const absolute = resolve(tree.root, path);
  let real: string;
  let folder: string;
  try {
    real = await realPathOf(absolute);
    folder = await realPathOf(dirname(absolute));
  } catch (error) {
    if (codeOf(error) === "ENAMETOOLONG") badPath(path, argument, "has a part that is longer than the file system allows", "Send a shorter path.");
    outside(path, argument, "leads through links that go round in a circle or can't be read");
  }
  // An absolute path may be spelt through a link to the root; then its real form is the one to use.
  const inRoot = isInside(absolute, tree.root) ? absolute : isAbsolute(path) ? real : absolute;
  if (!isInside(inRoot, tree.root)) outside(path, argument, "is outside of the work tree");
  if (!isInside(real, tree.root)) outside(path, argument, "leads out of the work tree through a symbolic link");
  // The last part may be a link: that is tracked as such.
  const tracked = inRoot === absolute && absolute !== tree.root ? join(folder, basename(absolute)) : inRoot;
  if (!isInside(tracked, tree.root)) outside(path, argument, "leads out of the work tree through a symbolic link");
  const local = (file: string) => relative(tree.root, file).split(sep).join("/") || ".";
  const parts = [inRoot, tracked, real].flatMap((file) => local(file).split("/"));
  const own = [tracked, real].some((file) => isInside(file, tree.gitDir) || isInside(file, tree.commonDir));
  if (own || parts.some(isGitFolderName)) inGitFolder(path, argument);
  return { asSent: local(inRoot), tracked: local(tracked) };
}
