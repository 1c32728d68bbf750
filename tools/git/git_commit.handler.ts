import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { inputError } from "fettle";
import { changedFiles, emptyTree } from "./changedFiles.js";
import { nothingToCommit } from "./commitFailure.js";
import { confinedPath } from "./confinedPath.js";
import type { Handler } from "./git_commit.types.js";
import { quoted, someOf } from "./gitErrors.js";
import { enclosingRepository, noSuchPath } from "./knownPath.js";
import { pendingOperation } from "./pendingOperation.js";
import { shortLine } from "./shownText.js";
import { type CommitChoice, stagedCommit } from "./stagedCommit.js";
import { type StatusFile, type TreeStatus, treeStatus } from "./treeStatus.js";
import { type WorkTree, withWorkTree } from "./workTree.js";
import { operationInProgress, unmergedFiles } from "./writeFailure.js";

const MAX_FILES = 200;

function checkMessage(message: string): void {
  if (message.trim() !== "" && !message.includes("\0")) return;
  throw inputError("git/bad-message", {
    what: message.includes("\0") ? "message holds a NUL character." : "message is empty or only white space.",
    why: "Every commit needs a message of text.",
    fix: "Send a first line that says what the commit does, at best under 72 characters; then, after an empty line, why.",
  });
}

const names = (files: readonly StatusFile[]): string => someOf(files.map((file) => quoted(file.path)));

/** Without paths the index is committed as it is: there has to be something in it. */
function checkIndex(status: TreeStatus, merging: boolean): void {
  if (merging || status.cut || status.files.some((file) => file.staged !== "unchanged")) return;
  if (status.files.length === 0) throw nothingToCommit("There is nothing to commit: the work tree is as the last commit left it.", "Change a file first.");
  throw inputError("git/nothing-staged", {
    what: `Nothing is staged, and no paths were given. Changed and not staged: ${names(status.files)}.`,
    why: "Without paths and all_tracked, exactly what is staged is committed.",
    fix: ["Send the files to commit as paths; they are staged for you.", "Or set all_tracked to true to commit every changed file that git tracks already."],
    details: { changed: status.files.slice(0, 20).map((file) => file.path) },
  });
}

const isUnder = (file: string | undefined, path: string): boolean => path === "." || file === path || file?.startsWith(`${path}/`) === true;

/** The paths that have changes. One that has none must at least be tracked. */
async function changedPaths(tree: WorkTree, status: TreeStatus, paths: readonly string[]): Promise<{ changed: string[]; toStage: string[] }> {
  const covers = (path: string) => (file: StatusFile) => isUnder(file.path, path) || isUnder(file.old_path, path);
  const changed = paths.filter((path) => status.cut || status.files.some(covers(path)));
  for (const path of paths) {
    // What stands for bytes that aren't UTF-8 looks like a name that git has listed, but is none.
    const missing = (await lstat(join(tree.root, path)).catch(() => undefined)) === undefined;
    if (changed.includes(path) && !(missing && path.includes("\ufffd"))) continue;
    if ((await tree.git(["ls-files", "-z", "--cached", "--", `:(literal)${path}`])).stdout.length > 0) continue;
    if (missing || (await enclosingRepository(tree, path)) !== undefined) await noSuchPath(tree, path, "paths");
    throw inputError("git/path-ignored", {
      what: `${quoted(path)} can't be committed: git ignores it, or it is an empty folder.`,
      why: "A rule in .gitignore or in the repository's exclude file matches it. Ignored files are usually built or private.",
      fix: ["Leave it out of paths.", "If it has to be committed, the rule in .gitignore has to be changed first."],
      details: { path },
    });
  }
  if (changed.length === 0)
    throw nothingToCommit(
      `There is nothing to commit in ${someOf(paths.map(quoted))}: no file there differs from the last commit.`,
      "Send paths with changes.",
    );
  // What is staged as deleted is neither in the index nor on disk, and `git add` would not find it.
  const toStage = changed.filter((path) => status.cut || status.files.some((file) => file.unstaged !== "unchanged" && covers(path)(file)));
  return { changed, toStage };
}

/** What the arguments choose of what is changed. */
async function chosen(tree: WorkTree, paths: readonly string[], all: boolean): Promise<{ status: TreeStatus; choice: CommitChoice }> {
  const status = await treeStatus(tree);
  const conflicts = status.files.filter((file) => file.unstaged === "conflict");
  if (conflicts.length > 0) throw unmergedFiles(conflicts.map((file) => file.path));
  const operation = await pendingOperation(tree.gitDir);
  if (operation === "merge" && paths.length > 0) {
    throw operationInProgress(
      "A merge is in progress, and a merge can't be committed in parts.",
      "Leave paths out, so that all that is staged is committed, and the merge with it.",
    );
  }
  if (paths.length > 0) return { status, choice: { ...(await changedPaths(tree, status, paths)), all: false } };
  if (!all) checkIndex(status, operation === "merge");
  else if (!status.cut && operation !== "merge" && status.files.every((file) => file.unstaged === "untracked")) {
    throw nothingToCommit("There is nothing to commit: no file that git tracks was changed.", "To commit new files, send them as paths.");
  }
  return { status, choice: { changed: [], toStage: [], all } };
}

export default (({ message, paths = [], all_tracked = false }, ctx) =>
  withWorkTree(ctx, { mode: "write" }, async (tree) => {
    checkMessage(message);
    if (paths.length > 0 && all_tracked) {
      throw inputError("git/conflicting-arguments", {
        what: "paths and all_tracked can't be given together.",
        why: "paths commits just those files; all_tracked commits every changed file that git tracks.",
        fix: "Leave one of them out.",
      });
    }
    const inside = await Promise.all(paths.map(async (path) => (await confinedPath(tree, path, "paths")).tracked));
    const { hash, status } = await stagedCommit(tree, message, (locked) => chosen(locked, inside, all_tracked));
    const { files, cut } = await changedFiles(tree, [status.head ?? emptyTree(hash), hash], ".");
    const hints: string[] = [];
    if (status.branch === undefined) hints.push("HEAD is detached, so the commit belongs to no branch. Call git_create_branch to keep it.");
    if (files.length > MAX_FILES || cut) hints.push(`${Math.min(MAX_FILES, files.length)} of the files are listed; git_show lists them with paging.`);
    return {
      hash,
      ...(status.branch !== undefined && { branch: status.branch }),
      subject: shortLine(message.trim().split("\n")[0] ?? "", 300),
      files: files.slice(0, MAX_FILES),
      files_total: files.length,
      truncated: files.length > MAX_FILES || cut,
      ...(hints.length > 0 && { hint: hints.join(" ") }),
    };
  })) satisfies Handler;
