import assert from "node:assert/strict";
import { test } from "node:test";
import { parseYaml } from "./parseYaml.js";

const first = (text: string) => {
  const [diagnostic] = parseYaml("f.yaml", text).diagnostics;
  assert.ok(diagnostic, "expected a finding");
  return diagnostic;
};
const at = ({ line, column, endColumn }: { line: number; column: number; endColumn?: number }) => [line, column, endColumn];

test("YAML 1.2 is read: NO and dates stay texts, 1.10 is the number 1.1", () => {
  const { document, diagnostics } = parseYaml("f.yaml", "a: NO\nb: 2026-01-01\nc: 1.10\nd: 0o17\n");
  assert.deepEqual(document?.data, { a: "NO", b: "2026-01-01", c: 1.1, d: 15 });
  assert.equal(document?.written(["c"]), "1.10");
  assert.deepEqual(diagnostics, []);
});

for (const [name, text, code, place, message] of [
  ["a key that stands twice", "a: 1\nb: 2\na: 3\n", "spec/duplicate-key", [3, 1, 2], /stands here twice/],
  ["a tab", "a:\n\tb: 1\n", "spec/bad-yaml", [2, 1, 2], /tab/],
  ["a second document", "a: 1\n---\nb: 2\n", "spec/bad-yaml", [2, 1, 4], /second document/],
  ["an unclosed list", "a: [1, 2\n", "spec/bad-yaml", undefined, /./],
  ["a %YAML 1.1 directive", "%YAML 1.1\n---\na: NO\n", "spec/bad-yaml", [1, 1, 10], /YAML 1\.1 is not read/],
  ["a merge key", "base: &b { a: 1 }\nc:\n  <<: *b\n", "spec/bad-yaml", [3, 3, 5], /merges nothing/],
  ["an unknown tag", "a: !env HOME\n", "spec/bad-yaml", [1, 4, 8], /tag/i],
  ["an infinite number", "a: .inf\n", "spec/bad-yaml", [1, 4, 8], /no finite number/],
  ["a number beyond all bounds", "a: 1e999\n", "spec/bad-yaml", [1, 4, 9], /no finite number/],
  ["a key that is a mapping", "? {a: 1}\n: 2\n", "spec/bad-yaml", [1, 3, 9], /key must be a text/],
  ["an alias to nothing", "a: *nowhere\n", "spec/bad-yaml", [1, 4, 12], /./],
] as const) {
  test(`${name} is an error with its place`, () => {
    const diagnostic = first(text);
    assert.deepEqual([diagnostic.code, diagnostic.severity], [code, "error"]);
    if (place) assert.deepEqual(at(diagnostic), [...place]);
    assert.match(diagnostic.message, message);
    assert.equal(parseYaml("f.yaml", text).document, undefined);
  });
}

test("a break of the syntax is told once, without its echoes", () => {
  for (const text of ["a:\n\tb: 1\n\tc: [\n", "a: 1\na: 2\nb: {\nc: }\n  d: : :\n"]) {
    const codes = parseYaml("f.yaml", text).diagnostics.map(({ code }) => code);
    assert.equal(codes.filter((code) => code === "spec/bad-yaml").length, 1, text);
  }
});

test("an alias bomb is refused quickly", () => {
  const lines = ["a: &a [x,x,x,x,x,x,x,x,x]"];
  for (let i = 1; i < 9; i++)
    lines.push(
      `${"abcdefghi"[i]}: &${"abcdefghi"[i]} [${Array(9)
        .fill(`*${"abcdefghi"[i - 1]}`)
        .join(",")}]`,
    );
  const diagnostic = first(lines.join("\n"));
  assert.match(diagnostic.message, /aliases of this file expand to too much/);
  assert.ok(diagnostic.line > 1);
});

test("a few aliases are fine", () => {
  assert.deepEqual(parseYaml("f.yaml", "a: &x [1]\nb: *x\n").document?.data, { a: [1], b: [1] });
});

test("a # that cuts a text is a warning; a comment with a blank is not", () => {
  const diagnostic = first("a: Fix #12 and more\nb: 1 # a remark\n");
  assert.deepEqual([diagnostic.code, diagnostic.severity, ...at(diagnostic)], ["spec/text-cut", "warning", 1, 8, 20]);
  assert.deepEqual(parseYaml("f.yaml", "a: text # a remark\n").diagnostics, []);
});

test("a whole number with more digits than a number keeps is a warning", () => {
  assert.deepEqual([first("a: 12345678901234567890\n").severity], ["warning"]);
});

test("CRLF doesn't move lines or columns", () => {
  const { document } = parseYaml("f.yaml", "a: 1\r\nlist:\r\n  - x\r\n  - k: v\r\n");
  assert.deepEqual(at(document?.locate(["list", 1, "k"], "value") ?? { line: 0, column: 0 }), [4, 8, 9]);
});

test("places: a key, a scalar, a flow list, a block by its key, an item by its first key, what is missing by its owner, a long text by its first line", () => {
  const text = 'name: x\nflow: [1, 2]\nblock:\n  inner: 1\nitems:\n  - first: 1\n    second: 2\ntext: |\n  one\n  two\nquoted: "a b"\nempty:\n';
  const { document } = parseYaml("f.yaml", text);
  const place = (path: (string | number)[], which: "key" | "value" = "value") => at(document?.locate(path, which) ?? { line: 0, column: 0 });
  assert.deepEqual(place(["name"], "key"), [1, 1, 5]);
  assert.deepEqual(place(["name"]), [1, 7, 8]);
  assert.deepEqual(place(["flow"]), [2, 7, 13]);
  assert.deepEqual(place(["flow", 1]), [2, 11, 12]);
  assert.deepEqual(place(["block"]), [3, 1, 6]);
  assert.deepEqual(place(["block", "missing"]), [3, 1, 6]);
  assert.deepEqual(place(["items", 0]), [6, 5, 10]);
  assert.deepEqual(place(["items", 7]), [5, 1, 6]);
  assert.deepEqual(place(["text"]), [8, 7, 8]);
  assert.deepEqual(place(["quoted"]), [11, 9, 14]);
  assert.deepEqual(place(["empty"]), [12, 1, 6]);
  assert.deepEqual(place([]), [1, 1, 5]);
});
