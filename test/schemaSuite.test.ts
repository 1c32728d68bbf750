import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const script = (...args: string[]) =>
  spawnSync(process.execPath, ["--conditions=source", "--import=tsx", "scripts/schemaSuite.mjs", ...args], { cwd: root, encoding: "utf8" });

test("the report of a test suite counts what is right, flagged, refused and wrong, and a silent acceptance fails it", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "fettle-schema-suite-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const write = (...groups: object[]) => writeFileSync(join(folder, "cases.json"), JSON.stringify(groups));
  const fits = { description: "fits", data: 7, valid: true };
  const doesnt = { description: "doesn't fit", data: "7", valid: false };
  const honest = [
    { description: "plain", schema: { type: "integer" }, tests: [fits, doesnt] },
    { description: "flagged", schema: { format: "uint64" }, tests: [fits] },
    { description: "remote", schema: { $ref: "https://example.com/schema" }, tests: [fits, doesnt] },
    { description: "a valid instance of a suite that is wrong", schema: { type: "string" }, tests: [fits] },
  ];
  write(...honest);
  const report = script(folder);
  assert.equal(
    report.stdout,
    [
      "6 tests",
      "2 right",
      "1 right, with a warning at load",
      "2 of schemas refused at load: 2 schema/remote-ref",
      "0 wrong, with a warning at load",
      "1 wrong: a valid instance is refused",
      "0 wrong: an invalid instance is accepted and nobody is told",
      "  wrongly_refused: cases | a valid instance of a suite that is wrong | fits",
      "",
    ].join("\n"),
    report.stderr,
  );
  assert.equal(report.status, 0);
  write(...honest, { description: "open", schema: {}, tests: [doesnt] });
  const silent = script(folder);
  assert.match(silent.stdout, /^1 wrong: an invalid instance is accepted and nobody is told$/m);
  assert.match(silent.stdout, /wrongly_accepted: cases \| open \| doesn't fit/);
  assert.equal(silent.status, 1);
  assert.equal(script().status, 2);
});
