import assert from "node:assert/strict";
import { symlink } from "node:fs/promises";
import { test } from "node:test";
import { v1 } from "@fettle/spec-types/schemas";
import { Ajv2020 } from "ajv/dist/2020.js";
import { ECHO, specText, type TempProject, tempProject, tool } from "../../test/tempProject.js";

interface JsonReport {
  readonly diagnostics: readonly {
    readonly code: string;
    readonly file: string;
    readonly line: number;
    readonly column: number;
    readonly message: string;
    readonly hint?: string;
  }[];
  readonly summary: Readonly<Record<string, number | string>>;
}

async function checkJson(project: TempProject, ...args: string[]): Promise<JsonReport & { readonly code: number | null; readonly stderr: string }> {
  const { code, stdout, stderr } = await project.run(["check", "--json", ...args]);
  const report: JsonReport = JSON.parse(stdout);
  return { code, stderr, ...report };
}

const places = ({ diagnostics }: JsonReport): string[] => diagnostics.map(({ code, file, line, column }) => `${file}:${line}:${column} ${code}`);

test("a project without a fault prints nothing on stdout and what it looked at on stderr", async (t) => {
  const project = await tempProject(t, tool("echo", ECHO));
  assert.deepEqual(await project.run(["check"]), { code: 0, stdout: "", stderr: "No problems in 1 file: 1 tool can be served.\n" });
});

test("a finding is shown with its lines, what is wrong under the place, and where to read on", async (t) => {
  const project = await tempProject(t, {
    "fettle.config.yaml": "tools: [tools]\n",
    "tools/echo.tool.yaml": specText("echo", "catgory: x\n"),
    "tools/echo.handler.mjs": ECHO,
  });
  const { code, stdout, stderr } = await project.run(["check"]);
  assert.equal(code, 1);
  assert.equal(
    stdout,
    `error  spec/unknown-key  tools/echo.tool.yaml:21:1
   20 | performance: { typical_latency_ms: 1, max_latency_ms: 10, token_cost_estimate: 10, is_idempotent: true, is_reve…
   21 | catgory: x
      | ^^^^^^^ "catgory" is not a key here. Did you mean "category"?
   22 | category: test
  help: fettle check --explain spec/unknown-key
`,
  );
  assert.equal(stderr, "\n1 error in 1 file: 0 tools can be served.\n");
});

test("every broken file is told of at once, and none hides a tool that is fine", async (t) => {
  const project = await tempProject(t, {
    "fettle.config.yaml": "tools: [.]\n",
    ...tool("fine", ECHO),
    "binary.tool.yaml": new Uint8Array([0, 1, 2, 255, 254]),
    "big.tool.yaml": `${specText("big")}# ${"x".repeat(2 * 1024 * 1024)}\n`,
    "bomb.tool.yaml": `${specText("bomb")}${bomb()}`,
    ...tool("crlf", ECHO),
    "crlf.tool.yaml": `\ufeff${specText("crlf", "retires: 3\n").replaceAll("\n", "\r\n")}`,
    "empty.tool.yaml": "",
    ...tool("no_default", "export default 42;\n"),
    "no_handler.tool.yaml": specText("no_handler"),
    "tabs.tool.yaml": specText("tabs").replace("  type: object", "\ttype: object"),
    ...tool("throws", 'throw new Error("at import");\n'),
    ...tool("twice", ECHO),
    "twice.tool.yaml": `${specText("twice")}tags: [x]\n`,
    ...tool("typo", ECHO, "catgory: x\n"),
    "zz/fine.tool.yaml": specText("fine"),
    "zz/fine.handler.mjs": ECHO,
  });

  const report = await checkJson(project);

  assert.equal(report.code, 1);
  const found = new Map(report.diagnostics.toReversed().map(({ code, file }) => [file, code]));
  assert.deepEqual(Object.fromEntries([...found].sort()), {
    "big.tool.yaml": "spec/too-large",
    "binary.tool.yaml": "spec/not-text",
    "bomb.tool.yaml": "spec/bad-yaml",
    "crlf.tool.yaml": "spec/unknown-key",
    "empty.tool.yaml": "spec/empty-file",
    "no_default.tool.yaml": "spec/handler-not-a-function",
    "no_handler.tool.yaml": "spec/handler-missing",
    "tabs.tool.yaml": "spec/bad-yaml",
    "throws.tool.yaml": "spec/handler-failed",
    "twice.tool.yaml": "spec/duplicate-key",
    "typo.tool.yaml": "spec/unknown-key",
    "zz/fine.tool.yaml": "spec/duplicate-tool",
  });
  const at = places(report);
  assert.ok(at.includes("crlf.tool.yaml:21:1 spec/unknown-key"), "CRLF and a byte order mark move no place");
  assert.ok(at.includes("tabs.tool.yaml:9:1 spec/bad-yaml"));
  assert.ok(at.includes("twice.tool.yaml:23:1 spec/duplicate-key"));
  assert.equal(report.summary["tools"], 1);
  assert.equal(report.summary["files"], 13);
  assert.equal(report.summary["errors"], report.diagnostics.length);

  const validate = new Ajv2020({ strict: false }).compile(v1.diagnostic);
  for (const diagnostic of report.diagnostics) {
    assert.ok(validate(diagnostic), JSON.stringify(validate.errors));
    assert.ok(diagnostic.hint, `${diagnostic.code} says what to do`);
  }
});

