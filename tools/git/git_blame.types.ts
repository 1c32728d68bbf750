/**
 * Generated from git_blame.tool.yaml by `fettle types`. Don't edit it: change the spec, then run that again.
 *
 * @noformat
 */
/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
import type { Handler as ToolHandler, HandlerQuestion, HandlerResult } from "fettle";

/** What git_blame 1.0.0 is called with, as its handler sees it. */
export type Args = {
  /** The file, relative to the top folder; 1 to 1,000 characters, no hyphen at its start. */
  readonly path: string;
  /**
   * Branch, tag or commit whose version of the file is meant, 1 to 250 characters, no range. Default HEAD.
   * @default "HEAD"
   */
  readonly ref: string;
  /**
   * First line, 1 to 10,000,000. Default 1.
   * @default 1
   */
  readonly start_line: number;
  /** Last line, 1 to 10,000,000, not before start_line. Default: the end of the file. */
  readonly end_line?: number;
  /**
   * Look through commits that changed only white space. Default false.
   * @default false
   */
  readonly ignore_whitespace: boolean;
  /**
   * Most lines to show, 1 to 500. Default 200.
   * @default 200
   */
  readonly limit: number;
  /** The next_cursor of the answer before, 1 to 20 characters, sent with the same other arguments. Default: the first page. */
  readonly cursor?: string;
};

/** The data that git_blame 1.0.0 answers with. */
export type Output = {
  /** Path relative to the top folder. */
  readonly path: string;
  /** Full hash of the commit that ref names. */
  readonly commit: string;
  /** Lines of the file at that commit. */
  readonly lines_total: number;
  /** Blocks of lines that stand together and come from one commit. */
  readonly hunks: readonly {
    /** First line of the block, counted from 1. */
    readonly start_line: number;
    /** Last line of the block. */
    readonly end_line: number;
    /** Full hash of the commit. */
    readonly hash: string;
    /** Name of the author. */
    readonly author: string;
    /**
     * When it was written.
     * @format date-time
     */
    readonly date: string;
    /** First line of the message. */
    readonly subject: string;
    /** Path of the file in that commit, where it was another one. */
    readonly old_path?: string;
    /** The lines, each at most some 300 characters. */
    readonly lines: readonly string[];
  }[];
  /** Something was cut. hint says what and how to get it. */
  readonly truncated: boolean;
  /** What was cut and what to do next. */
  readonly hint?: string;
  /** There is more; send it as cursor. */
  readonly next_cursor?: string;
};

/** The handler of git_blame 1.0.0. */
export type Handler = ToolHandler<Args, Output | HandlerResult | HandlerQuestion>;
