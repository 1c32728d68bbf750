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

/** Says that a page lies behind the last entry. */
export function pastTheEnd(start: number, total: number, what: string): string {
  return `The list ends before number ${start + 1}: there are ${total} ${what}. Leave cursor out to start again.`;
}

/** Characters of one page; some 12,000 tokens. */
const MAX_PAGE = 48_000;

/**
 * One page of a list that is all there.
 *
 * @param sizeOf characters that an entry takes; a page with one entry or more ends at 48,000 of them. Default: not counted.
 */
export function pageOf<T>(all: readonly T[], start: number, limit: number, sizeOf: (entry: T) => number = () => 0): { items: T[]; next_cursor?: string } {
  const items: T[] = [];
  let size = 0;
  for (const entry of all.slice(start, start + limit)) {
    size += sizeOf(entry);
    if (items.length > 0 && size > MAX_PAGE) break;
    items.push(entry);
  }
  const end = start + items.length;
  return { items, ...(items.length > 0 && end < all.length && { next_cursor: String(end) }) };
}