test("messages name handlers and plugins relative to the folder in which a person runs check", async (t) => {
  const project = await tempProject(t, {
    "fettle.config.yaml": "tools: [my tools]\nplugins: [{ use: ./plugins/broken.mjs }]\n",
    "plugins/broken.mjs": "\nexport default a +;\n",
    "my tools/throws.tool.yaml": specText("throws"),
    "my tools/throws.handler.mjs": "throw new Error('no database');\n",
    "my tools/lacks.tool.yaml": specText("lacks"),
  });
  const config = await checkJson(project);
  assert.match(config.diagnostics[0]?.message ?? "", /\(plugins\/broken\.mjs:2:\d+\)$/);
  await project.write("fettle.config.yaml", "tools: [my tools]\n");
  const { diagnostics } = await checkJson(project);
  assert.match(diagnostics[0]?.message ?? "", /: no my tools\/lacks\.handler\.ts, \.mts, \.js or \.mjs$/);
  assert.equal(diagnostics[1]?.hint, "Run the module by itself to see the whole error: node 'my tools/throws.handler.mjs'");
});

/** Seven lists of nine aliases each: 9^7 values. */
function bomb(): string {
  const lines = ["a: &a [x,x,x,x,x,x,x,x,x]"];
  for (const [name, before] of ["ba", "cb", "dc", "ed", "fe", "gf"].map((pair) => [...pair]))
    lines.push(`${name}: &${name} [${Array(9).fill(`*${before}`).join(",")}]`);
  return `${lines.join("\n")}\n`;
}

test("warnings fail a check only when it is strict", async (t) => {
  const project = await tempProject(t, { "fettle.config.yaml": "tools: [.]\n", "other.tool.yaml": specText("echo"), "other.handler.mjs": ECHO });
  const lenient = await checkJson(project);
  assert.deepEqual(places(lenient), ["other.tool.yaml:2:7 spec/file-name"]);
  assert.equal(lenient.code, 0);
  assert.equal((await checkJson(project, "--strict")).code, 1);
});

test("files and folders that are named are checked in place of the config's", async (t) => {
  const project = await tempProject(t, {
    "fettle.config.yaml": "tools: [tools]\n",
    "tools/bad.tool.yaml": "",
    "more/good.tool.yaml": specText("good"),
    "more/good.handler.mjs": ECHO,
    "more/bad.tool.yaml": "",
  });
  assert.deepEqual(places(await checkJson(project, "more")), ["more/bad.tool.yaml:1:1 spec/empty-file"]);
  const one = await checkJson(project, "more/good.tool.yaml");
  assert.deepEqual([one.code, one.diagnostics, one.summary["files"]], [0, [], 1]);
});

