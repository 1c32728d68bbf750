import type { Paint, Tone } from "../paint.js";
import type { Place } from "./codeFrame.js";
import { layoutLine, sliceLine } from "./layoutLine.js";

/** How much of a line that is cut is shown before the first marked place. */
const LEAD = 24;
const NUMBER_WIDTH = 5;

interface Mark {
  readonly from: number;
  readonly to: number;
}

/**
 * Shows each line of a text that holds a place, with carets under all of its places:
 *
 *     1 | {"frm": "2026-01-01", "to": "March 1st"}
 *       |  ^^^^^                      ^^^^^^^^^^^
 *
 * A line that is wider than the terminal is cut around its places, and shown again where they lie further apart.
 */
export function markPlaces(
  source: string,
  places: readonly Place[],
  style: { readonly columns: number; readonly paint: Paint; readonly tone: Tone },
): string[] {
  const lines = source.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  const room = style.columns - NUMBER_WIDTH - 3;
  const gutter = (label: string, text: string): string => `${style.paint("dim", `${label.padStart(NUMBER_WIDTH)} |`)} ${text}`;
  const numbers = [...new Set(places.map(({ line }) => line))].sort((a, b) => a - b);
  return numbers.flatMap((number) => {
    const laid = layoutLine(lines[number - 1] ?? "");
    let open = places.filter(({ line }) => line === number).map((place) => markOf(place, laid.width, laid.columnOf));
    open.sort((a, b) => a.from - b.from || a.to - b.to);
    const rows: string[] = [];
    while (open[0] !== undefined) {
      const start = laid.width <= room ? 0 : Math.max(0, open[0].from - LEAD);
      const end = start + room;
      const shown = open.filter(({ from }) => from < end);
      rows.push(gutter(String(number), sliceLine(laid, start, end).trimEnd()), gutter("", style.paint(style.tone, carets(shown, start, end))));
      open = open.filter(({ from }) => from >= end);
    }
    return rows;
  });
}

function markOf({ line, column, endLine, endColumn }: Place, width: number, columnOf: (offset: number) => number): Mark {
  const from = columnOf(column - 1);
  const to = endLine !== undefined && endLine > line ? width : endColumn === undefined ? from + 1 : columnOf(endColumn - 1);
  return { from, to: Math.max(to, from + 1) };
}

function carets(marks: readonly Mark[], start: number, end: number): string {
  const row: string[] = [];
  for (const { from, to } of marks) for (let at = from; at < Math.min(to, end); at++) row[at - start] = "^";
  return Array.from(row, (cell) => cell ?? " ").join("");
}
