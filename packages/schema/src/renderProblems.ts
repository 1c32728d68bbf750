import { cutText } from "./showValue.js";
import type { Problem } from "./types.js";

/** How a list of problems is rendered. */
export interface RenderOptions {
  /** The first line. Default `5 problems:`. */
  readonly heading?: string;
  /** A last line. */
  readonly footer?: string;
  /** Most lines. Default 20. */
  readonly limit?: number;
}

/** A line is cut here, so that a text of 20 lines has an upper bound of about 8,000 characters whatever the value. */
const LONGEST_LINE = 400;

/**
 * All problems of a value as one text, a line each.
 *
 * @example
 * renderProblems(problems)
 * // 2 problems:
 * // - unknown argument brnch. Allowed here: ref, limit
 * // - limit must be between 1 and 100, got 500
 */
export function renderProblems(problems: readonly Pick<Problem, "message">[], options: RenderOptions = {}): string {
  const limit = options.limit ?? 20;
  let text = options.heading ?? `${countProblems(problems, limit)}:`;
  for (const problem of problems.slice(0, limit)) text += `\n- ${cutText(problem.message, LONGEST_LINE)}`;
  if (problems.length > limit) text += "\n- and more of the kind";
  return options.footer === undefined ? text : `${text}\n${options.footer}`;
}

/** `1 problem`, `5 problems`, `more than 20 problems`. */
export function countProblems(problems: readonly unknown[], limit: number = 20): string {
  if (problems.length > limit) return `more than ${limit} problems`;
  return problems.length === 1 ? "1 problem" : `${problems.length} problems`;
}
