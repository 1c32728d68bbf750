import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const page = readFileSync(join(root, "docs/development.md"), "utf8");
const block = (language: string): string => new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "m").exec(page)?.[1] ?? "";

test("docs/development.md shows what fettle types prints, and a handler that is one", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "fettle-docs-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(join(root, "docs/hello"), folder, { recursive: true });
  const fettle = (...args: string[]): { code: number | null; said: string } => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, "packages/fettle/bin/fettle.js"), ...args], { cwd: folder, encoding: "utf8" });
    return { code: status, said: stdout + stderr };
  };
  const [command = "", ...shown] = block("sh").split("\n");
  assert.equal(command, "$ fettle types");
  assert.deepEqual(fettle("types"), { code: 0, said: shown.join("\n") });
  assert.equal(fettle("types", "--check").code, 0);

  rmSync(join(folder, "days_between.handler.mjs"));
  writeFileSync(join(folder, "days_between.handler.ts"), block("ts"));
  const called = fettle("call", "days_between", '{"from": "2026-01-01", "to": "2026-03-01"}');
  assert.deepEqual([called.code, JSON.parse(called.said)], [0, { days: 59 }]);
  const types = readFileSync(join(folder, "days_between.types.ts"), "utf8");
  for (const name of ["Args", "Output", "Handler"]) assert.match(types, new RegExp(`^export type ${name} =`, "m"));
});

test("docs/development.md brings tools into a project that is there, without init and with all that it had", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "fettle-docs-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const own = '{ "name": "orders", "version": "3.0.0" }\n';
  writeFileSync(join(folder, "package.json"), own);
  const run = (command: string): { status: number | null; stdout: string } => {
    const env = { ...process.env, FETTLE: root, PATH: `${dirname(process.execPath)}:${process.env["PATH"]}` };
    return spawnSync("sh", ["-c", `exec 2>&1; ${command}`], { cwd: folder, encoding: "utf8", env });
  };
  const [path = "", ...commands] = [...block("bash").matchAll(/^\$ (.*)$/gm)].map(([, command = ""]) => command);
  const refused = run(`${path}; fettle init`);
  assert.equal(refused.status, 2, refused.stdout);
  assert.match(refused.stdout, /In the way: package\.json\n.*write a fettle\.config\.yaml, .* fettle new NAME/);

  writeFileSync(join(folder, "fettle.config.yaml"), block("yaml"));
  for (const command of commands) {
    const { status, stdout } = run(`${path}; ${command}`);
    assert.equal(status, 0, stdout);
    if (command.startsWith("fettle call")) assert.deepEqual(JSON.parse(stdout), { text: "hello" });
  }
  assert.equal(readFileSync(join(folder, "package.json"), "utf8"), own);
});
