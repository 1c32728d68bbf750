import { readFile, realpath, stat } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import type { HandlerContext } from "fettle";
import { type GitMode, gitEnvironment } from "./gitEnvironment.js";
import { configTooLong, dubiousOwnership, gitFailed, notAWorkTree, unexpectedOutput } from "./gitErrors.js";
import { gitExecutable } from "./gitExecutable.js";
import { takeSlot } from "./processSlots.js";
import { type GitProcessOptions, type GitRun, runGit } from "./runGit.js";
import { writerTurn } from "./writerTurn.js";

/** How one git command is run in a work tree. */
export interface CommandOptions extends Pick<GitProcessOptions, "input" | "maxBytes" | "dropRest" | "enough" | "traceHooks"> {
  /** Exit codes that are an answer and not a failure. Default only 0. With "any" the caller looks at them all. */
  readonly accept?: readonly number[] | "any";
  /** Stops git in place of the call's signal: for what has to be done also when the call was given up. */
  readonly signal?: AbortSignal;
}

/** The work tree that the tools are confined to. */
export interface WorkTree {
  /** Absolute real path of its top folder. */
  readonly root: string;
  /** Absolute real path of its git folder. */
  readonly gitDir: string;
  /** Absolute real path of the git folder that this work tree shares with others, which is `gitDir` where it has one for itself. */
  readonly commonDir: string;
  /** Git folders that lie in the work tree under another name than `.git`: paths relative to the root, with forward slashes. Mostly none. */
  readonly hidden: readonly string[];
  /** Paths for git that mean themselves, patterns or not, and never a hidden folder. */
  spec(...paths: readonly string[]): string[];
  /** The same work tree with further variables for git. */
  withEnv(more: Readonly<Record<string, string>>): WorkTree;
  /** Runs git at the top folder. */
  git(args: readonly string[], options?: CommandOptions): Promise<GitRun>;
}

/** What `withWorkTree` needs to know of the call. */
export interface WorkTreeUse {
  /** `read` (default) runs nothing that the repository's configuration names; `write` runs its hooks and filters. */
  readonly mode?: GitMode;
  /** The command compares or reads files of the work tree, where clean filters would run: those of the repository are switched off. */
  readonly readsFiles?: boolean;
}

async function openRoot(configured: string): Promise<string> {
  let root: string;
  try {
    root = await realpath(configured);
  } catch {
    throw notAWorkTree(configured, "there is no such folder, or it can't be read");
  }
  if (!(await stat(root)).isDirectory()) throw notAWorkTree(root, "it is a file, not a folder");
  return root;
}

/** Filters that are switched off at most; each takes part of the environment, which has a limit. */
const MAX_FILTERS = 1_000;
const MAX_FILTER_BYTES = 96 * 1024;

/**
 * Clean and smudge programs that the repository's own config names, each overridden by nothing. Those of the user's config stay (git-lfs).
 *
 * @param listing `scope NUL key LF value NUL`, repeated
 */
function switchedOffFilters(listing: string): [string, string][] {
  const fields = listing.split("\0");
  const overrides = new Map<string, string>();
  let size = 0;
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const key = fields[i + 1]?.split("\n")[0] ?? "";
    if (!/^(local|worktree)$/.test(fields[i] ?? "") || overrides.has(key)) continue;
    overrides.set(key, key.endsWith(".required") ? "false" : "");
    size += key.length;
    if (overrides.size > MAX_FILTERS || size > MAX_FILTER_BYTES) throw configTooLong();
  }
  return [...overrides];
}

/** The git folder that linked work trees share (gitrepository-layout(5)). */
async function commonDirOf(gitDir: string): Promise<string> {
  const link = await readFile(join(gitDir, "commondir"), "utf8").catch(() => undefined);
  if (link === undefined) return gitDir;
  const folder = resolve(gitDir, link.replace(/\n$/, ""));
  return realpath(folder).catch(() => folder);
}

function inRoot(root: string, folder: string): string[] {
  const local = relative(root, folder);
  return local === "" || local === ".git" || local === ".." || local.startsWith(`..${sep}`) || resolve(root, local) !== folder
    ? []
    : [local.split(sep).join("/")];
}

