import assert from "node:assert/strict";
import { test } from "node:test";
import { tempProject } from "../../test/tempProject.js";

const LINES = [
  { id: "fits", schema: { type: "object", properties: { n: { type: "integer" } } }, args: { n: 1 } },
  { id: "mended", schema: { type: "object", properties: { n: { type: "integer", default: 3 }, m: { type: "integer" } } }, args: { m: "2" } },
  { id: "refused", schema: { type: "nonsense" }, args: {} },
];

test("validate answers each line by a line, in order, and needs no project", async (t) => {
  const project = await tempProject(t);
  const input = `${LINES.map((line) => JSON.stringify(line)).join("\n")}\nnot json\n`;
  const { code, stdout, stderr } = await project.run(["validate", "--ndjson"], { input });
  assert.deepEqual([code, stderr], [0, ""]);
  const answers = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    answers.map(({ id }) => id),
    ["fits", "mended", "refused", null],
  );
  assert.deepEqual([answers[0].valid, answers[0].args], [true, { n: 1 }]);
  assert.deepEqual([answers[1].valid, answers[1].args], [true, { n: 3, m: 2 }]);
  assert.ok(answers[2].load_error.message);
  assert.equal(answers[3].valid, false);
});

test("--no-coerce is plain JSON Schema", async (t) => {
  const project = await tempProject(t);
  const { stdout } = await project.run(["validate", "--ndjson", "--no-coerce", "--lint"], { input: JSON.stringify(LINES[1]) });
  const answer = JSON.parse(stdout);
  assert.deepEqual([answer.valid, answer.problems[0].path], [false, "m"]);
  assert.ok(Array.isArray(answer.lint));
});

test("the form of the lines must be said", async (t) => {
  const { code, stderr } = await (await tempProject(t)).run(["validate"], { input: "" });
  assert.equal(code, 2);
  assert.match(stderr, /^error: Say how lines are written: --ndjson is the only form so far\./);
});
