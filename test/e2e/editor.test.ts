import assert from "node:assert/strict";
import { mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { type Editor, openEditor } from "./languageServer.js";
import { CLI } from "./runCli.js";
import { runProgram } from "./runProgram.js";

describe("an editor with the YAML extension, in a project that init made", () => {
  let folder: string;
  let editor: Editor;
  const spec = (): string => join(folder, "tools/convert_unit.tool.yaml");
  const config = (): string => join(folder, "fettle.config.yaml");
  before(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), "fettle-editor-")));
    const { code, stderr } = await runProgram(process.execPath, [CLI, "init"], { cwd: folder, home: folder });
    assert.equal(code, 0, stderr);
    editor = await openEditor(folder);
  });
  after(async () => {
    await editor.close();
    await rm(folder, { recursive: true, force: true });
  });

  test("underlines nothing in the spec and the config", async () => {
    for (const file of [spec(), config()]) assert.deepEqual(await editor.problems(file, await readFile(file, "utf8")), [], file);
  });

  test("underlines what is wrong, at its place", async () => {
    const text = (await readFile(spec(), "utf8")).replace("category: basic", "category: basics").replace("\nversion: ", "\nversoin: ");
    const lines = text.split("\n");
    const problems = await editor.problems(spec(), text);
    const seen = problems.map(({ message, range: { start } }) => `${lines[start.line]?.slice(start.character)}: ${message}`).sort();
    assert.equal(seen.length, 3, seen.join("\n"));
    assert.match(seen[0] ?? "", /^basics: Value is not accepted\. Valid values: "basic", "advanced", "edge_case", "negative"\./);
    assert.match(seen[1] ?? "", /: Missing property "version"\.$/);
    assert.match(seen[2] ?? "", /^versoin: "1\.0\.0": Property versoin is not allowed\.$/);
  });

  test("proposes the fields of a spec, and the values that a field takes", async () => {
    const text = await readFile(spec(), "utf8");
    const lines = text.split("\n");
    await editor.problems(spec(), `${text}\n`);
    const fields = await editor.completions(spec(), lines.length - 1, 0);
    for (const field of ["deprecation", "timeout_ms", "examples_setup"]) assert.ok(fields.includes(field), `${field} is not among ${fields.join(", ")}`);
    assert.ok(!fields.includes("tags"), "what is there already isn't proposed");

    const row = lines.findIndex((line) => line.includes("category: basic"));
    const values = await editor.completions(spec(), row, lines[row]?.indexOf("basic") ?? 0);
    assert.deepEqual([...values].sort(), ["advanced", "basic", "edge_case", "negative"]);
  });

  test("knows the config too", async () => {
    const text = `${await readFile(config(), "utf8")}timeout: 5\n`;
    const [problem, ...more] = await editor.problems(config(), text);
    assert.deepEqual(more, []);
    assert.match(problem?.message ?? "", /Property timeout is not allowed/);
  });
});
