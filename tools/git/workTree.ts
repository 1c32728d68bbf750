import { realpath, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { HandlerContext } from "fettle";
import { type GitMode, gitEnvironment } from "./gitEnvironment.js";
import { dubiousOwnership, gitFailed, notAWorkTree, unexpectedOutput } from "./gitErrors.js";
import { gitExecutable } from "./gitExecutable.js";
import { takeSlot } from "./processSlots.js";
import { type GitProcessOptions, type GitRun, runGit } from "./runGit.js";

/** How one git command is run in a work tree. */
export interface CommandOptions extends Pick<GitProcessOptions, "input" | "maxBytes" | "enough" | "traceHooks"> {
  /** Exit codes that are an answer and not a failure. Default only 0. With "any" the caller looks at them all. */
  readonly accept?: readonly number[] | "any";
}

/** The work tree that the tools are confined to. */
export interface WorkTree {
  /** Absolute real path of its top folder. */
  readonly root: string;
  /** Absolute real path of its git folder. */
  readonly gitDir: string;
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

/** Clean and smudge programs that the repository's own config names, each overridden by nothing. Those of the user's config stay (git-lfs). */
function switchedOffFilters(listing: string): [string, string][] {
  const fields = listing.split("\0");
  const overrides: [string, string][] = [];
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const key = fields[i + 1]?.split("\n")[0] ?? "";
    if (!/^(local|worktree)$/.test(fields[i] ?? "")) continue;
    if (/^filter\..*\.(clean|smudge|process)$/s.test(key)) overrides.push([key, ""]);
    if (/^filter\..*\.required$/s.test(key)) overrides.push([key, "false"]);
  }
  return overrides;
}

/**
 * Opens the root of the tools, `GIT_TOOLS_ROOT` or else the server's working folder, and runs `work` on it while holding one of its
 * process slots.
 *
 * @throws what the root or the machine lacks: `git/not-a-work-tree`, `git/dubious-ownership`, `git/not-installed`, `git/too-many-processes`
 */
export async function withWorkTree<T>(ctx: HandlerContext, use: WorkTreeUse, work: (tree: WorkTree) => Promise<T>): Promise<T> {
  const configured = resolve(ctx.env.GIT_TOOLS_ROOT || process.cwd());
  const release = takeSlot(configured, ctx.env.GIT_TOOLS_MAX_PROCESSES);
  try {
    const root = await openRoot(configured);
    const executable = gitExecutable(ctx.env.PATH ?? ctx.env.Path, root);
    const mode = use.mode ?? "read";
    const overrides: [string, string][] = [];

    const git = async (args: readonly string[], options: CommandOptions = {}): Promise<GitRun> => {
      const { accept = [0], ...rest } = options;
      const run = await runGit(args, ctx.signal, { ...rest, executable, cwd: root, env: gitEnvironment(ctx.env, mode, dirname(root), overrides) });
      if (accept === "any" || run.cut || accept.includes(run.code)) return run;
      throw gitFailed(args[0] ?? "", run);
    };

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
    if (top !== root) throw notAWorkTree(root, `its repository says that the top folder is ${top}`);
    const gitDir = await realpath(text.slice(split + 1)).catch(() => text.slice(split + 1));

    if (use.readsFiles && mode === "read") {
      const config = await git(["config", "--list", "-z", "--show-scope"], { accept: "any" });
      overrides.push(...switchedOffFilters(config.stdout.toString("utf8")));
    }
    return await work({ root, gitDir, git });
  } finally {
    release();
  }
}