test("a folder or file that isn't there is wrong use", async (t) => {
  const project = await tempProject(t, { "fettle.config.yaml": "tools: [tools]\n", ...tool("echo", ECHO) });
  const config = await checkJson(project);
  assert.deepEqual([config.code, ...places(config)], [2, "fettle.config.yaml:1:9 config/folder-missing"]);
  const folder = await checkJson(project, "nowhere");
  assert.deepEqual([folder.code, ...places(folder)], [2, "nowhere:1:1 config/folder-missing"]);
  const file = await checkJson(project, "nowhere.tool.yaml");
  assert.deepEqual(places(file), ["nowhere.tool.yaml:1:1 spec/unreadable"]);
  assert.notEqual(file.code, 0);
});

test("a folder that can't be read is told of, and the rest is checked", async (t) => {
  const project = await tempProject(t, { "fettle.config.yaml": "tools: [loop, .]\n", ...tool("echo", ECHO) });
  // Unlike a folder without permissions this one can't be read by root either.
  await symlink(project.path("loop"), project.path("loop"));
  const report = await checkJson(project);
  assert.deepEqual([report.code, ...places(report)], [2, "fettle.config.yaml:1:9 config/folder-missing"]);
  assert.match(report.diagnostics[0]?.message ?? "", /ELOOP/);
  assert.equal(report.summary["files"], 1);
});

test("a wrong config is shown like a wrong spec, with exit code 2", async (t) => {
  const project = await tempProject(t, { "fettle.config.yaml": "tools: [.]\npluginz: []\nserver: { name: 7 }\n", ...tool("echo", ECHO) });
  const { code, stdout } = await project.run(["check"]);
  assert.equal(code, 2);
  assert.match(
    stdout,
    /^error {2}config\/unknown-key {2}fettle\.config\.yaml:2:1\n {4}1 \| tools: \[\.\]\n {4}2 \| pluginz: \[\]\n {6}\| \^{7} "pluginz" is not a key here\. Did you mean "plugins"\?/,
  );
  assert.match(stdout, /error {2}config\/wrong-type {2}fettle\.config\.yaml:3:17/);
});

test("an unknown plugin and wrong options are shown in the config, with exit code 2", async (t) => {
  const project = await tempProject(t, {
    "fettle.config.yaml": `plugins:
  - use: "@fettle/plugin-nonesuch"
  - use: ./quota.mjs
    with: { per_minuet: 5, per_minute: 0 }
  - use: ./no-plugin.mjs
  - use: ./throws.mjs
`,
    "quota.mjs": `export default { name: "quota", options: { type: "object", additionalProperties: false, properties: { per_minute: { type: "integer", minimum: 1 } } },
  create: () => ({ name: "quota", position: "protect" }) };\n`,
    "no-plugin.mjs": "export default {};\n",
    "throws.mjs": 'throw new Error("at import");\n',
    ...tool("echo", ECHO),
  });
  const report = await checkJson(project);
  assert.equal(report.code, 2);
  assert.deepEqual(places(report), [
    "fettle.config.yaml:2:10 config/unknown-plugin",
    "fettle.config.yaml:4:13 config/bad-options",
    "fettle.config.yaml:4:40 config/bad-options",
    "fettle.config.yaml:5:10 config/bad-plugin",
    "fettle.config.yaml:6:10 config/plugin-failed",
  ]);
  assert.match(report.diagnostics[1]?.message ?? "", /per_minuet/);
});

