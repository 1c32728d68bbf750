/**
 * Generated from git_show.tool.yaml by `fettle types`. Don't edit it: change the spec, then run that again.
 *
 * @noformat
 */
/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
import type { Handler as ToolHandler, HandlerQuestion, HandlerResult } from "fettle";

/** What git_show 1.0.0 is called with, as its handler sees it. */
export type Args = {
  /**
   * Branch, tag or commit to show, 1 to 250 characters, no range. Default HEAD.
   * @default "HEAD"
   */
  readonly ref: string;
  /**
   * commit: what it changed. file: the content of the file at path, which is needed then. Default commit.
   * @default "commit"
   */
  readonly view: "commit" | "file";
  /** With view commit, only changes to this file or folder; with view file, the file. Relative to the top folder, 1 to 1,000 characters, no hyphen at its start. Default: all changes. */
  readonly path?: string;
  /**
   * Most lines of patch or content, 0 to 2,000; 0 leaves the lines out. A page ends at 48,000 characters too. Default 400.
   * @default 400
   */
  readonly limit: number;
  /** The next_cursor of the answer before, 1 to 20 characters, sent with the same other arguments. Default: the first page. */
  readonly cursor?: string;
};

/** The data that git_show 1.0.0 answers with. */
export type Output = {
  /** The commit that ref names. */
  readonly commit: {
    /** Full hash, 40 hex digits (64 in SHA-256 repositories). */
    readonly hash: string;
    /** Hashes of the commits before it: none for the first one, two or more for a merge. */
    readonly parents: readonly string[];
    /** Name of the author. */
    readonly author: string;
    /** Address of the author. */
    readonly author_email: string;
    /**
     * When it was written.
     * @format date-time
     */
    readonly author_date: string;
    /** Name of who committed it. */
    readonly committer: string;
    /**
     * When it was committed.
     * @format date-time
     */
    readonly commit_date: string;
    /** First line of the message, at most some 300 characters. */
    readonly subject: string;
    /** The rest of the message, at most some 5,000 characters. */
    readonly body: string;
  };
  /** With view commit, the files that it changed, at most 200. Give a path to see others. */
  readonly files?: readonly {
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
  /** With view commit, how many files it changed, listed or not. */
  readonly files_total?: number;
  /** With view commit, a page of the unified diff. */
  readonly patch?: string;
  /** With view file, the file. */
  readonly file?: {
    /** Path relative to the top folder. */
    readonly path: string;
    /** Bytes in the repository. */
    readonly size: number;
    /** It is no text, so content is empty. */
    readonly binary: boolean;
    /** A page of the content. */
    readonly content: string;
  };
  /** Something was cut. hint says what and how to get it. */
  readonly truncated: boolean;
  /** What was cut and what to do next. */
  readonly hint?: string;
  /** There is more; send it as cursor. */
  readonly next_cursor?: string;
};

/** The handler of git_show 1.0.0. */
export type Handler = ToolHandler<Args, Output | HandlerResult | HandlerQuestion>;
