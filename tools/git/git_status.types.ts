/**
 * Generated from git_status.tool.yaml by `fettle types`. Don't edit it: change the spec, then run that again.
 *
 * @noformat
 */
/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
import type { Handler as ToolHandler, HandlerQuestion, HandlerResult } from "fettle";

/** What git_status 1.0.0 is called with, as its handler sees it. */
export type Args = {
  /** Only this file or folder, relative to the top folder of the work tree; 1 to 1,000 characters, no hyphen at its start. Default: everything. */
  readonly path?: string;
  /**
   * Also list files that git doesn't track yet; ignored files are never listed. Default true.
   * @default true
   */
  readonly include_untracked: boolean;
  /**
   * Most files to list, 1 to 500. Default 100.
   * @default 100
   */
  readonly limit: number;
  /** The next_cursor of the answer before, 1 to 20 characters, sent with the same other arguments. Default: the first page. */
  readonly cursor?: string;
};

/** The data that git_status 1.0.0 answers with. */
export type Output = {
  /** The branch that is checked out. Absent while HEAD is detached. */
  readonly branch?: string;
  /** HEAD points to a commit and not to a branch, so new commits would belong to none. */
  readonly detached: boolean;
  /** Hash of the last commit, in full. Absent before the first commit. */
  readonly head?: string;
  /** The branch that this one follows, for example origin/main. Absent where there is none. */
  readonly upstream?: string;
  /** Commits that the upstream branch lacks. */
  readonly ahead?: number;
  /** Commits that this branch lacks. */
  readonly behind?: number;
  /** Something that was begun and waits to be finished. */
  readonly operation?: "merge" | "rebase" | "cherry_pick" | "revert" | "bisect";
  /** No file that was asked about differs from the last commit. */
  readonly clean: boolean;
  /** Files that differ: tracked ones by path, then untracked ones. */
  readonly files: readonly {
    /** Path relative to the top folder. */
    readonly path: string;
    /** Last commit against index. */
    readonly staged: "unchanged" | "modified" | "type_changed" | "added" | "deleted" | "renamed" | "copied" | "conflict";
    /** Index against work tree. */
    readonly unstaged: "unchanged" | "modified" | "type_changed" | "added" | "deleted" | "renamed" | "copied" | "untracked" | "conflict";
    /** Path before a rename or copy. */
    readonly old_path?: string;
    /** It is a submodule: another repository inside of this one. */
    readonly submodule?: boolean;
  }[];
  /** How many files differ, listed or not. */
  readonly files_total: number;
  /** Something was cut. hint says what and how to get it. */
  readonly truncated: boolean;
  /** What was cut and what to do next. */
  readonly hint?: string;
  /** There is more; send it as cursor. */
  readonly next_cursor?: string;
};

/** The handler of git_status 1.0.0. */
export type Handler = ToolHandler<Args, Output | HandlerResult | HandlerQuestion>;
