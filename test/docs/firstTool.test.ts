import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const readme = readFileSync(join(root, "README.md"), "utf8");
const section = /^## A tool of your own, in five minutes\n([\s\S]*?)(?=^## )/m.exec(readme)?.[1] ?? "";

// As a reader goes: from an empty folder, one step after the other, in one shell that remembers where it is.
let folder = realpathSync(mkdtempSync(join(tmpdir(), "fettle-first-")));
const home = folder;
after(() => rmSync(home, { recursive: true, force: true }));

const steps = [...section.matchAll(/^ {3}```(\w+)\n([\s\S]*?)^ {3}```$/gm)].map(([, language = "", text = ""]) => ({
  language,
  text: text.replace(/^ {3}/gm, ""),
}));
test("the README's way to a tool of one's own has steps", () => assert.ok(steps.length >= 5));

for (const { language, text } of steps) {
  const [, file] = /^(?:\/\/|#) (\S+)\n/.exec(text) ?? [];
  if (language === "js" || language === "yaml") {
    test(`the README's first tool: ${file} is pasted over what is there`, () => {
      const path = join(folder, file ?? "");
      assert.ok(existsSync(path), `${path} is there to be replaced`);
      writeFileSync(path, text);
    });
    if (language === "js") {
      test("the README's first tool: with the handler alone check warns and npm test fails, as it says", () => {
        assert.match(section, /has 4 warnings, [^.]* begins with `TODO:`, and `npm test` fails, since the example in the spec\s+still expects `hello`/);
        const check = run("npx fettle check --json");
        const { summary } = JSON.parse(check.stdout);
        assert.deepEqual([check.status, summary.errors, summary.warnings], [0, 0, 4]);
        const tests = run("npm test");
        assert.equal(tests.status, 1, tests.stdout);
        assert.match(tests.stdout, /HELLO/);
      });
    }
  } else {
    for (const part of text.split(/^\$ /m).slice(1)) {
      const [command = "", ...lines] = part.split("\n");
      const shown = lines.join("\n").trim();
      test(`the README's first tool: ${command}`, () => {
        if (command.startsWith("cd ")) {
          folder = join(folder, command.slice(3));
          return;
        }
        const { status, stdout } = run(command);
        assert.equal(status, 0, stdout);
        if (shown !== "") assert.equal(stdout.trim(), shown);
      });
    }
  }
}

test("the README's first tool has the types that its spec gives", () => {
  const { status, stdout } = run("npx fettle types --check");
  assert.equal(status, 0, stdout);
});

function run(command: string): { readonly status: number | null; readonly stdout: string } {
  const { NODE_TEST_CONTEXT: _, NODE_OPTIONS: __, ...env } = process.env;
  const path = `${join(root, "node_modules/.bin")}:${dirname(process.execPath)}:${env["PATH"] ?? ""}`;
  // As on a terminal, where both streams are seen.
  return spawnSync("sh", ["-c", `exec 2>&1; ${command}`], { cwd: folder, encoding: "utf8", env: { ...env, PATH: path, HOME: home } });
}