/**
 * Opens the root of the tools, `GIT_TOOLS_ROOT` or else the server's working folder, and runs `work` on it while holding one of its
 * process slots. Calls that write have their turn one after the other.
 *
 * @throws what the root or the machine lacks: `git/not-a-work-tree`, `git/dubious-ownership`, `git/not-installed`, `git/too-many-processes`
 */
export async function withWorkTree<T>(ctx: HandlerContext, use: WorkTreeUse, work: (tree: WorkTree) => Promise<T>): Promise<T> {
  const configured = resolve(ctx.env.GIT_TOOLS_ROOT || process.cwd());
  const mode = use.mode ?? "read";
  let endTurn: (() => void) | undefined;
  let release: (() => void) | undefined;
  try {
    const root = await openRoot(configured);
    if (mode === "write") endTurn = await writerTurn(root, ctx.signal);
    release = takeSlot(configured, ctx.env.GIT_TOOLS_MAX_PROCESSES);
    return await work(await openWorkTree(ctx, root, mode, use.readsFiles === true));
  } finally {
    release?.();
    endTurn?.();
  }
}

async function openWorkTree(ctx: HandlerContext, root: string, mode: GitMode, readsFiles: boolean): Promise<WorkTree> {
  const executable = gitExecutable(ctx.env.PATH ?? ctx.env.Path, root);
  const overrides: [string, string][] = [];
  // Answers name files as callers do: relative to the root.
  const relativeTo = (text: string) => (root === dirname(root) ? text : text.replaceAll(`${root}/`, "").replaceAll(root, "."));

  const gitWith =
    (more: Readonly<Record<string, string>>): WorkTree["git"] =>
    async (args, { accept = [0], signal = ctx.signal, ...rest } = {}) => {
      const env = { ...gitEnvironment(ctx.env, mode, dirname(root), overrides), ...more };
      const raw = await runGit(args, signal, { ...rest, executable, cwd: root, env });
      const hook = raw.failedHook;
      const run = { ...raw, stderr: relativeTo(raw.stderr), ...(hook && { failedHook: { ...hook, said: relativeTo(hook.said) } }) };
      if (accept === "any" || run.cut || accept.includes(run.code)) return run;
      throw gitFailed(args[0] ?? "", run);
    };

  const git = gitWith({});
  const opened = await git(["rev-parse", "--show-toplevel", "--absolute-git-dir"], { accept: "any" });
  if (opened.code !== 0) {
    if (opened.stderr.includes("dubious ownership")) throw dubiousOwnership(root);
    if (/not a git repository/i.test(opened.stderr)) throw notAWorkTree(root, "it is not the top folder of a Git repository");
    if (/must be run in a work tree|safe\.bareRepository|bare repository/i.test(opened.stderr))
      throw notAWorkTree(root, "it is a bare repository or the inside of .git, without files to work on");
    throw gitFailed("rev-parse", opened);
  }
  // The root may itself hold a line break, so the two lines are told apart from the end: a git folder is the last one.
  const text = opened.stdout.toString("utf8").replace(/\n$/, "");
  const split = text.indexOf("\n", Math.min(root.length, text.length));
  if (split < 0) throw unexpectedOutput("rev-parse", text);
  const top = await realpath(text.slice(0, split)).catch(() => text.slice(0, split));
  if (top !== root) throw notAWorkTree(root, "its repository says that another folder is the top folder", `: ${top}`);
  const gitDir = await realpath(text.slice(split + 1)).catch(() => text.slice(split + 1));
  const commonDir = await commonDirOf(gitDir);

  if (readsFiles && mode === "read") {
    const config = await git(["config", "-z", "--show-scope", "--get-regexp", "^filter\\..*\\.(clean|smudge|process|required)$"], { accept: [0, 1] });
    if (config.cut) throw configTooLong();
    overrides.push(...switchedOffFilters(config.stdout.toString("utf8")));
  }
  const hidden = [...new Set([gitDir, commonDir])].flatMap((folder) => inRoot(root, folder));
  const spec = (...paths: readonly string[]) => [...paths.map((path) => `:(literal)${path}`), ...hidden.map((path) => `:(exclude,literal)${path}`)];
  const base = { root, gitDir, commonDir, hidden, spec };
  const withEnv = (more: Readonly<Record<string, string>>): WorkTree => ({
    ...base,
    git: gitWith(more),
    withEnv: (further) => withEnv({ ...more, ...further }),
  });
  return { ...base, git, withEnv };
}
