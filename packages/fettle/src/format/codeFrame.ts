import stringWidth from "string-width";
import type { Paint, Tone } from "../paint.js";
import { visible } from "../visible.js";
import { type LaidLine, layoutLine, sliceLine } from "./layoutLine.js";
import { sentences } from "./sentences.js";

/** A place in a text. Lines and columns count from 1; columns are UTF-16 code units. */
export interface Place {
  readonly line: number;
  readonly column: number;
  readonly endLine?: number | undefined;
  /** Column after the last character. */
  readonly endColumn?: number | undefined;
}

/** What stands under the marked place. */
export interface FrameNote {
  readonly message: string;
  readonly hint?: string | undefined;
}

/** How a frame is drawn. */
export interface FrameStyle {
  /** Columns of the terminal. */
  readonly columns: number;
  readonly paint: Paint;
  /** Colour of the carets and the message. */
  readonly tone: Tone;
}

const NUMBER_WIDTH = 5;
/** How much of a line that is cut is shown before the marked place. */
const LEAD = 24;
/** The most characters of a line that are laid out. */
const LAID_OUT = 4096;

/**
 * Draws the marked line with one line before and one after, and under it carets with the message:
 *
 *     11 |
 *     12 |   retires: 3
 *        |   ^^^^^^^ "retires" is not a key here. Did you mean "retries"?
 *     13 | performance:
 *
 * Lines that are wider than the terminal are cut around the place.
 */
export function codeFrame(source: string, wanted: Place, note: FrameNote, style: FrameStyle): string[] {
  const { lines, place } = clip(source, wanted);
  const index = Math.min(Math.max(1, place.line), lines.length) - 1;
  const numberWidth = Math.max(NUMBER_WIDTH, String(index + 2).length + 2);
  const room = style.columns - numberWidth - 3;

  const marked = layoutLine(lines[index] ?? "");
  const from = place.line === index + 1 ? marked.columnOf(Math.max(0, place.column - 1)) : marked.width;
  const to = markEnd(marked, place, from);
  const start = windowStart(marked, from, to, room);

  const { paint } = style;
  const gutter = (label: string, text: string): string => `${paint("dim", `${label.padStart(numberWidth)} |`)}${text === "" ? "" : ` ${text}`}`;
  const shown = (at: number): string[] => {
    const line = lines[at];
    // What follows the last line feed is not a line that anybody wrote.
    if (line === undefined || (line === "" && at === lines.length - 1 && at !== index)) return [];
    return [gutter(String(at + 1), sliceLine(layoutLine(line), start, start + room).trimEnd())];
  };

  const indent = " ".repeat(from - start);
  const carets = "^".repeat(Math.max(1, Math.min(to, start + room) - from));
  const rows = noteRows(note, indent.length, carets.length, room).map((row, i) => {
    const mark = i === 0 ? `${indent}${paint(style.tone, carets)}` : "";
    const pad = i === 0 || row.text === "" ? "" : " ".repeat(row.indent);
    return gutter("", `${mark}${i === 0 && row.text !== "" ? " " : pad}${row.text}`);
  });
  return [...shown(index - 1), ...shown(index), ...rows, ...shown(index + 1)];
}

/** The lines as they are written, of which only a window around the place where the place is far to the right: a file may be one line of 1 MiB. */
function clip(source: string, place: Place): { readonly lines: readonly string[]; readonly place: Place } {
  const shift = Math.max(0, place.column - 1 - LAID_OUT / 2);
  const lines = source.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line).slice(shift, shift + LAID_OUT));
  if (shift === 0) return { lines, place };
  const { column, endColumn, line, endLine } = place;
  return { lines, place: { line, endLine, column: column - shift, endColumn: endColumn === undefined ? undefined : Math.max(1, endColumn - shift) } };
}

/** The terminal column after the mark: at least one caret, and no further than the end of the line. */
function markEnd(line: LaidLine, { line: first, endLine, endColumn }: Place, from: number): number {
  if (endLine !== undefined && endLine > first) return Math.max(from + 1, line.width);
  if (endColumn === undefined) return from + 1;
  return Math.max(from + 1, Math.min(line.columnOf(endColumn - 1), line.width));
}

function windowStart(line: LaidLine, from: number, to: number, room: number): number {
  if (to <= room && (line.width <= room || to < room)) return 0;
  return Math.max(0, from - LEAD);
}

interface Row {
  readonly indent: number;
  readonly text: string;
}

/** Message and hint: beside the carets where they fit, else on rows of their own below. Nothing is cut: the terminal wraps what is longer than itself. */
function noteRows(note: FrameNote, indent: number, carets: number, room: number): Row[] {
  const message = visible(note.message).split("\n");
  const hint = note.hint === undefined ? [] : visible(note.hint).split("\n");
  const fits = (text: string): boolean => indent + carets + 1 + stringWidth(text) <= room;
  const whole = visible(sentences(note.message, note.hint));
  if (!whole.includes("\n") && fits(whole)) return [{ indent, text: whole }];

  const rest = [...message.slice(1), ...hint];
  const [first = ""] = message;
  const widest = Math.max(0, ...[first, ...rest].map((text) => stringWidth(text)));
  const below = indent + widest <= room ? indent : 0;
  if (fits(first)) return [{ indent, text: first }, ...rest.map((text) => ({ indent: below, text }))];
  return [{ indent, text: "" }, ...[first, ...rest].map((text) => ({ indent: below, text }))];
}
