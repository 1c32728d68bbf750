// Runs the tests.
//   npm test                            every *.test.ts
//   npm test -- kernel git_log          the test files whose path contains one of the words
//   npm test -- --coverage              the same under c8; fails when a package has fewer than 90 % of its lines covered
import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureComponents } from "./components.mjs";
import { reportCoverage } from "./coverage.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const coverage = process.argv.includes("--coverage");
const words = process.argv.slice(2).filter((arg) => !arg.startsWith("--"));
const unknown = process.argv.slice(2).filter((arg) => arg.startsWith("--") && arg !== "--coverage");
if (unknown.length > 0) {
  console.error(`test: unknown option ${unknown.join(", ")}. Known: --coverage, and words that select test files by path.`);
  process.exit(2);
}

// node:test on Node 20 doesn't expand quoted globs, so the files are found here.
const skipped = new Set(["node_modules", "dist", "coverage"]);
const find = (folder) =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return skipped.has(entry.name) ? [] : find(`${folder}/${entry.name}`);
    return entry.name.endsWith(".test.ts") ? [`${folder}/${entry.name}`] : [];
  });
const files = ["packages", "plugins", "spec", "test", "tools"]
  .flatMap(find)
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  .sort();
if (files.length === 0) {
  console.error(words.length === 0 ? "test: there are no test files." : `test: no test file has ${words.join(" or ")} in its path.`);
  process.exit(2);
}

const missing = ensureComponents(root);
const tellMissing = () => {
  for (const { name, needed_by, get } of missing) console.error(`\n!! ${name} is missing, so tests were skipped: ${needed_by}.\n!! How to get it: ${get}`);
};
if (missing.length > 0 && process.env.CI === "true") {
  for (const { name, get } of missing) console.error(`test: ${name} is missing, and in CI nothing is skipped. ${get}`);
  process.exit(1);
}

const raw = join(root, "coverage/raw");
if (coverage) {
  rmSync(join(root, "coverage"), { recursive: true, force: true });
  mkdirSync(raw, { recursive: true });
}
const child = spawn(
  process.execPath,
  [
    "--conditions=source",
    "--import",
    "tsx",
    "--test",
    "--test-concurrency=2",
    "--test-timeout=600000", // a test that hangs, or a file of them, fails here instead of at the end of CI's patience
    "--test-reporter=spec",
    ...files,
  ],
  // Each process that a test starts inherits NODE_V8_COVERAGE, so the CLI counts too.
  { cwd: root, stdio: ["ignore", "inherit", "inherit"], env: { ...process.env, ...(coverage && { NODE_V8_COVERAGE: raw }) } },
);
process.on("SIGINT", () => child.kill("SIGINT"));
process.on("SIGTERM", () => child.kill("SIGTERM"));
child.on("exit", async (code) => {
  tellMissing();
  const covered = coverage ? reportCoverage({ root, raw, mustReach: words.length === 0 ? 90 : 0 }) : true;
  process.exit(code === 0 && covered ? 0 : 1);
});
