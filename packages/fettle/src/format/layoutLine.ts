import stringWidth from "string-width";
import { visible } from "../visible.js";

const TAB = 4;
const BOM = "\ufeff";

/** A line as a terminal shows it. */
export interface LaidLine {
  /** The cells in order; each is what is seen of one user-perceived character. */
  readonly cells: readonly { readonly text: string; readonly start: number; readonly width: number }[];
  /** Width in columns of the terminal. */
  readonly width: number;
  /** The terminal column, from 0, of a UTF-16 offset in the line; past the end it goes on one column a unit. */
  columnOf(offset: number): number;
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
const PLAIN = /^[\x20-\x7e]*$/;

/** Lays a line out: tabs to stops of 4, wide characters as two columns, control characters as visible signs, a byte order mark as nothing. */
export function layoutLine(line: string): LaidLine {
  const cells: { text: string; start: number; width: number }[] = [];
  const columns: number[] = [];
  let width = 0;
  const pieces = PLAIN.test(line) ? [...line] : Array.from(graphemes.segment(line), ({ segment }) => segment);
  for (const piece of pieces) {
    const text = piece === "\t" ? " ".repeat(TAB - (width % TAB)) : piece === BOM ? "" : visible(piece);
    const cell = { text, start: width, width: PLAIN.test(text) ? text.length : stringWidth(text) };
    cells.push(cell);
    for (let i = 0; i < piece.length; i++) columns.push(width);
    width += cell.width;
  }
  return { cells, width, columnOf: (offset) => columns[offset] ?? width + Math.max(0, offset - columns.length) };
}

/** The part of a laid line between two terminal columns, with … where something was left out. It is `to - from` columns wide at most. */
export function sliceLine(line: LaidLine, from: number, to: number): string {
  if (from <= 0 && line.width <= to) return line.cells.map((cell) => cell.text).join("");
  if (from >= line.width) return line.width === 0 ? "" : "…";
  const cutsEnd = line.width > to;
  const start = from > 0 ? from + 1 : 0;
  const end = cutsEnd ? to - 1 : to;
  let text = from > 0 ? "…" : "";
  let column = start;
  for (const cell of line.cells) {
    if (cell.start < start) {
      // A wide character that the cut goes through leaves a blank, so that what follows stays under its carets.
      if (cell.start + cell.width > start) {
        text += " ".repeat(cell.start + cell.width - start);
        column = cell.start + cell.width;
      }
      continue;
    }
    if (cell.start + cell.width > end) break;
    text += cell.text;
    column = cell.start + cell.width;
  }
  return cutsEnd ? `${text}${" ".repeat(Math.max(0, end - column))}…` : text;
}
