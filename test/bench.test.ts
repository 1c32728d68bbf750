import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const BENCH = fileURLToPath(new URL("../bench/bench.mjs", import.meta.url));

interface Written {
  readonly scenarios: readonly {
    readonly name: string;
    readonly rows: readonly { readonly title: string; readonly ratio?: number; readonly fettle: number }[];
  }[];
}

test("the benchmark measures every scenario with right answers, prints the ratios and writes them as JSON", {
  skip: process.platform !== "linux",
}, async () => {
  const out = join(mkdtempSync(join(tmpdir(), "fettle-bench-test-")), "bench.json");
  const { stdout } = await run(process.execPath, [BENCH, "--rounds", "1", "--ms", "30", "--many", "20", "--out", out], {
    env: { ...process.env, NODE_V8_COVERAGE: undefined },
  });
  const { scenarios }: Written = JSON.parse(readFileSync(out, "utf8"));
  assert.deepEqual(
    scenarios.map(({ name }) => name),
    ["in-process", "stdio", "http-stateless", "http-sessions", "tools-list", "start", "memory", "sessions", "validation"],
  );
  for (const { rows, name } of scenarios)
    for (const { title, ratio: compared, fettle } of rows) {
      const ratio = compared ?? fettle;
      // What sessions hold is a difference, which other garbage may outweigh in one round.
      const positive = ratio > 0 || title === "an open session, KB";
      assert.ok(Number.isFinite(ratio) && positive, `${name}: ${title} has the ratio ${ratio}`);
      assert.match(stdout, new RegExp(`${name}: ${title}`));
    }
});

test("the benchmark prints the JSON where it is asked to", { skip: process.platform !== "linux" }, async () => {
  const out = join(mkdtempSync(join(tmpdir(), "fettle-bench-test-")), "bench.json");
  const { stdout } = await run(process.execPath, [BENCH, "--only", "in-process", "--rounds", "1", "--ms", "10", "--json", "--out", out]);
  assert.equal(stdout, readFileSync(out, "utf8"));
});

test("the benchmark refuses scenarios that don't exist and numbers that are none", async () => {
  await assert.rejects(run(process.execPath, [BENCH, "--only", "stdoi"]), { code: 2, stderr: /no scenario stdoi\. There are in-process, stdio/ });
  await assert.rejects(run(process.execPath, [BENCH, "--rounds", "many"]), { code: 2, stderr: /--rounds is a whole number/ });
});

test("the benchmark tells of its options when asked, and when it is given one that it doesn't have", async () => {
  const OPTIONS = ["only", "rounds", "ms", "many", "out", "strict", "json", "help"];
  for (const option of ["--help", "-h"]) {
    const { stdout, stderr } = await run(process.execPath, [BENCH, option]);
    assert.equal(stderr, "");
    for (const name of OPTIONS) assert.match(stdout, new RegExp(`^ {2}--${name} `, "m"));
    assert.match(stdout, /in-process, stdio/);
  }
  for (const wrong of [["--round", "5"], ["stdio"], ["--only"]]) {
    const says =
      /^bench: (Unknown option '--round'|Unexpected argument 'stdio'|Option '--only <value>' argument missing)\.\n\nMeasures[\s\S]*\n {2}--rounds NUMBER /;
    await assert.rejects(run(process.execPath, [BENCH, ...wrong]), { code: 2, stdout: "", stderr: says });
  }
});
