import assert from "node:assert/strict";
import { test } from "node:test";
import { drawnDifferences, drawnExpectations, SloppyFixture } from "./drawnExpectations.js";

/** The faults that a fixture is refused for. */
function faultsOf(text: string, expect: "some" | "none" | "any" = "any"): readonly string[] {
  try {
    drawnExpectations(text, { expect });
  } catch (error) {
    assert.ok(error instanceof SloppyFixture);
    return error.faults;
  }
  return [];
}

test("a mark is about the characters above it", () => {
  assert.deepEqual(drawnExpectations("spec_version: 1\nname: 1st\n#     ^^^ spec/bad-format T-NAME-1\n"), [
    { line: 2, column: 7, endColumn: 10, code: "spec/bad-format", rule: "T-NAME-1" },
  ]);
});

test("a # in column 1 before the carets counts as one of them", () => {
  assert.deepEqual(drawnExpectations("tool_name: x\n#^^^^^^^^ spec/unknown-key\n"), [{ line: 1, column: 1, endColumn: 10, code: "spec/unknown-key" }]);
});

test("several marks under one line are all about that line", () => {
  const drawn = drawnExpectations("a: { b: 1, c: 2 }\n#    ^ x/one A-B-1\n#          ^ x/two A-B-2\nd: 3\n#  ^ x/three\n");
  assert.deepEqual(
    drawn.map(({ line, column, code }) => [line, column, code]),
    [
      [1, 6, "x/one"],
      [1, 12, "x/two"],
      [4, 4, "x/three"],
    ],
  );
});

test("CRLF, a byte order mark and an indented comment change nothing", () => {
  assert.deepEqual(drawnExpectations("\uFEFFa:\r\n  b: 1\r\n  #  ^ x/y\r\n"), [{ line: 2, column: 6, endColumn: 7, code: "x/y" }]);
});

test("ordinary comments are no marks", () => {
  assert.deepEqual(drawnExpectations("# covers: T-NAME-1\na: 1 # 2^3\n# see 2^3\n"), []);
});

test("an invalid file that draws nothing is refused", () => {
  assert.match(faultsOf("a: 1\n", "some")[0] ?? "", /draws nothing/);
});

test("a valid file that draws something is refused", () => {
  assert.match(faultsOf("a: 1\n#  ^ x/y\n", "none")[0] ?? "", /line 1: a valid file draws nothing/);
});

test("carets that point at nothing are refused", () => {
  assert.match(faultsOf("a: 1\n#   ^ x/y\n")[0] ?? "", /point at nothing in line 1/, "beyond the end of the line");
  assert.match(faultsOf("a: 1\n# ^^ x/y\n")[0] ?? "", /point at nothing/, "at a blank");
  assert.match(faultsOf("\n# ^ x/y\n")[0] ?? "", /directly under the line/, "under an empty line");
  assert.match(faultsOf("# a\n# ^ x/y\n")[0] ?? "", /directly under the line/, "under a comment");
  assert.match(faultsOf("#^ x/y\na: 1\n")[0] ?? "", /directly under the line/, "above everything");
});

test("a mark that can't be read is refused, not passed over", () => {
  assert.match(faultsOf("a: 1\n#  ^\n")[0] ?? "", /needs a code/);
  assert.match(faultsOf("a: 1\n#  ^ Spec.Bad\n")[0] ?? "", /namespace\/kebab/);
  assert.match(faultsOf("a: 1\n#  ^ x/y rule\n")[0] ?? "", /T-NAME-1 and nothing else, got rule/);
  assert.match(faultsOf("a: 1\n#  ^ x/y T-NAME-1 since\n")[0] ?? "", /nothing else/);
  assert.match(faultsOf("abc: 12 34\n#    ^^ ^^ x/y\n")[0] ?? "", /no code/);
  assert.match(faultsOf("abc: 12\n#\t ^^ x/y\n")[0] ?? "", /tab/);
  assert.match(faultsOf("abc: 12\n## ^^ x/y\n")[0] ?? "", /one row of carets/);
});

test("the same mark twice is refused, and every fault is listed", () => {
  const faults = faultsOf("a: 1\n#  ^ x/y\n#  ^ x/y\n#  ^ z\n");
  assert.deepEqual(faults, ["line 3: this is drawn already", "line 4: z is no code: namespace/kebab"]);
  assert.throws(() => drawnExpectations("a: 1\n#  ^\n", { file: "name.tool.yaml" }), /^SloppyFixture: name\.tool\.yaml is no good fixture:\n- line 2/);
});

test("differences show what was reported and not drawn, and the other way round, as it would be drawn", () => {
  const text = "name: 1st\n#     ^^^ spec/bad-format T-NAME-1\ntags: []\n";
  const expected = drawnExpectations(text);
  const reported = {
    code: "spec/bad-format",
    severity: "error",
    file: "x",
    line: 1,
    column: 7,
    endColumn: 10,
    rule: "T-NAME-1",
    message: "has the wrong form",
  } as const;
  assert.deepEqual(drawnDifferences(text, expected, [reported]), []);
  assert.deepEqual(drawnDifferences(text, expected, []), ["drawn and not reported:\n  1 | name: 1st\n      #     ^^^ spec/bad-format T-NAME-1"]);
  assert.deepEqual(drawnDifferences(text, expected, [reported, { ...reported, line: 3, column: 1, endColumn: 5 }]), [
    "reported and not drawn (has the wrong form):\n  3 | tags: []\n      #^^^ spec/bad-format T-NAME-1",
  ]);
});

test("a finding that is reported twice and drawn once is a difference", () => {
  const text = "a: 1\n#  ^ x/y\n";
  const reported = { code: "x/y", severity: "error", file: "x", line: 1, column: 4, message: "m" } as const;
  assert.equal(drawnDifferences(text, drawnExpectations(text), [reported, reported]).length, 1);
});
