import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { parse, parseDocument } from "yaml";

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
  if (language === "js") {
    test(`the README's first tool: ${file} is written`, () => writeFileSync(join(folder, file ?? ""), text));
  } else if (language === "yaml") {
    test(`the README's first tool: fields of ${file} are written`, () => {
      const path = join(folder, file ?? "");
      const spec = parseDocument(readFileSync(path, "utf8"));
      for (const [field, value] of Object.entries(parse(text))) {
        assert.ok(spec.has(field), `${field} is there to be changed`);
        spec.set(field, value);
      }
      writeFileSync(path, spec.toString());
    });
  } else {
    for (const part of text.split(/^\$ /m).slice(1)) {
      const [command = "", ...lines] = part.split("\n");
      const shown = lines.join("\n").trim();
      test(`the README's first tool: ${command}`, () => {
        if (command.startsWith("cd ")) {
          folder = join(folder, command.slice(3));
          return;
        }
        const { NODE_TEST_CONTEXT: _, NODE_OPTIONS: __, ...env } = process.env;
        const path = `${join(root, "node_modules/.bin")}:${dirname(process.execPath)}:${env["PATH"] ?? ""}`;
        // As on a terminal, where both streams are seen.
        const run = spawnSync("sh", ["-c", `exec 2>&1; ${command}`], { cwd: folder, encoding: "utf8", env: { ...env, PATH: path, HOME: home } });
        assert.equal(run.status, 0, run.stdout);
        if (shown !== "") assert.equal(run.stdout.trim(), shown);
      });
    }
  }
}
