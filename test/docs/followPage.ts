import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { pageBlocks } from "../support/pluginGuide.js";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");

/**
 * Tests a page as a reader follows it, one block after the other: a file is written, a command is run. It begins in a copy of docs/hello outside of
 * the repository, with nothing but what the page puts there: plain Node, the built CLI, the built testkit.
 *
 * @returns the folder
 */
export function followPage(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), "fettle-page-"));
  after(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(join(root, "docs/hello"), folder, { recursive: true });

  for (const { language, name: file, text } of pageBlocks(name)) {
    if (language !== "sh") {
      assert.ok(file, `a block of ${name} says in its first line which file it is: ${text.slice(0, 60)}`);
      test(`${name} writes ${file}`, () => writeFileSync(join(folder, file), text));
      continue;
    }
    for (const part of text.split(/^\$ /m).slice(1)) {
      const [command = "", ...lines] = part.split("\n");
      const expected = lines.join("\n").trim();
      test(`${name} shows what this does: ${command}`, () => {
        const { status, shown } = run(command, folder);
        if (!command.startsWith("fettle")) assert.equal(status, 0, shown);
        else assert.equal(shown, expected);
      });
    }
  }
  return folder;
}

/**
 * Tests that what a page says of tests, and of links for them, holds in a project that `fettle init` made too: its modules are written there, and each
 * command that isn't one of the CLI's is run, links included.
 */
export function testInInitProject(name: string): void {
  test(`the tests of ${name} run in a project that init made, and leave no stray link in the clone`, () => {
    const home = mkdtempSync(join(tmpdir(), "fettle-page-init-"));
    after(() => rmSync(home, { recursive: true, force: true }));
    const made = run("fettle init project", home);
    assert.equal(made.status, 0, made.shown);
    const folder = join(home, "project");
    cpSync(join(root, "docs/hello/days_between.tool.yaml"), join(folder, "days_between.tool.yaml"));
    const inClone = readdirSync(join(root, "packages/fettle"));
    for (const { language, name: file = "", text } of pageBlocks(name)) {
      if (language === "js") writeFileSync(join(folder, file), text);
      for (const [, command = ""] of language === "sh" ? text.matchAll(/^\$ ((?:mkdir|ln|node) .*)$/gm) : []) {
        const { status, shown } = run(command, folder);
        assert.equal(status, 0, shown);
      }
    }
    assert.deepEqual(readdirSync(join(root, "packages/fettle")), inClone);
  });
}

function run(command: string, folder: string): { readonly status: number | null; readonly shown: string } {
  const { NODE_TEST_CONTEXT: _, NODE_OPTIONS: __, ...env } = process.env;
  const path = `${join(root, "node_modules/.bin")}:${dirname(process.execPath)}:${env["PATH"] ?? ""}`;
  // As on a terminal, where both streams are seen in the order in which they come.
  const { status, stdout } = spawnSync("sh", ["-c", `exec 2>&1; ${command}`], { cwd: folder, encoding: "utf8", env: { ...env, FETTLE: root, PATH: path } });
  return { status, shown: stdout.trim() };
}
