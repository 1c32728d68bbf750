import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const hello = join(root, "docs/hello");
const fettle = join(root, "packages/fettle/bin/fettle.js");
const readme = readFileSync(join(root, "README.md"), "utf8");

/** The text of each fenced block in that language, in order. */
const blocks = (language: string): string[] =>
  [...readme.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(([, name, text]) => (name === language && text ? [text] : []));

/** The commands of a session and what it shows below each. */
const session = (text: string): { command: string; shown: string }[] =>
  text
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [command = "", ...shown] = part.split("\n");
      return { command, shown: shown.join("\n").trim() };
    });

/** Whether `whole` has everything that `part` has. */
const holds = (whole: unknown, part: unknown): boolean =>
  typeof part === "object" && part !== null && !Array.isArray(part)
    ? typeof whole === "object" && whole !== null && Object.entries(part).every(([key, value]) => holds(Reflect.get(whole, key), value))
    : JSON.stringify(whole) === JSON.stringify(part);

test("the README's example is 12 lines or fewer", () => {
  const code = [blocks("yaml")[0], blocks("js")[0], blocks("sh")[0]].join("").split("\n");
  assert.ok(code.filter((line) => line && !/^(#|\/\/)/.test(line)).length <= 12);
});

test("the README's excerpt of a spec is in the spec", () => {
  const spec: unknown = parse(readFileSync(join(hello, "days_between.tool.yaml"), "utf8"));
  assert.ok(holds(spec, parse(blocks("yaml")[0] ?? "")));
});

test("the README's handler is the handler", () => {
  const shown = (blocks("js")[0] ?? "").replace(/^\/\/.*\n/, "");
  assert.equal(shown, readFileSync(join(hello, "days_between.handler.mjs"), "utf8"));
});

// As the README says: from the root of a clone that is set up, then in docs/hello.
const [, exportPath = ""] = /`(export PATH=[^`]+)`/.exec(readme) ?? [];

for (const { command, shown } of blocks("sh").flatMap(session)) {
  test(`the README shows what this prints: ${command}`, () => {
    const env = { ...process.env, PATH: `${dirname(process.execPath)}:/usr/bin:/bin` };
    const run = spawnSync("sh", ["-c", `${exportPath}\ncd docs/hello\n${command}`], { cwd: root, encoding: "utf8", env });
    assert.equal((run.stdout + run.stderr).trim(), shown);
  });
}

test("every verb that the README names is one of the CLI", () => {
  const verbs = [...readme.matchAll(/^\| .*`fettle .*$/gm)].flatMap(([row]) => [...row.matchAll(/`fettle (\w+)/g)].map(([, verb]) => verb ?? ""));
  const { stdout } = spawnSync(process.execPath, [fettle, "--help"], { encoding: "utf8" });
  assert.ok(verbs.length >= 5);
  for (const verb of verbs) assert.match(stdout, new RegExp(`^\\s+${verb}\\b`, "m"));
});

test("every npm command that the README and CONTRIBUTING name is a script of package.json", () => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const text = readme + readFileSync(join(root, "CONTRIBUTING.md"), "utf8");
  const named = [...text.matchAll(/`npm (?:run )?(\w+)/g)].map(([, name]) => name ?? "");
  assert.deepEqual(
    [...new Set(named)].filter((name) => !(name in scripts)),
    [],
  );
});
