import { linesOf, shortLine } from "./shownText.js";

/** One page of a text by lines. */
export interface LinePage {
  readonly text: string;
  /** First and last line shown, counted from 1. `last` is `first - 1` where nothing is shown. */
  readonly first: number;
  readonly last: number;
  /** Lines that were cut because they are too long. */
  readonly shortened: number;
  readonly next_cursor?: string;
}

/** Characters of one line that are shown. */
const MAX_LINE = 1_000;
/** Characters of one page; some 12,000 tokens. */
const MAX_PAGE = 48_000;

/**
 * A page of at most `limit` lines and 48,000 characters. At least one line is shown, so that paging always gets on.
 *
 * @param more whether the text goes on after what was given
 */
export function linePage(text: string, start: number, limit: number, more: boolean): LinePage {
  const lines = linesOf(text);
  const shown: string[] = [];
  let size = 0;
  let shortened = 0;
  for (const line of lines.slice(start, start + limit)) {
    const short = shortLine(line, MAX_LINE);
    size += short.length + 1;
    if (shown.length > 0 && size > MAX_PAGE) break;
    if (short !== line) shortened++;
    shown.push(short);
  }
  const end = start + shown.length;
  const next = shown.length > 0 && (end < lines.length || more);
  // The last line of a text may lack its line break.
  const ended = shown.length > 0 && (end < lines.length || text.endsWith("\n"));
  return { text: shown.join("\n") + (ended ? "\n" : ""), first: start + 1, last: end, shortened, ...(next && { next_cursor: String(end) }) };
}

/** Tells `runGit` that there are lines enough for a page that ends at `last`. */
export function linesReach(last: number): (piece: Buffer) => boolean {
  let seen = 0;
  return (piece) => {
    for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) seen++;
    return seen > last;
  };
}

/** A sentence for `hint` that says what was cut and how to get the rest; undefined when nothing was. */
export function pageHint(page: LinePage, what: string, how: string): string | undefined {
  const said: string[] = [];
  if (page.next_cursor !== undefined)
    said.push(`Shown are lines ${page.first} to ${page.last} of the ${what}. Send next_cursor as cursor for more, or ${how}.`);
  else if (page.last < page.first && page.first > 1) said.push(`The ${what} ends before line ${page.first}.`);
  else if (page.first > 1) said.push(`Shown are lines ${page.first} to ${page.last} of the ${what}, which are the last.`);
  if (page.shortened > 0) said.push(`${page.shortened} ${page.shortened === 1 ? "line was" : "lines were"} cut to ${MAX_LINE} characters.`);
  return said.length > 0 ? said.join(" ") : undefined;
}
