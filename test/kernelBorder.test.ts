import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const folder = mkdtempSync(join(tmpdir(), "fettle-kernel-border-"));
after(() => rmSync(folder, { recursive: true, force: true }));
cpSync(join(root, "biome.json"), join(folder, "biome.json"));
cpSync(join(root, "scripts/lint"), join(folder, "scripts/lint"), { recursive: true });

/** The messages of the repository's own lint rules on a text, if it stood in that file. */
const lint = (file: string, text: string): string[] => {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
  const biome = join(root, "node_modules/@biomejs/biome/bin/biome");
  const run = spawnSync(process.execPath, [biome, "lint", "--reporter=json", "--vcs-enabled=false", file], { cwd: folder, encoding: "utf8" });
  const { diagnostics }: { diagnostics: { message: string }[] } = JSON.parse(run.stdout);
  return diagnostics.map(({ message }) => message);
};

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
    const messages = lint("packages/kernel/src/run/trial.ts", text);
    assert.equal(messages.length, 1, String(messages));
    assert.match(messages[0] ?? "", /^(Do not use the global variable|The kernel reads the time)/);
  });
}

test("the kernel may make a date of a given time", () => {
  assert.deepEqual(lint("packages/kernel/src/run/trial.ts", "export const a: Date = new Date(5);"), []);
});

test("the platform for Node, beside the kernel, may use the console and the clock", () => {
  assert.deepEqual(lint("packages/kernel/src/node/trial.ts", 'console.log("a", Date.now());'), []);
});
