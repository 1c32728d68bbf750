import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const config: { forbidden: { name: string; comment: string }[] } = createRequire(import.meta.url)("../.dependency-cruiser.cjs");

// A small repository in which each file breaks the rules that its import lines name, and no other.
const DOMAIN = ["stores", "quality", "compat", "search", "docs", "evals", "optimizer"];
const tree: Record<string, string> = {
  "packages/spec-types/src/index.ts": "export const a = 1;",
  "packages/contract/src/index.ts": 'export * from "../../spec-types/src/index.js"; // no-way-round-the-exports',
  "packages/kernel/src/index.ts": "export const a = 1;",
  "packages/kernel/src/load/a.ts": 'import "../run/b.js"; // kernel-load-knows-no-run only-createKernel-joins-load-and-run',
  "packages/kernel/src/load/fine.ts": 'import "node:path";',
  "packages/kernel/src/run/a.ts": 'import "../load/fine.js"; // kernel-run-knows-no-load',
  "packages/kernel/src/run/b.ts": "export const a = 1;",
  "packages/kernel/src/createKernel.ts": 'import "./load/fine.js";\nimport "./run/b.js";',
  "packages/kernel/src/second.ts": 'import "./load/fine.js";\nimport "./run/b.js"; // only-createKernel-joins-load-and-run',
  "packages/kernel/src/clock.ts": 'import "node:fs"; // kernel-is-not-of-node',
  "packages/kernel/src/platform.ts": 'import "./node/index.js"; // kernel-does-not-import-its-platform',
  "packages/kernel/src/node/index.ts": 'import "node:fs";',
  "packages/kernel/src/sdk.ts": 'import "@modelcontextprotocol/server"; // only-mcp-imports-the-sdk',
  "packages/kernel/src/engine.ts": 'import "ajv"; // only-schema-imports-ajv',
  "packages/schema/src/engine.ts": 'import "ajv";',
  "packages/kernel/src/plugin.ts":
    'import "../../../plugins/validation/src/index.js"; // law-kernel only-fettle-imports-plugins-and-tools no-way-round-the-exports',
  "packages/kernel/src/fine.test.ts": 'import "@modelcontextprotocol/server";\nimport "../../../test/support/a.js";',
  "packages/mcp/src/fine.ts": "export const a = 1;",
  "packages/mcp/src/createShell.ts": 'import "@modelcontextprotocol/server";',
  "packages/mcp/src/sdk.ts": 'import "@modelcontextprotocol/server"; // only-the-complete-lanes-import-the-sdk',
  "packages/contract/src/library.ts": 'import "library"; // contract-has-no-dependency',
  "packages/schema/src/developed.ts": 'import "developed"; // no-dev-dependency-in-what-ships',
  "packages/schema/src/undeclared.ts": 'import "undeclared"; // declared',
  "packages/schema/src/nowhere.ts": 'import "./nothing.js"; // resolvable',
  "packages/schema/src/one.ts": 'import "./two.js"; // no-cycle',
  "packages/schema/src/two.ts": 'import "./one.js"; /* a cycle is told once, at one.ts */',
  "packages/schema/src/shipped.ts": 'import "./a.test.js"; // test-code-stays-in-tests',
  "packages/schema/src/a.test.ts": "export const a = 1;",
  "plugins/validation/src/index.ts": "export const a = 1;",
  "plugins/recovery/src/kernel.ts": 'import "../../../packages/kernel/src/index.js"; // law-plugins no-way-round-the-exports',
  "plugins/recovery/src/sibling.ts": 'import "../../validation/src/index.js"; // law-plugins no-way-round-the-exports',
  "plugins/recovery/src/a.test.ts": 'import "../../validation/src/index.js"; // law-plugins-tests no-way-round-the-exports',
  "tools/git/git_log.handler.ts": 'import "../../packages/contract/src/index.js"; // law-tools no-way-round-the-exports',
  "tools/git/a.test.ts": 'import "../../packages/contract/src/index.js"; // law-tools-tests no-way-round-the-exports',
  "test/support/a.ts": 'import "../../packages/kernel/src/index.js";',
  // None of the packages below the top may reach for mcp; mcp and the testkit don't know each other.
  ...Object.fromEntries(
    ["spec-types", "contract", "schema", "kernel", "testkit", ...DOMAIN].flatMap((name) => [
      [`packages/${name}/src/upwards.ts`, `import "../../mcp/src/fine.js"; // law-${name} no-way-round-the-exports`],
      [`packages/${name}/src/upwards.test.ts`, `import "../../mcp/src/fine.js"; // law-${name}-tests no-way-round-the-exports`],
    ]),
  ),
  "packages/mcp/src/upwards.ts": 'import "../../fettle/src/index.js"; // law-mcp no-way-round-the-exports',
  "packages/mcp/src/upwards.test.ts": 'import "../../fettle/src/index.js"; // law-mcp-tests no-way-round-the-exports',
  "packages/fettle/src/index.ts": "export const a = 1;",
};
const libraries = ["ajv", "library", "developed", "undeclared", "@modelcontextprotocol/server"];

const folder = mkdtempSync(join(tmpdir(), "fettle-import-law-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const write = (file: string, text: string): void => {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
};
for (const [file, text] of Object.entries(tree)) write(file, text);
for (const name of libraries) {
  write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: "1.0.0", main: "index.js" }));
  write(`node_modules/${name}/index.js`, "module.exports = 1;");
}
const own = { ajv: "1.0.0", "@modelcontextprotocol/server": "1.0.0", library: "1.0.0" };
for (const home of new Set(Object.keys(tree).map((file) => file.split("/").slice(0, 2).join("/")))) {
  write(`${home}/package.json`, JSON.stringify({ name: home, dependencies: own, devDependencies: { developed: "1.0.0" } }));
}
copyFileSync(join(root, "tsconfig.base.json"), join(folder, "tsconfig.base.json"));

const run = spawnSync(
  process.execPath,
  [
    join(root, "node_modules/dependency-cruiser/bin/dependency-cruise.mjs"),
    "--config",
    join(root, ".dependency-cruiser.cjs"),
    "--output-type",
    "json",
    "packages",
    "plugins",
    "tools",
    "test",
  ],
  { cwd: folder, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 },
);
assert.equal(run.stderr, "");
const { summary }: { summary: { violations: { from: string; rule: { name: string } }[] } } = JSON.parse(run.stdout);

test("each import that breaks the law is caught by the rules that forbid it, and by no other", () => {
  const expected = Object.entries(tree).flatMap(([file, text]) =>
    text.split("\n").flatMap((line) =>
      (line.split("// ")[1] ?? "")
        .split(" ")
        .filter(Boolean)
        .map((rule) => `${file} ${rule}`),
    ),
  );
  const found = new Set(summary.violations.map(({ from, rule }) => `${from} ${rule.name}`));
  assert.deepEqual([...found].sort(), expected.sort());
});

test("every rule of the import law is broken by a file above, so none of them is dead", () => {
  const broken = new Set(summary.violations.map(({ rule }) => rule.name));
  assert.deepEqual(
    config.forbidden.map(({ name }) => name).filter((name) => !broken.has(name)),
    [],
  );
});

test("every rule of the import law says why it is there", () => {
  for (const { name, comment } of config.forbidden) assert.ok(comment.length > 20, name);
});
