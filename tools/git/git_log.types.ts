/**
 * Generated from git_log.tool.yaml by `fettle types`. Don't edit it: change the spec, then run that again.
 *
 * @noformat
 */
/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
import type { Handler as ToolHandler, HandlerQuestion, HandlerResult } from "fettle";

/** What git_log 2.0.0 is called with, as its handler sees it. */
export type Args = {
  /**
   * Branch, tag or commit to start from, 1 to 250 characters, no range and no option. Default HEAD.
   * @default "HEAD"
   */
  readonly ref: string;
  /** Only commits that touch this file or folder, relative to the top folder; 1 to 1,000 characters, no hyphen at its start. Default: all. */
  readonly path?: string;
  /** Only commits whose author's name or address contains this text, case ignored; 1 to 200 characters on one line. Default: all authors. */
  readonly author?: string;
  /** Only commits whose message contains this text, case ignored; plain text, no pattern, 1 to 200 characters on one line. Default: all. */
  readonly message?: string;
  /**
   * Only commits made on or after this day (YYYY-MM-DD, UTC). Default: no limit.
   * @format date
   */
  readonly since?: string;
  /**
   * Only commits made on or before this day (YYYY-MM-DD, UTC), not earlier than since. Default: no limit.
   * @format date
   */
  readonly until?: string;
  /**
   * Most commits to list, 1 to 100. Default 20.
   * @default 20
   */
  readonly limit: number;
  /** The next_cursor of the answer before, 42 to 80 characters, sent with the same other arguments; ref is ignored then. Default: the first page. */
  readonly cursor?: string;
};

/** The data that git_log 2.0.0 answers with. */
export type Output = {
  /** The commits, newest first. Empty when none fits; hint says so where path names no file. */
  readonly commits: readonly {
    /** Full hash, 40 hex digits (64 in SHA-256 repositories). */
    readonly hash: string;
    /** Hashes of the commits before it: none for the first one, two or more for a merge. */
    readonly parents: readonly string[];
    /** Name of the author. */
    readonly author: string;
    /** Address of the author. */
    readonly author_email: string;
    /**
     * When it was committed, which since and until compare.
     * @format date-time
     */
    readonly date: string;
    /** First line of the message, at most some 300 characters. */
    readonly subject: string;
  }[];
  /** Why there are no commits to show, for example that no file is called so. */
  readonly hint?: string;
  /** There is more; send it as cursor. */
  readonly next_cursor?: string;
};

/** The handler of git_log 2.0.0. */
export type Handler = ToolHandler<Args, Output | HandlerResult | HandlerQuestion>;
