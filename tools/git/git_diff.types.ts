/**
 * Generated from git_diff.tool.yaml by `fettle types`. Don't edit it: change the spec, then run that again.
 *
 * @noformat
 */
/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
import type { Handler as ToolHandler, HandlerQuestion, HandlerResult } from "fettle";

/** What git_diff 1.0.0 is called with, as its handler sees it. */
export type Args = {
  /** The earlier side: branch, tag or commit, 1 to 250 characters, no range. Default: the index, or HEAD with staged. */
  readonly base?: string;
  /** The later side: branch, tag or commit, 1 to 250 characters. Needs base. Default: the work tree, or HEAD with from_merge_base. */
  readonly head?: string;
  /**
   * Start at the last commit that base and head have in common, so that only head's own changes are shown. Needs base. Default false.
   * @default false
   */
  readonly from_merge_base: boolean;
  /**
   * The later side is the index: what the next commit would hold. Not together with head or from_merge_base. Default false.
   * @default false
   */
  readonly staged: boolean;
  /** Only this file or folder, relative to the top folder; 1 to 1,000 characters, no hyphen at its start. Default: everything. */
  readonly path?: string;
  /**
   * Unchanged lines shown around each change, 0 to 20. Default 3.
   * @default 3
   */
  readonly context_lines: number;
  /**
   * Most lines of patch, 0 to 2,000; 0 lists the files only. A page ends at 48,000 characters too. Default 400.
   * @default 400
   */
  readonly limit: number;
  /** The next_cursor of the answer before, 1 to 20 characters, sent with the same other arguments. Default: the first page. */
  readonly cursor?: string;
};

/** The data that git_diff 1.0.0 answers with. */
export type Output = {
  /** The earlier side: a full hash, HEAD or index. */
  readonly from: string;
  /** The later side: a full hash, index or work tree. */
  readonly to: string;
  /** The files that differ, at most 200. Give a path to see others. */
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
  /** How many files differ, listed or not. */
  readonly files_total: number;
  /** A page of the unified diff. Empty when nothing differs. */
  readonly patch: string;
  /** Something was cut. hint says what and how to get it. */
  readonly truncated: boolean;
  /** What was cut and what to do next. */
  readonly hint?: string;
  /** There is more; send it as cursor. */
  readonly next_cursor?: string;
};

/** The handler of git_diff 1.0.0. */
export type Handler = ToolHandler<Args, Output | HandlerResult | HandlerQuestion>;
