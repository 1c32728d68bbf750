/**
 * Generated from git_create_branch.tool.yaml by `fettle types`. Don't edit it: change the spec, then run that again.
 *
 * @noformat
 */
/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
import type { Handler as ToolHandler, HandlerQuestion, HandlerResult } from "fettle";

/** What git_create_branch 1.0.0 is called with, as its handler sees it. */
export type Args = {
  /** Name of the new branch: 1 to 200 letters, digits, hyphens, dots and slashes, without spaces, no hyphen at its start. */
  readonly name: string;
  /**
   * Branch, tag or commit where the branch begins, 1 to 250 characters, no range. Default HEAD.
   * @default "HEAD"
   */
  readonly start_point: string;
  /**
   * Check the new branch out, which changes the files of the work tree where start_point isn't HEAD. Default false.
   * @default false
   */
  readonly switch: boolean;
};

/** The data that git_create_branch 1.0.0 answers with. */
export type Output = {
  /** The branch that was made. */
  readonly name: string;
  /** Full hash of the commit that it points to. */
  readonly commit: string;
  /** The branch is checked out now. */
  readonly switched: boolean;
  /** The branch that was checked out before. Absent where HEAD was detached. */
  readonly previous_branch?: string;
};

/** The handler of git_create_branch 1.0.0. */
export type Handler = ToolHandler<Args, Output | HandlerResult | HandlerQuestion>;
