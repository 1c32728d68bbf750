import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { commitFailure } from "./commitFailure.js";
import { unexpectedOutput } from "./gitErrors.js";
import { ownIndex } from "./ownIndex.js";
import type { GitRun } from "./runGit.js";
import type { TreeStatus } from "./treeStatus.js";
import type { WorkTree } from "./workTree.js";
import { writeFailure } from "./writeFailure.js";

/** What is to be committed. */
export interface CommitChoice {
  /** Only these, where there are any. */
  readonly changed: readonly string[];
  /** Those of `changed` that aren't staged yet. */
  readonly toStage: readonly string[];
  /** Every changed file that git tracks. */
  readonly all: boolean;
}

/** Time to find out what became of a commit that was given up, in milliseconds. */
const AFTERWARDS_MS = 5_000;
const MAX_SUMMARY = 64 * 1024;

/**
 * The hash in `[main (root-commit) abc1234] Subject`, the line that git prints about its commit. (HEAD may be somewhere else by now: a
 * hook or another process may have moved it.)
 */
async function committedHash(tree: WorkTree, summary: string): Promise<string> {
  const short = /^\[(?:detached HEAD|\S+)(?: \(root-commit\))? ([0-9a-f]{4,64})\] /m.exec(summary)?.[1];
  if (short === undefined) throw unexpectedOutput("commit", summary);
  const run = await tree.git(["rev-parse", "--verify", "--end-of-options", `${short}^{commit}`], { signal: AbortSignal.timeout(AFTERWARDS_MS) });
  return run.stdout.toString("utf8").trim();
}

/** Whether HEAD has moved on by a commit after all. It may have when git was stopped late, while a hook was told of the commit. */
async function movedOn(tree: WorkTree, before: string | undefined): Promise<string | undefined> {
  const run = await tree
    .git(["rev-list", "--parents", "--max-count=1", "HEAD", "--"], { accept: "any", signal: AbortSignal.timeout(AFTERWARDS_MS) })
    .catch(() => undefined);
  const [hash, parent] = run?.code === 0 ? run.stdout.toString("utf8").trim().split(" ") : [];
  return hash !== undefined && hash !== before && parent === before ? hash : undefined;
}

async function add(tree: WorkTree, status: TreeStatus, args: readonly string[], paths: readonly string[]): Promise<void> {
  const run = await tree.git(["add", ...args, "--", ...tree.spec(...paths)], { accept: "any", traceHooks: true });
  if (run.code !== 0) throw writeFailure("stage the files", "add", run, status);
}

/** Paths that `git add` finds, on disk or in the index. It refuses to begin with one that it doesn't find. */
async function addable(tree: WorkTree, paths: readonly string[]): Promise<string[]> {
  const run = await tree.git(["ls-files", "-z", "--cached", "--", ...tree.spec(...paths)]);
  const tracked = run.stdout.toString("utf8").split("\0");
  const there = await Promise.all(
    paths.map(async (path) => {
      if (run.cut || path === "." || tracked.some((file) => file === path || file.startsWith(`${path}/`))) return true;
      return (await lstat(join(tree.root, path)).catch(() => undefined)) !== undefined;
    }),
  );
  return paths.filter((_, i) => there[i]);
}

/**
 * Brings a tree's index to the last commit and the paths to what is on disk. (`git commit --only` would do the same, but it opens files
 * whose folders were replaced by links, and so could read files from outside of the root.)
 */
async function onlyPaths(tree: WorkTree, status: TreeStatus, paths: readonly string[]): Promise<string> {
  await tree.git(status.head === undefined ? ["read-tree", "--empty"] : ["read-tree", "-i", "-m", status.head]);
  const found = await addable(tree, paths);
  if (found.length > 0) await add(tree, status, ["--all"], found);
  const run = await tree.git(["write-tree"]);
  return run.stdout.toString("utf8").trim();
}

/** What hooks have staged beyond the tree that was to be committed is put into the index as well; else it would seem to be undone there. */
async function takeHookChanges(tree: WorkTree, planned: string, hash: string): Promise<void> {
  const signal = AbortSignal.timeout(AFTERWARDS_MS);
  const { stdout } = await tree.git(["diff-tree", "-r", "-z", "--no-renames", planned, `${hash}^{tree}`], { signal });
  const fields = stdout.toString("latin1").split("\0");
  let entries = "";
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const [, mode = "", , id = ""] = (fields[i] ?? "").split(" ");
    entries += `${mode} ${id}\t${fields[i + 1]}\0`;
  }
  if (entries !== "") await tree.git(["update-index", "-z", "--index-info"], { input: Buffer.from(entries, "latin1"), signal });
}

/**
 * Stages and commits in a copy of the index, which takes the place of the real one when the commit is made. Until then the index is locked
 * and stays as it is, byte for byte: with flags such as skip-worktree, and whether the commit fails, is given up or the server ends.
 * Hooks see the copy under GIT_INDEX_FILE, as they see git's own copies.
 *
 * @param choose looks at the state, with the index locked, and says what to commit
 * @returns the new commit's hash and the state before it
 */
export async function stagedCommit(
  plain: WorkTree,
  message: string,
  choose: (tree: WorkTree) => Promise<{ status: TreeStatus; choice: CommitChoice }>,
): Promise<{ hash: string; status: TreeStatus }> {
  const index = await ownIndex(plain.gitDir);
  try {
    const tree = plain.withEnv({ GIT_INDEX_FILE: index.file });
    const { status, choice } = await choose(tree);
    if (choice.all) await add(tree, status, ["--update"], ["."]);
    if (choice.toStage.length > 0) await add(tree, status, ["--all"], choice.toStage);
    const partly = choice.changed.length > 0 ? plain.withEnv({ GIT_INDEX_FILE: await index.again() }) : undefined;
    const planned = partly && (await onlyPaths(partly, status, choice.changed));
    let run: GitRun;
    try {
      const args = ["commit", "--cleanup=whitespace", "--file=-"];
      run = await (partly ?? tree).git(args, { input: message, accept: "any", traceHooks: true, maxBytes: MAX_SUMMARY, dropRest: true });
      if (run.code !== 0) throw commitFailure(run, status);
    } catch (error) {
      // Where the commit was made after all, an index of before it would say that it is to be undone.
      if ((await movedOn(plain, status.head)) !== undefined) await index.takeOver();
      throw error;
    }
    try {
      const hash = await committedHash(plain, run.stdout.toString("utf8"));
      if (planned !== undefined) await takeHookChanges(tree, planned, hash);
      return { hash, status };
    } finally {
      await index.takeOver();
    }
  } finally {
    await index.close();
  }
}