test("the last line says what could be served: nothing, where the config or strict keeps a server from starting", async (t) => {
  const project = await tempProject(t, { ...tool("echo", ECHO), ...tool("bad", ECHO, "catgory: x\n") });
  const lastLine = async (config: string, ...args: string[]): Promise<string | undefined> => {
    await project.write("fettle.config.yaml", config);
    return (await project.run(["check", ...args])).stderr.trim().split("\n").at(-1);
  };
  assert.equal(await lastLine("tools: [.]\n"), "1 error in 2 files: 1 tool can be served.");
  assert.equal(await lastLine("tools: [., nowhere]\n"), "2 errors in 2 files: nothing can be served until the config is mended.");
  assert.equal(await lastLine("tools: [.]\nplugins: [{ use: ./none.mjs }]\n"), "2 errors in 2 files: nothing can be served until the config is mended.");
  assert.equal(await lastLine("tolls: [.]\n"), "1 error; no spec was looked at: nothing can be served until the config is mended.");
  assert.equal(await lastLine("strict: true\n"), "1 error in 2 files: nothing can be served until the specs are mended, since the config says strict.");
  assert.equal(await lastLine("tools: [.]\n", "echo.tool.yaml", "nowhere"), "1 error in 1 file: 1 tool can be served.");
  assert.deepEqual((await checkJson(project, "--config", "fettle.config.yaml")).summary["tools"], 1);
  await project.write("fettle.config.yaml", "tolls: [.]\n");
  const { summary } = await checkJson(project);
  assert.deepEqual([summary["tools"], summary["stopped"]], [0, "config"]);
});

test("a file that is no spec is wrong use, and the spec beside a handler is named", async (t) => {
  const project = await tempProject(t, { "fettle.config.yaml": "tools: [.]\n", ...tool("echo", ECHO) });
  const handler = await project.run(["check", "echo.handler.mjs"]);
  assert.deepEqual(handler, { code: 2, stdout: "", stderr: "error: echo.handler.mjs is no spec: specs end in .tool.yaml.\nDid you mean echo.tool.yaml?\n" });
  const config = await project.run(["check", "--json", "fettle.config.yaml"]);
  assert.equal(config.code, 2);
  assert.match(config.stderr, /^error: fettle\.config\.yaml is no spec: specs end in \.tool\.yaml\.\nName a spec, or a folder .* --config FILE\.\n$/);
});

test("a handler that ends the process while it is loaded makes no check look fine", async (t) => {
  const project = await tempProject(t, { ...tool("quits", `import "./deeper.mjs";\n${ECHO}`), "deeper.mjs": "\nprocess.exit(0);\n" });
  const { code, stdout, stderr } = await project.run(["check"]);
  assert.deepEqual([code, stdout], [1, ""]);
  assert.match(stderr, /^error: The process was ended while quits\.handler\.mjs was being loaded: process\.exit\(0\) was called at deeper\.mjs:2:9\.\n/);
});

test("the help line stands only under codes that --explain knows", async (t) => {
  const plugin = `export default { name: "house", options: {}, create: () => ({ name: "house", position: "observe",
  *checkTool() { yield { code: "house/no-tags", severity: "warning", path: ["tags"], message: "There are no tags" }; throw new Error("oops"); } }) };\n`;
  const project = await tempProject(t, { "fettle.config.yaml": "tools: [.]\nplugins: [{ use: ./house.mjs }]\n", "house.mjs": plugin, ...tool("echo", ECHO) });
  const { stdout } = await project.run(["check"]);
  assert.match(stdout, /house\/no-tags/);
  assert.deepEqual(stdout.match(/--explain .*/g), ["--explain plugin/check-threw"]);
  assert.match((await project.run(["check", "--explain", "plugin/check-threw"])).stdout, /^plugin\/check-threw\nA check of a plugin threw\./);
});

test("a config that isn't there is wrong use", async (t) => {
  const project = await tempProject(t, tool("echo", ECHO));
  const { code, stdout } = await project.run(["check", "--config", "other.yaml"]);
  assert.equal(code, 2);
  assert.match(stdout, /^error {2}\S+ {2}other\.yaml:1:1\n/);
});

