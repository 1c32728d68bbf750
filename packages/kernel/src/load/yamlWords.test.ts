import assert from "node:assert/strict";
import { test } from "node:test";
import { parseYaml } from "./parseYaml.js";

/** The first finding as `line:column "what is marked" message. hint`. */
function told(text: string): string {
  const [found] = parseYaml("f.yaml", text).diagnostics;
  assert.ok(found, "expected a finding");
  const marked = text.split(/\r?\n/)[found.line - 1]?.slice(found.column - 1, (found.endColumn ?? 0) - 1);
  return `${found.line}:${found.column} «${marked}» ${found.message}. ${found.hint}`;
}

const INDENT = "This line is indented unlike the keys beside it. Give all keys of one block the same number of spaces.";
const NO_KEY = "This line is no key with a value. Write it as `key: value`. If it belongs to the text above it, indent it further than that text's key.";

for (const [text, expected] of [
  ["a: Do it: now\n", '1:4 «Do it: now» A text with ": " in it needs quotes. Put it in quotes: "Do it: now"'],
  ['a: say "x": now\n', '1:4 «say "x": now» A text with ": " in it needs quotes. Put the whole text in quotes.'],
  ['a: "b": c\n', '1:4 «"b": c» The text goes on after its quotes. Put the whole text in one pair of quotes.'],
  ["a: ? b\n", '1:4 «? b» A text that begins with "? " needs quotes. Put the whole text in quotes.'],
  ["a: 1\n  b: 2\n", "1:4 «1» This key has a value already, so no keys can be indented below it. Indent the next line like this one, or take the value out."],
  ["a:\n  tags: [x, y\nb: 1\n", "2:9 «[» This [ is not closed. Add the ]. The lines up to it are indented further than the key of the [."],
  ["a: {x: 1\nb: 1\n", "1:4 «{» This { is not closed. Add the }. The lines up to it are indented further than the key of the {."],
  ["a: [b: 1, c\n: 2]\n", "1:4 «[» This [ is not closed. Add the ]. The lines up to it are indented further than the key of the [."],
  ["[1, 2\n", "1:1 «[» This [ is not closed. Add the ]. The lines up to it are indented further than the key of the [."],
  ['a: "abc\nb: 1\n', '1:4 «"abc» The text that begins with " has no closing ". Add it where the text ends. Inside of the text a " is written \\"'],
  ["a:\r\n  b: 'x\r\n", "2:6 «'x» The text that begins with ' has no closing '. Add it where the text ends. Inside of the text a ' is written ''"],
  ["a: 'it's'\n", "1:8 «s'» The text in quotes ends before this. Put all of it in one pair of quotes. Inside of single quotes a ' is written twice: 'it''s'"],
  ['a: "x" y\n', '1:8 «y» The text in quotes ends before this. Put all of it in one pair of quotes. Inside of double quotes a " is written \\"'],
  ["a: **bold** text\n", "1:4 «**bold** text» A text can't begin with *, which begins an alias. Put the whole text in quotes."],
  ["a: *.json\n", "1:4 «*.json» There is no anchor for the alias *.json. Write the value out, or put a text that begins with * in quotes."],
  ["a: &x *y\n", "1:7 «*y» * begins an alias here. Take it out, or put the text in quotes if it belongs to the text."],
  ["a: &x: 1\n", "1:6 «:» This colon belongs to the name of the alias or anchor. Put a blank before it, or the text in quotes."],
  ["a: !important x\n", "1:4 «!important» !important is a tag, and tags mean nothing here. Take it out, or put a text that begins with ! in quotes."],
  ["a: `x`\n", "1:4 «`» A text can't begin with `. Put the whole text in quotes. In YAML this character means something else."],
  ['a: "\\d+"\n', "1:5 «\\d» \\d means nothing in double quotes. Write \\\\ for a backslash, or put the text in single quotes."],
  ["a:\n    b: 1\n  c: 2\n", `3:3 «c: 2» ${INDENT}`],
  ["a: >\n  x\n y\n", `3:2 «y» ${INDENT}`],
  ["a: [\n\tb\n]\n", "2:1 «\t» A tab can't indent YAML. Indent with spaces."],
  ["a: |\n\tb\n", "2:1 «\t» The text after | or > is not indented. Indent its lines further than its key, with spaces."],
  ["a: |\n  \n     \n x\n", "4:2 «x» This text begins with a blank line that is indented further than the rest. Take the blanks out of that line."],
  ["a: |x\n  y\n", "1:5 «x» Nothing but a comment can follow | or > on its line. Begin the text on the line below."],
  ["a:1\nb: 2\n", "1:1 «a:1» This line is no key with a value. Leave a blank after the colon: a: 1"],
  ["a: b\nc\n", `2:1 «c» ${NO_KEY}`],
  ["a\nb: 1\n", `1:1 «a» ${NO_KEY}`],
  ["a: 1\n- b\n", "2:1 «-» A list item can't stand here: the key above has a value already. Take that value out, or put the - in quotes."],
  ["a: - b\n", '1:4 «- b» A list begins on the line below its key. Put this item on a line of its own, or the whole text in quotes if the "- " belongs to it.'],
  [
    "- a\nb: 1\n",
    "2:1 «b» The value before this has ended, so nothing more can stand here. Put the whole value in quotes, or begin a key on a line of its own.",
  ],
  ["a: [b]]\n", "1:7 «]» This ] closes nothing. Take it out. If it belongs to a text, put the whole text in quotes."],
  ["a: {b: 1,, c: 2}\n", "1:10 «,» There is nothing before this comma. Take it out."],
  [
    "a: {b: 1 c: 2}\n",
    "1:8 «1 c: 2» There is no comma between two keys here. Separate them by a comma, as in {a: 1, b: 2}, or put the value in quotes if all of it is one text.",
  ],
  ["a: {\n  - x\n}\n", '2:3 «- x» Inside of [ ] and { } no item begins with "- ". Separate items by commas, as in [a, b], or leave the brackets out.'],
  ['a: "x"#y\n', "1:7 «#y» There is no blank before this #. Put one there if a comment begins, else put the whole text in quotes."],
  ["--- a: 1\n", "1:5 «a» Nothing can follow --- on its line. Take the --- out, or begin on the line below it."],
  ["%FOO\na: 1\n", "2:1 «a» The file begins with a directive (%) and no --- follows. Take the line that begins with % out."],
] as const) {
  test(`${JSON.stringify(text)} is told in plain words, with its cause marked`, () => assert.equal(told(text), expected));
}

test("a long key is told by what it probably is", () => {
  assert.match(told(`${"x".repeat(1100)}: 1\n`), /^1:1 «x+» A key has more than 1,024 characters\. If it is a text with ": " in it, put it in quotes\.$/);
});

test("keys that are one in an object are one here, at any depth", () => {
  for (const text of ['1: a\n"1": b\n', "a: {b: 1, b: 2}\n", "- a: 1\n  a: 2\n"])
    assert.equal(parseYaml("f.yaml", text).diagnostics[0]?.code, "spec/duplicate-key", text);
  assert.deepEqual(parseYaml("f.yaml", "a: {x: 1}\nb: {x: 1}\n").diagnostics, []);
});

test("a file of one key again and again is read in time proportional to its length", () => {
  const started = performance.now();
  assert.equal(parseYaml("f.yaml", "a: 1\n".repeat(20_000)).diagnostics.length, 19_999);
  assert.ok(performance.now() - started < 20_000, "comparing each key with each takes minutes");
});
