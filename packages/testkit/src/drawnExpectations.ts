import type { Diagnostic } from "@fettle/contract";

/** A diagnostic that a fixture draws under the characters it is about. Lines and columns count from 1. */
export interface DrawnExpectation {
  readonly line: number;
  readonly column: number;
  /** Column after the last character. */
  readonly endColumn: number;
  readonly code: string;
  readonly rule?: string;
}

/** A fixture that would pass for the wrong reason. The message lists every fault. */
export class SloppyFixture extends Error {
  readonly faults: readonly string[];

  constructor(file: string, faults: readonly string[]) {
    super(`${file} is no good fixture:\n${faults.map((fault) => `- ${fault}`).join("\n")}`);
    this.name = "SloppyFixture";
    this.faults = faults;
  }
}

const MARK = /^(?<lead>\s*#\s*)(?<carets>\^+)(?:\s+(?<rest>.*\S))?\s*$/;
/** A comment that was meant to be a mark: it begins with a caret. */
const LOOKS_LIKE_MARK = /^\s*#[\s#]*\^/;
const CODE = /^[a-z0-9]+(-[a-z0-9]+)*\/[a-z0-9]+(-[a-z0-9]+)*$/;
const RULE = /^[A-Z]+-[A-Z0-9]+-\d+$/;

/**
 * Reads what a YAML fixture draws: comment lines with carets directly under the line they are about, then a code, then the id of a rule.
 * Several such lines may follow one another; all are about the line above the first. A `#` in column 1 directly before the carets counts as one,
 * since nothing else could mark a key that begins there.
 *
 * ```yaml
 * name: 1st
 * #     ^^^ spec/bad-format T-NAME-1
 * tool_name: x
 * #^^^^^^^^ spec/unknown-key T-KEY-1
 * ```
 *
 * @param options.file - how messages call the fixture
 * @param options.expect - `some`: a fixture that draws nothing is refused; `none`: one that draws anything is refused. Default `any`.
 * @throws SloppyFixture when a mark has no code, points at nothing or at blanks, has a gap or a tab, or is drawn twice
 */
export function drawnExpectations(
  text: string,
  options: { readonly file?: string; readonly expect?: "some" | "none" | "any" } = {},
): readonly DrawnExpectation[] {
  const { file = "The fixture", expect = "any" } = options;
  const found: DrawnExpectation[] = [];
  const faults: string[] = [];
  let above: { readonly number: number; readonly text: string } | undefined;
  for (const [index, line] of linesOf(text).entries()) {
    if (!LOOKS_LIKE_MARK.test(line)) {
      above = { number: index + 1, text: line };
      continue;
    }
    const mark = readMark(line, above);
    if (typeof mark === "string") faults.push(`line ${index + 1}: ${mark}`);
    else if (found.some((other) => same(other, mark))) faults.push(`line ${index + 1}: this is drawn already`);
    else found.push(mark);
  }
  if (expect === "some" && found.length === 0 && faults.length === 0) faults.push("it draws nothing: an invalid file says what is wrong with it");
  if (expect === "none" && found.length > 0) faults.push(`line ${found[0]?.line}: a valid file draws nothing`);
  if (faults.length > 0) throw new SloppyFixture(file, faults);
  return found;
}

/**
 * How diagnostics differ from what a fixture draws; empty when they are exactly those. Each difference shows the line as it would be drawn.
 *
 * @param text - the fixture
 */
export function drawnDifferences(text: string, expected: readonly DrawnExpectation[], diagnostics: readonly Diagnostic[]): readonly string[] {
  const actual = diagnostics.map(({ line, column, endColumn, code, rule, message }) => ({
    expectation: { line, column, endColumn: endColumn ?? column + 1, code, ...(rule !== undefined && { rule }) },
    message,
  }));
  const left = [...expected];
  const differences: string[] = [];
  for (const { expectation, message } of actual) {
    const index = left.findIndex((other) => same(other, expectation));
    if (index >= 0) left.splice(index, 1);
    else differences.push(`reported and not drawn (${message}):\n${draw(text, expectation)}`);
  }
  for (const expectation of left) differences.push(`drawn and not reported:\n${draw(text, expectation)}`);
  return differences;
}

function readMark(line: string, above: { readonly number: number; readonly text: string } | undefined): DrawnExpectation | string {
  const groups = MARK.exec(line)?.groups;
  const { lead = "", carets = "", rest = "" } = groups ?? {};
  if (!groups) return "a mark is one row of carets, then a blank, a code and perhaps the id of a rule";
  if (line.includes("\t")) return "a mark with a tab in it stands in no certain column";
  if (!above || above.text.trim() === "" || /^\s*#/.test(above.text)) return "a mark stands directly under the line it is about, and above this one is none";
  const column = lead === "#" ? 1 : lead.length + 1;
  const endColumn = lead.length + carets.length + 1;
  const marked = above.text.slice(column - 1, endColumn - 1);
  if (endColumn - 1 > above.text.length || /^ | $/.test(marked)) return `the carets point at nothing in line ${above.number}`;
  const [code = "", rule, ...more] = rest.split(/\s+/);
  if (!CODE.test(code)) return code === "" ? "a mark needs a code after the carets" : `${code} is no code: namespace/kebab`;
  if ((rule !== undefined && !RULE.test(rule)) || more.length > 0)
    return `after the code comes the id of a rule like T-NAME-1 and nothing else, got ${[rule, ...more].join(" ")}`;
  return { line: above.number, column, endColumn, code, ...(rule !== undefined && { rule }) };
}

function same(a: DrawnExpectation, b: DrawnExpectation): boolean {
  return a.line === b.line && a.column === b.column && a.endColumn === b.endColumn && a.code === b.code && a.rule === b.rule;
}

function draw(text: string, { line, column, endColumn, code, rule }: DrawnExpectation): string {
  const carets = column === 1 ? `#${"^".repeat(Math.max(endColumn - 2, 0))}` : `#${" ".repeat(column - 2)}${"^".repeat(Math.max(endColumn - column, 1))}`;
  const number = `${line} | `;
  return `  ${number}${linesOf(text)[line - 1] ?? ""}\n  ${" ".repeat(number.length)}${carets} ${code}${rule === undefined ? "" : ` ${rule}`}`;
}

function linesOf(text: string): readonly string[] {
  return text.replace(/^\uFEFF/, "").split(/\r?\n/);
}
