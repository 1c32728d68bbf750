import assert from "node:assert/strict";
import { test } from "node:test";
import { plain } from "../paint.js";
import { codeFrame, type Place } from "./codeFrame.js";

const frame = (source: string, place: Place, message: string, hint?: string, columns = 120): string =>
  codeFrame(source, place, { message, hint }, { columns, paint: plain, tone: "error" }).join("\n");

const lines = (...text: string[]): string => text.join("\n");

test("the marked line stands between its neighbours, with the message under the place", () => {
  const source = lines(...Array.from({ length: 10 }, (_, i) => `line_${i + 1}: x`), "", "  retires: 3", "performance:", "");
  assert.equal(
    frame(source, { line: 12, column: 3, endLine: 12, endColumn: 10 }, '"retires" is not a key here.', 'Did you mean "retries"?'),
    lines(
      "   11 |", //
      "   12 |   retires: 3",
      '      |   ^^^^^^^ "retires" is not a key here. Did you mean "retries"?',
      "   13 | performance:",
    ),
  );
});

test("the first and the last line have one neighbour, and the end of the file is no line", () => {
  assert.equal(frame("a: 1\nb: 2\n", { line: 1, column: 1, endLine: 1, endColumn: 2 }, "m"), lines("    1 | a: 1", "      | ^ m", "    2 | b: 2"));
  assert.equal(frame("a: 1\nb: 2\n", { line: 2, column: 1 }, "m"), lines("    1 | a: 1", "    2 | b: 2", "      | ^ m"));
});

test("a place past the end of the text is shown at its end", () => {
  assert.equal(frame("a:", { line: 9, column: 4 }, "m"), lines("    1 | a:", "      |   ^ m"));
  assert.equal(frame("", { line: 1, column: 1 }, "m"), lines("    1 |", "      | ^ m"));
});

test("carets stand under wide characters, emoji, combining marks and tabs", () => {
  assert.equal(frame("名前: x", { line: 1, column: 1, endLine: 1, endColumn: 3 }, "m"), lines("    1 | 名前: x", "      | ^^^^ m"));
  assert.equal(frame("👩‍👩‍👧 x", { line: 1, column: 10, endLine: 1, endColumn: 11 }, "m"), lines("    1 | 👩‍👩‍👧 x", "      |    ^ m"));
  assert.equal(frame("e\u0301 x", { line: 1, column: 4, endLine: 1, endColumn: 5 }, "m"), lines("    1 | e\u0301 x", "      |   ^ m"));
  assert.equal(frame("a\tb", { line: 1, column: 3, endLine: 1, endColumn: 4 }, "m"), lines("    1 | a   b", "      |     ^ m"));
  assert.equal(frame("\ta", { line: 1, column: 1, endLine: 1, endColumn: 2 }, "m"), lines("    1 |     a", "      | ^^^^ m"));
});

test("CRLF and a byte order mark leave nothing behind", () => {
  assert.equal(frame("\ufeffa: 1\r\nb: 2\r\n", { line: 1, column: 2, endLine: 1, endColumn: 3 }, "m"), lines("    1 | a: 1", "      | ^ m", "    2 | b: 2"));
});

test("what could steer a terminal is shown instead of sent", () => {
  assert.equal(
    frame("a: \u001b[2J\u202e", { line: 1, column: 4, endLine: 1, endColumn: 5 }, "\u001b]0;x\u0007"),
    lines("    1 | a: ␛[2J\ufffd", "      |    ^ ␛]0;x␇"),
  );
});

test("a long line is cut around the place, and its neighbours at the same columns", () => {
  const source = lines("short", `${"a".repeat(100)}BAD${"b".repeat(100)}`, "c".repeat(90));
  assert.equal(
    frame(source, { line: 2, column: 101, endLine: 2, endColumn: 104 }, "m", undefined, 60),
    lines(
      "    1 | …",
      `    2 | …${"a".repeat(23)}BAD${"b".repeat(24)}…`, //
      `      | ${" ".repeat(24)}^^^ m`,
      `    3 | …${"c".repeat(13)}`,
    ),
  );
});

test("a wide character that the cut goes through leaves a blank, so that columns still fit", () => {
  const source = `a${"名".repeat(50)}X${"b".repeat(50)}`;
  const [marked = "", carets = ""] = frame(source, { line: 1, column: 52, endLine: 1, endColumn: 53 }, "m", undefined, 60).split("\n");
  assert.equal(marked, `    1 | … ${"名".repeat(11)}X${"b".repeat(26)}…`);
  assert.equal(carets, `      | ${" ".repeat(24)}^ m`);
});

test("a mark over several lines goes to the end of the first", () => {
  assert.equal(frame("a:\n  - b\n  - c\n", { line: 1, column: 1, endLine: 3, endColumn: 4 }, "m"), lines("    1 | a:", "      | ^^ m", "    2 |   - b"));
});

test("a mark longer than the terminal ends at its edge", () => {
  const rows = frame("x".repeat(300), { line: 1, column: 1, endLine: 1, endColumn: 301 }, "m", undefined, 60).split("\n");
  assert.deepEqual(rows, [`    1 | ${"x".repeat(51)}…`, `      | ${"^".repeat(52)}`, "      | m"]);
});

test("a hint that doesn't fit beside the message goes under it, and a message that doesn't fit under the carets", () => {
  const hint = "Put the whole text in quotes, or leave a blank after the sign where a comment is meant.";
  assert.equal(
    frame("key: value", { line: 1, column: 6, endLine: 1, endColumn: 11 }, "A text ends before a # on its line.", hint, 80),
    lines(
      "    1 | key: value",
      "      |      ^^^^^ A text ends before a # on its line.", //
      `      | ${hint}`,
    ),
  );
  assert.equal(
    frame("key: value", { line: 1, column: 6, endLine: 1, endColumn: 11 }, hint, "Short.", 80),
    lines("    1 | key: value", "      |      ^^^^^", `      | ${hint}`, "      | Short."),
  );
});

test("a message of several lines keeps them", () => {
  assert.equal(frame("k: v", { line: 1, column: 4 }, "one\ntwo", "three"), lines("    1 | k: v", "      |    ^ one", "      |    two", "      |    three"));
});

test("line numbers of five digits widen the gutter", () => {
  const source = `${"\n".repeat(99_999)}x`;
  assert.equal(frame(source, { line: 100_000, column: 1 }, "m"), lines("   99999 |", "  100000 | x", "         | ^ m"));
});

test("a place far out in a line of 1 MiB is drawn at once", () => {
  const source = `${"👍".repeat(250_000)}BAD${"👍".repeat(20_000)}`;
  const begun = performance.now();
  const rows = frame(source, { line: 1, column: 500_001, endLine: 1, endColumn: 500_004 }, "m", undefined, 60).split("\n");
  assert.equal(rows[0], `    1 | … ${"👍".repeat(11)}BAD${"👍".repeat(12)}…`);
  assert.equal(rows[1], `      | ${" ".repeat(24)}^^^ m`);
  assert.ok(performance.now() - begun < 20_000);
});
