/**
 * Generated from git_commit.tool.yaml by `fettle types`. Don't edit it: change the spec, then run that again.
 *
 * @noformat
 */
/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
import type { Handler as ToolHandler, HandlerQuestion, HandlerResult } from "fettle";

/** What git_commit 1.0.0 is called with, as its handler sees it. */
export type Args = {
  /** The commit message, 1 to 10,000 characters: a first line that says what, at best under 72 characters; then, after an empty line, why. */
  readonly message: string;
  /** Commit only these files or folders, 1 to 100, each 1 to 1,000 characters, relative to the top folder. Not together with all_tracked. Default: what is staged. */
  readonly paths?: readonly string[];
  /**
   * Commit every changed or deleted file that git tracks already; new files stay out. Not together with paths. Default false.
   * @default false
   */
  readonly all_tracked: boolean;
};

/** The data that git_commit 1.0.0 answers with. */
export type Output = {
  /** Full hash of the new commit. */
  readonly hash: string;
  /** The branch that it was made on. Absent where HEAD is detached. */
  readonly branch?: string;
  /** First line of the message, at most some 300 characters. */
  readonly subject: string;
  /** The files that were committed, at most 200. `git_show` lists more. */
  readonly files: readonly {
    /** Path relative to the top folder, after the change. */
    readonly path: string;
    /** Path before a rename or copy. */
    readonly old_path?: string;
    /** What happened to the file. */
    readonly status: "added" | "modified" | "deleted" | "renamed" | "copied" | "type_changed" | "unmerged";
    /** Lines added. 0 for binary files. */
    readonly additions: number;
    /** Lines removed. 0 for binary files. */
    readonly deletions: number;
    /** The file is no text, so no lines are shown or counted. */
    readonly binary: boolean;
  }[];
  /** How many files were committed, listed or not. */
  readonly files_total: number;
  /** Not all files are listed. */
  readonly truncated: boolean;
  /** What to mind, for example that HEAD is detached. */
  readonly hint?: string;
};

/** The handler of git_commit 1.0.0. */
export type Handler = ToolHandler<Args, Output | HandlerResult | HandlerQuestion>;
