import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

/** What the repository's own lint rules say of a text, if it stood in that file. */
const lint = (file: string, text: string): string => {
  const run = spawnSync(process.execPath, [join(root, "node_modules/@biomejs/biome/bin/biome"), "lint", `--stdin-file-path=${file}`, "--colors=off"], {
    cwd: root,
    input: text,
    encoding: "utf8",
  });
  return run.stdout + run.stderr;
};

// The beginning of every message of these rules.
const BORDER = /The kernel (reads|gets|logs|waits)/;

const borders = {
  "the console": 'console.log("a");',
  "the process": 'export const a: unknown = process.env["A"];',
  "the wall clock": "export const a: number = Date.now();",
  "the wall clock by new Date()": "export const a: Date = new Date();",
  "another clock": "export const a: number = performance.now();",
  "a timer of the platform": "setTimeout(() => {}, 1);",
  "random numbers": "export const a: number = Math.random();",
  "random ids": "export const a: string = crypto.randomUUID();",
};

for (const [what, text] of Object.entries(borders)) {
  test(`the kernel can't use ${what}`, () => {
    assert.match(lint("packages/kernel/src/run/trial.ts", text), BORDER);
  });
}

test("the kernel may make a date of a given time", () => {
  assert.doesNotMatch(lint("packages/kernel/src/run/trial.ts", "export const a: Date = new Date(5);"), BORDER);
});

test("the platform for Node, beside the kernel, may use the console and the clock", () => {
  assert.doesNotMatch(lint("packages/kernel/src/node/trial.ts", 'console.log("a", Date.now());'), BORDER);
});
