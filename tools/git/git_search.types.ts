/**
 * Generated from git_search.tool.yaml by `fettle types`. Don't edit it: change the spec, then run that again.
 *
 * @noformat
 */
/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
import type { Handler as ToolHandler, HandlerQuestion, HandlerResult } from "fettle";

/** What git_search 1.0.0 is called with, as its handler sees it. */
export type Args = {
  /** The text to find, 1 to 500 characters on one line. Taken literally unless regex is true. */
  readonly pattern: string;
  /**
   * Take pattern as a POSIX extended regular expression, such as "(get|set)Name". Default false.
   * @default false
   */
  readonly regex: boolean;
  /**
   * Match upper and lower case alike. Default false.
   * @default false
   */
  readonly ignore_case: boolean;
  /** Only this file or folder, relative to the top folder; 1 to 1,000 characters, no hyphen at its start. Default: everything. */
  readonly path?: string;
  /** Branch, tag or commit to search in, 1 to 250 characters, no range. Default: the work tree. */
  readonly ref?: string;
  /**
   * Most matches to list, 1 to 200. Default 50.
   * @default 50
   */
  readonly limit: number;
  /** The next_cursor of the answer before, 1 to 20 characters, sent with the same other arguments. Default: the first page. */
  readonly cursor?: string;
};

/** The data that git_search 1.0.0 answers with. */
export type Output = {
  /** One entry for each line that matches, by path and line. */
  readonly matches: readonly {
    /** Path relative to the top folder. */
    readonly path: string;
    /** Line, counted from 1. */
    readonly line: number;
    /** Column of the first match in the line, in bytes, counted from 1. */
    readonly column: number;
    /** The line, at most some 300 characters. */
    readonly text: string;
  }[];
  /** Something was cut. hint says what and how to get it. */
  readonly truncated: boolean;
  /** What was cut and what to do next. */
  readonly hint?: string;
  /** There is more; send it as cursor. */
  readonly next_cursor?: string;
};

/** The handler of git_search 1.0.0. */
export type Handler = ToolHandler<Args, Output | HandlerResult | HandlerQuestion>;
