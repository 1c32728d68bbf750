import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { guideBlocks, guideFile } from "../support/pluginGuide.js";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");

// A folder outside of the repository, with nothing but what the page puts there: plain Node, the built CLI, the built testkit.
const folder = mkdtempSync(join(tmpdir(), "fettle-plugin-"));
after(() => rmSync(folder, { recursive: true, force: true }));
cpSync(join(root, "docs/hello"), folder, { recursive: true });

const run = (command: string): { status: number | null; shown: string } => {
  const { NODE_TEST_CONTEXT: _, NODE_OPTIONS: __, ...env } = process.env;
  const path = `${join(root, "node_modules/.bin")}:${dirname(process.execPath)}:${env["PATH"] ?? ""}`;
  // As on a terminal, where both streams are seen in the order in which they come.
  const { status, stdout } = spawnSync("sh", ["-c", `exec 2>&1; ${command}`], { cwd: folder, encoding: "utf8", env: { ...env, FETTLE: root, PATH: path } });
  return { status, shown: stdout.trim() };
};

// One after the other, as a reader goes: a file is written, a command is run.
for (const { language, name, text } of guideBlocks) {
  if (language !== "sh") {
    assert.ok(name, `a block of docs/plugins.md says in its first line which file it is: ${text.slice(0, 60)}`);
    test(`docs/plugins.md writes ${name}`, () => writeFileSync(join(folder, name), text));
    continue;
  }
  for (const part of text.split(/^\$ /m).slice(1)) {
    const [command = "", ...lines] = part.split("\n");
    const expected = lines.join("\n").trim();
    test(`docs/plugins.md shows what this does: ${command}`, () => {
      const { status, shown } = run(command);
      if (!command.startsWith("fettle")) assert.equal(status, 0, shown);
      else assert.equal(shown, expected);
    });
  }
}

test("what docs/plugins.md ends with is the plugin that test/e2e/matrix.test.ts runs beside all others", () => {
  assert.equal(readFileSync(join(folder, "freeze.mjs"), "utf8"), guideFile("freeze.mjs"));
});