test("a folder that is no project is told so", async (t) => {
  const project = await tempProject(t);
  const { code, stdout, stderr } = await project.run(["check"]);
  assert.equal(code, 2);
  assert.equal(stdout, "");
  assert.match(
    stderr,
    /^error: There is no fettle\.config\.yaml in \S+, and no \*\.tool\.yaml below it\.\nGo to a project's folder, or name its config with --config FILE\.\n$/,
  );
});

test("what a handler prints while it is loaded doesn't get into the data", async (t) => {
  const project = await tempProject(t, {
    "fettle.config.yaml": "tools: [.]\n",
    ...tool("loud", `console.log("loud");\nprocess.stdout.write("louder\\n");\n${ECHO}`),
  });
  const { code, stderr } = await checkJson(project);
  assert.equal(code, 0);
  assert.match(stderr, /loud\nlouder\n/);
});

test("sarif and workflow commands are written on demand", async (t) => {
  const project = await tempProject(t, { "fettle.config.yaml": "tools: [.]\n", ...tool("echo", ECHO, "catgory: x\n") });
  const sarif = await project.run(["check", "--format", "sarif"]);
  assert.equal(sarif.code, 1);
  assert.equal(sarif.stderr, "");
  const log = JSON.parse(sarif.stdout);
  assert.equal(log.runs[0].results[0].ruleId, "spec/unknown-key");
  assert.match(log.runs[0].tool.driver.rules[0].help.text, /Mend the spelling/);
  const github = await project.run(["check", "--format=github"]);
  assert.equal(
    github.stdout,
    '::error file=echo.tool.yaml,line=21,endLine=21,col=1,endColumn=8,title=spec/unknown-key::"catgory" is not a key here. Did you mean "category"?\n',
  );
});

test("colours are there when they are asked for, and only then", async (t) => {
  const project = await tempProject(t, { "fettle.config.yaml": "tools: [.]\n", "empty.tool.yaml": "" });
  assert.ok((await project.run(["check"], { env: { FORCE_COLOR: "1" } })).stdout.startsWith("\u001b[1m\u001b[31merror\u001b["));
  assert.ok(!(await project.run(["check"], { env: { FORCE_COLOR: "1", NO_COLOR: "1" } })).stdout.includes("\u001b"));
});

test("--explain says what a code or a rule means", async (t) => {
  const project = await tempProject(t);
  const code = await project.run(["check", "--explain", "spec/unknown-key"]);
  assert.equal(
    code.stdout,
    `spec/unknown-key
The spec has no such key at this place.
Mend the spelling, take the key out, or switch on the plugin that owns it.
`,
  );
  const run = JSON.parse((await project.run(["check", "--explain", "kernel/unknown-tool", "--json"])).stdout);
  assert.equal(run.error_type, "resource_error");

  const rule = await project.run(["check", "--explain", "T-NAME-2"]);
  assert.equal(rule.code, 0);
  assert.match(rule.stdout, /^T-NAME-2 {2}a rule of spec version 1\nName and version together are unique\./);
  assert.match(JSON.parse((await project.run(["check", "--explain", "C-ENV-1", "--json"])).stdout).message, /environment variable/);
  assert.equal((await project.run(["check", "--explain", "validation/invalid-arguments"])).code, 0);
  assert.equal((await project.run(["check", "--explain", "mcp/port-in-use"])).code, 0);

  const wrong = await project.run(["check", "--explain", "spec/unknwn-key"]);
  assert.equal(wrong.code, 2);
  assert.match(wrong.stderr, /^error: Nothing is called spec\/unknwn-key\. Did you mean spec\/unknown-key\?\nCodes: spec\/unreadable, /);
  assert.match((await project.run(["check", "--explain", "zzz"])).stderr, /A code looks like spec\/unknown-key/);
});
