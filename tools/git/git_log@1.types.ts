/**
 * Generated from git_log@1.tool.yaml by `fettle types`. Don't edit it: change the spec, then run that again.
 *
 * @noformat
 */
/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
import type { Handler as ToolHandler, HandlerQuestion, HandlerResult } from "fettle";

/** What git_log 1.4.0 is called with, as its handler sees it. */
export type Args = {
  /**
   * Branch, tag or commit to start from, 1 to 250 characters, no range and no option. Default HEAD.
   * @default "HEAD"
   */
  readonly branch: string;
  /** Only commits that touch this file or folder, relative to the top folder; 1 to 1,000 characters, no hyphen at its start. Default: all. */
  readonly file?: string;
  /**
   * Only commits made on or after this day (YYYY-MM-DD, UTC). Default: no limit.
   * @format date
   */
  readonly since?: string;
  /**
   * Most commits to list, 1 to 100. Default 20.
   * @default 20
   */
  readonly max_count: number;
  /**
   * How many commits to leave out from the start, 0 to 1,000,000. Default 0.
   * @default 0
   */
  readonly skip: number;
};

/** The data that git_log 1.4.0 answers with. */
export type Output = {
  /** The commits, newest first. Empty when none fits. */
  readonly entries: readonly {
    /** Full hash, 40 hex digits (64 in SHA-256 repositories). */
    readonly sha: string;
    /** Who wrote it. */
    readonly author: {
      /** Name of the author. */
      readonly name: string;
      /** Address of the author. */
      readonly email: string;
    };
    /** When it was committed */
    readonly timestamp: number;
    /** First line of the message, at most some 300 characters. */
    readonly message: string;
  }[];
  /** There is more; call again with skip raised by the number of entries. */
  readonly has_more: boolean;
};

/** The handler of git_log 1.4.0. */
export type Handler = ToolHandler<Args, Output | HandlerResult | HandlerQuestion>;
