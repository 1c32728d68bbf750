import { inputError } from "fettle";
import { quoted } from "./gitErrors.js";

const MAX_OFFSET = 10_000_000;

/** A cursor that isn't one of ours. */
export function badCursor(cursor: string): never {
  throw inputError("git/bad-cursor", {
    what: `cursor can't be used: "${quoted(cursor)}" was not given by this tool, or not for these arguments.`,
    why: "A cursor is the next_cursor of an earlier answer, sent back unchanged together with the same other arguments.",
    fix: ["Leave cursor out to start with the first page.", "Then send the next_cursor of each answer to get the page after it."],
  });
}

/**
 * Where the page of a cursor begins: how many entries came before it. Default 0.
 *
 * @throws input_error `git/bad-cursor`
 */
export function pageStart(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const start = /^[0-9]{1,8}$/.test(cursor) ? Number(cursor) : Number.NaN;
  return start > 0 && start <= MAX_OFFSET ? start : badCursor(cursor);
}

/** One page of a list that is all there. */
export function pageOf<T>(all: readonly T[], start: number, limit: number): { items: T[]; next_cursor?: string } {
  const end = start + limit;
  return { items: all.slice(start, end), ...(end < all.length && { next_cursor: String(end) }) };
}
