import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

test("fettle check finds nothing in the fixtures of the conformance suites", () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["packages/fettle/bin/fettle.js", "check", "--config", "test/conformance/fettle.config.yaml", "--format", "json"],
    { cwd: root, encoding: "utf8" },
  );
  assert.equal(status, 0, stdout + stderr);
  const { diagnostics, summary } = JSON.parse(stdout);
  assert.deepEqual(diagnostics, []);
  assert.equal(summary.tools, 29);
});
