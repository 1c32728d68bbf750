import assert from "node:assert/strict";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { test } from "node:test";
import { devServer } from "../../test/devServer.js";
import { ECHO, specText, tempProject, tool } from "../../test/tempProject.js";
import { until } from "../../test/until.js";

const CONFIG = 'server: { name: mine, version: "1.0.0" }\ntools: [tools]\nplugins: [{ use: "@fettle/plugin-validation" }]\n';
const gives = (text: string): string => `export default () => "${text}";\n`;

/** The files of a tool in the folder `tools`. */
function inTools(name: string, handler: string, more?: string): Record<string, string> {
  return Object.fromEntries(Object.entries(tool(name, handler, more)).map(([file, text]) => [`tools/${file}`, text]));
}

test("at the start there are the address, an entry to paste, and the problems; SIGTERM ends it with 0", async (t) => {
  const project = await tempProject(t, { "fettle.config.yaml": CONFIG, ...inTools("echo", ECHO), "tools/bad.tool.yaml": "" });
  const server = await devServer(t, project);
  const said = server.stderr();
  assert.ok(said.includes(`1 tool at ${server.url}/mcp`), said);
  const entry = JSON.parse(/^{[\s\S]*^}/m.exec(said)?.[0] ?? "");
  assert.deepEqual(entry, { mcpServers: { mine: { type: "http", url: `${server.url}/mcp` } } });
  await server.seen(/error {2}spec\/empty-file {2}tools\/bad\.tool\.yaml:1:1/);
  server.child.kill("SIGTERM");
  const { code, stdout } = await server.ended;
  assert.deepEqual([code, stdout], [0, ""]);
});

test("what is saved is served: handlers in JavaScript and TypeScript, what they import, and specs; clients are told", async (t) => {
  const project = await tempProject(t, {
    "fettle.config.yaml": CONFIG,
    ...inTools("js", 'import { word } from "../lib/word.mjs";\nexport default () => `js ${word}`;\n'),
    "lib/word.mjs": 'export const word = "one";\n',
    "tools/ts.tool.yaml": specText("ts"),
    "tools/ts.handler.ts": 'import { word } from "./part.js";\nexport default (): string => `ts ${word}`;\n',
    "tools/part.ts": 'export const word: string = "one";\n',
  });
  const server = await devServer(t, project);
  assert.deepEqual([await server.call("js"), await server.call("ts")], ["js one", "ts one"]);

  await project.write("lib/word.mjs", 'export const word = "two";\n');
  await server.gives("js", "js two");
  await project.write("tools/part.ts", 'export const word: string = "two";\n');
  await server.gives("ts", "ts two");
  await project.write("tools/js.handler.mjs", gives("js three"));
  await server.gives("js", "js three");
  await server.seen(/reloaded tools\/js\.handler\.mjs: 2 tools, \d+ ms/);
  assert.equal(server.changes(), 0, "the list is as it was");

  await project.write("tools/js.tool.yaml", specText("js").replace("text: { type: string", "text: { type: integer"));
  await until(async () => (await server.call("js", { text: "word" })).includes("expected integer"), server.stderr);
  await until(() => server.changes() === 1, server.stderr);
});

test("a spec comes, is renamed, and goes", async (t) => {
  const project = await tempProject(t, { "fettle.config.yaml": CONFIG, ...inTools("a", ECHO) });
  const server = await devServer(t, project);
  for (const [file, text] of Object.entries(inTools("b", ECHO))) await project.write(file, text);
  await server.has("a", "b");
  for (const end of ["tool.yaml", "handler.mjs"]) await rename(project.path(`tools/b.${end}`), project.path(`tools/c.${end}`));
  await project.write("tools/c.tool.yaml", specText("c"));
  await server.has("a", "c");
  await project.write("tools/deep/er/d.tool.yaml", specText("d"));
  await project.write("tools/deep/er/d.handler.mjs", ECHO);
  await server.has("a", "c", "d");
  await rm(project.path("tools/deep"), { recursive: true });
  await rm(project.path("tools/a.tool.yaml"));
  await server.has("c");
});

test("while a spec or a handler is broken the last good tools stay; the frame is shown once, and that it is mended", async (t) => {
  const project = await tempProject(t, { "fettle.config.yaml": CONFIG, ...inTools("echo", gives("one")) });
  const server = await devServer(t, project);
  server.said();

  await project.write("tools/echo.tool.yaml", specText("echo").replace("\nversion:", "\nverson:"));
  await server.seen(/not reloaded tools\/echo\.tool\.yaml[\s\S]*\^\^\^\^\^\^ "verson" is not a key here/);
  assert.equal(await server.call("echo"), "one");
  server.said();
  await project.write("tools/echo.tool.yaml", specText("echo").replace("\nversion:", "\nverson:").replace("unchanged", "as it is"));
  await server.seen(/not reloaded[\s\S]*not reloaded[\s\S]*still there: tools\/echo\.tool\.yaml:\d+ spec\/unknown-key/);
  assert.doesNotMatch(server.said(), /\^\^\^/);
  await project.write("tools/echo.tool.yaml", specText("echo"));
  await server.seen(/ reloaded tools\/echo\.tool\.yaml: 1 tool, \d+ ms\nmended: tools\/echo\.tool\.yaml/);

  await project.write("tools/echo.handler.mjs", 'export default () => {\n  const two = ;\n  return "two";\n};\n');
  await server.seen(/tools\/echo\.handler\.mjs:2:15\n[\s\S]*2 \| {3}const two = ;\n.*\^/);
  assert.equal(await server.call("echo"), "one");
  await project.write("tools/echo.handler.mjs", gives("three"));
  await server.gives("echo", "three");
});

test("a module that an import lacks may come later, also outside of the folders of tools", async (t) => {
  const project = await tempProject(t, { "fettle.config.yaml": CONFIG, ...inTools("echo", gives("one")), "lib/a.mjs": "export const a = 1;\n" });
  const server = await devServer(t, project);
  await project.write("tools/echo.handler.mjs", 'import { a } from "../lib/a.mjs";\nimport { b } from "./b.mjs";\nexport default () => `${a} ${b}`;\n');
  await server.seen(/not reloaded/);
  await project.write("tools/b.mjs", "export const b = 2;\n");
  await server.gives("echo", "1 2");
  await project.write("lib/a.mjs", 'export { c as a } from "./c.mjs";\n');
  await server.seen(/not reloaded [^\n]*lib\/a\.mjs/);
  await project.write("lib/c.mjs", "export const c = 3;\n");
  await server.gives("echo", "3 2");
});

test("a module that vanishes and comes back is noticed, also when it was alone in its folder", async (t) => {
  const handler = 'import { word } from "../lib/word.mjs";\nexport default () => word;\n';
  const project = await tempProject(t, { "fettle.config.yaml": CONFIG, ...inTools("js", handler), "lib/word.mjs": 'export const word = "one";\n' });
  const server = await devServer(t, project);
  assert.equal(await server.call("js"), "one");
  await rm(project.path("lib/word.mjs"));
  await server.seen(/not reloaded/);
  await project.write("lib/word.mjs", 'export const word = "two";\n');
  await server.gives("js", "two");
});

test("a burst of saves is one reload, and a save during a reload is loaded too", async (t) => {
  const slow = 'await new Promise((resolve) => setTimeout(resolve, 400));\nconsole.error("imported");\n';
  const project = await tempProject(t, { "fettle.config.yaml": CONFIG, ...inTools("echo", gives("0")), ...inTools("other", ECHO) });
  const server = await devServer(t, project);
  server.said();
  // As a checkout does: many files at once.
  await Promise.all(Array.from({ length: 30 }, (_, i) => writeFile(project.path(`tools/n${i}.tool.yaml`), specText(`n${i}`, "handler: ./echo.handler.mjs\n"))));
  await server.seen(/reloaded .* and 27 more: 32 tools/);
  await project.write("tools/echo.handler.mjs", `${slow}${gives("1")}`);
  await server.seen(/imported/);
  await project.write("tools/echo.handler.mjs", gives("2"));
  await project.write("tools/other.handler.mjs", gives("22"));
  await server.gives("echo", "2");
  await server.gives("other", "22");
  assert.ok((server.stderr().match(/ reloaded /g) ?? []).length <= 4, server.stderr());
});

test("editors that write a new file and rename it over the old one are noticed, again and again", async (t) => {
  const project = await tempProject(t, { "fettle.config.yaml": CONFIG, ...inTools("echo", gives("0")) });
  const server = await devServer(t, project);
  for (let i = 1; i <= 4; i++) {
    await project.write("tools/.echo.swp", gives(`${i}`));
    await rename(project.path("tools/.echo.swp"), project.path("tools/echo.handler.mjs"));
    await server.gives("echo", `${i}`);
  }
  await project.write("config.new", `${CONFIG}timeout_ms: 1000\n`);
  await rename(project.path("config.new"), project.path("fettle.config.yaml"));
  await server.seen(/ reloaded fettle\.config\.yaml/);
});

test("a folder of tools that vanishes keeps what was served, and is served again when it is back", async (t) => {
  const project = await tempProject(t, { "fettle.config.yaml": CONFIG, ...inTools("echo", gives("one")) });
  const server = await devServer(t, project);
  await rename(project.path("tools"), project.path("away"));
  await server.seen(/not reloaded tools: what was served/);
  assert.equal(await server.call("echo"), "one");
  await project.write("away/echo.handler.mjs", gives("two"));
  await rename(project.path("away"), project.path("tools"));
  await server.gives("echo", "two");
  await project.write("tools/echo.handler.mjs", gives("three"));
  await server.gives("echo", "three");

  await rm(project.path("tools"), { recursive: true });
  await mkdir(project.path("tools"));
  for (const [file, text] of Object.entries(inTools("echo", gives("four")))) await project.write(file, text);
  await server.gives("echo", "four");
  await project.write("tools/echo.handler.mjs", gives("five"));
  await server.gives("echo", "five");
});

const PLUGIN = (says: string): string => `import { note } from "./note.mjs";
export default {
  name: "stamp",
  options: {},
  create: () => ({
    name: "stamp",
    position: "shape",
    setup: () => ({
      layer: () => async (_call, next) => ({ ...(await next()), data: undefined, content: [{ type: "text", text: "${says} " + note }] }),
      dispose: async () => console.error("disposed ${says}"),
    }),
  }),
};
`;

test("a change of the config or of a plugin that it names by path is served on the same port, to the same session", async (t) => {
  const config = `server: { name: mine, version: "1.0.0" }\ntools: [tools]\nplugins: [{ use: "./plugins/stamp.mjs" }]\n`;
  const project = await tempProject(t, {
    "fettle.config.yaml": CONFIG,
    ...inTools("echo", gives("plain")),
    "more/extra.tool.yaml": specText("extra"),
    "more/extra.handler.mjs": ECHO,
    "plugins/stamp.mjs": PLUGIN("a"),
    "plugins/note.mjs": 'export const note = "1";\n',
  });
  const server = await devServer(t, project);
  assert.equal(await server.call("echo"), "plain");
  await project.write("fettle.config.yaml", config);
  await server.gives("echo", "a 1");
  assert.equal(server.changes(), 0, "the list is as it was");
  await project.write("plugins/note.mjs", 'export const note = "2";\n');
  await server.gives("echo", "a 2");
  await server.seen(/disposed a/);
  await project.write("plugins/stamp.mjs", PLUGIN("b"));
  await server.gives("echo", "b 2");
  await project.write("plugins/stamp.mjs", `${PLUGIN("c")}export const a b;\n`);
  await server.seen(/config\/plugin-failed[\s\S]*plugins\/stamp\.mjs:\d+:\d+\n[\s\S]*\| export const a b;\n[ |]+\^ here/);
  assert.doesNotMatch(server.stderr(), /\?fettle=|^ +at /m);
  assert.equal(await server.call("echo"), "b 2");
  await project.write("plugins/stamp.mjs", PLUGIN("d"));
  await server.gives("echo", "d 2");
  await project.write("plugins/stamp.mjs", PLUGIN("b"));
  await server.gives("echo", "b 2");
  await project.write("fettle.config.yaml", config.replace("[tools]", "[tools, more]"));
  await server.has("echo", "extra");
  await until(() => server.changes() === 1, server.stderr);
  await project.write("more/extra.handler.mjs", gives("changed"));
  await server.gives("extra", "b 2");
  await server.seen(/reloaded more\/extra\.handler\.mjs: 2 tools/);

  await project.write("fettle.config.yaml", "tools: [nowhere\n");
  await server.seen(/not reloaded fettle\.config\.yaml[\s\S]*config\/bad-yaml {2}fettle\.config\.yaml:1/);
  assert.equal(await server.call("echo"), "b 2");
  await rm(project.path("fettle.config.yaml"));
  await server.seen(/config\/file-missing/);
  assert.equal(await server.call("echo"), "b 2");
  await project.write("fettle.config.yaml", `${CONFIG}http: { max_sessions: 7 }\n`);
  await server.gives("echo", "plain");
  await server.seen(/restart needed: http in the config/);
});

test("what is saved in a folder before it is watched is served too", async (t) => {
  const project = await tempProject(t, { "fettle.config.yaml": CONFIG, ...inTools("echo", gives("plain")), "lib/word.mjs": 'export const word = "one";\n' });
  // To watch as many takes longer than to load the one that matters.
  await Promise.all(Array.from({ length: 1_500 }, (_, i) => writeFile(project.path(`lib/part${i}.mjs`), "")));
  const server = await devServer(t, project);
  await project.write("tools/echo.handler.mjs", 'import { word } from "../lib/word.mjs";\nexport default () => word;\n');
  await server.gives("echo", "one");
  await project.write("lib/word.mjs", 'export const word = "two";\n');
  await server.gives("echo", "two");
});

test("a call in flight ends on what it began with, over a reload and over a new config", async (t) => {
  const waiting = (text: string): string => `import { existsSync } from "node:fs";
export default async ({ text }) => {
  console.error("begun " + text);
  while (!existsSync(text)) await new Promise((resolve) => setTimeout(resolve, 10));
  return "${text}";
};
`;
  const project = await tempProject(t, { "fettle.config.yaml": CONFIG, ...inTools("wait", waiting("old")) });
  const server = await devServer(t, project);
  const first = server.call("wait", { text: "go1" });
  await server.seen(/begun go1/);
  await project.write("tools/wait.handler.mjs", waiting("new"));
  await server.seen(/ reloaded tools\/wait/);
  const second = server.call("wait", { text: "go2" });
  await server.seen(/begun go2/);
  await project.write("fettle.config.yaml", `${CONFIG}timeout_ms: 50000\n`);
  await server.seen(/ reloaded fettle\.config\.yaml/);
  await project.write("go1", "");
  await project.write("go2", "");
  assert.deepEqual([await first, await second], ["old", "new"]);
});

test("types files are kept up to date where there are some, and none are made where there are none", async (t) => {
  const project = await tempProject(t, { "fettle.config.yaml": CONFIG, ...inTools("echo", ECHO) });
  const server = await devServer(t, project);
  await project.write("tools/echo.tool.yaml", specText("echo").replace("The text to", "A text to"));
  await server.seen(/ reloaded tools\/echo/);
  await assert.rejects(readFile(project.path("tools/echo.types.ts")));
  await project.run(["types"]);
  await project.write("tools/echo.tool.yaml", specText("echo").replace("The text to", "Some text to"));
  await server.seen(/types: wrote tools\/echo\.types\.ts/);
  assert.match(await readFile(project.path("tools/echo.types.ts"), "utf8"), /Some text to/);
});

test("SIGHUP reloads, a port that is taken and a folder that is no project end with 2", async (t) => {
  const project = await tempProject(t, { "fettle.config.yaml": CONFIG, ...inTools("echo", ECHO) });
  const server = await devServer(t, project);
  server.child.kill("SIGHUP");
  await server.seen(/ reloaded all: 1 tool/);
  assert.equal((await project.run(["dev", "--port", new URL(server.url).port])).code, 2);
  const empty = await tempProject(t);
  const { code, stderr } = await empty.run(["dev", "--port", "0"]);
  assert.deepEqual([code, /no fettle\.config\.yaml/.test(stderr)], [2, true]);
  server.child.kill("SIGINT");
  assert.equal((await server.ended).code, 0);
});

test("a handler that never ends to load is told of, doesn't hold up its mended version, and not the end of dev", async (t) => {
  const never = "await new Promise(() => {});\n";
  for (const ending of ["mjs", "ts"]) {
    const project = await tempProject(t, {
      "fettle.config.yaml": CONFIG,
      "tools/echo.tool.yaml": specText("echo"),
      [`tools/echo.handler.${ending}`]: `import "../lib/part.mjs";\n${gives("one")}`,
      "lib/part.mjs": "",
      ...inTools("other", gives("1")),
    });
    const server = await devServer(t, project);
    for (const [file, mended] of [
      ["lib/part.mjs", ""],
      [`tools/echo.handler.${ending}`, gives("two")],
    ] as const) {
      server.said();
      await project.write(file, `${never}${mended}`);
      await server.seen(new RegExp(`waiting for tools/echo\\.handler\\.${ending} to load`));
      await project.write(file, mended);
      await server.seen(new RegExp(` reloaded ${file.replaceAll(".", "\\.")}: 2 tools`));
      assert.doesNotMatch(server.stderr(), /did not end/, "the load that hung isn't waited for");
    }
    await server.gives("echo", "two");
    server.said();
    await project.write(`tools/echo.handler.${ending}`, never);
    await until(() => server.said().includes("waiting for"), server.stderr);
    server.child.kill("SIGTERM");
    assert.equal((await server.ended).code, 0);
  }
});

test("what is broken in another way, or wasn't looked at, isn't called mended", async (t) => {
  const project = await tempProject(t, { "fettle.config.yaml": CONFIG, ...inTools("echo", gives("one")) });
  const server = await devServer(t, project);
  await project.write("tools/echo.handler.mjs", "const = 1;\n");
  await server.seen(/not reloaded tools\/echo\.handler\.mjs/);
  await project.write("tools/echo.handler.mjs", 'throw new Error("at the top");\n');
  await server.seen(/spec\/handler-failed[\s\S]*at the top/);
  await rm(project.path("fettle.config.yaml"));
  await server.seen(/config\/file-missing/);
  assert.doesNotMatch(server.stderr(), /mended/);
  await project.write("fettle.config.yaml", CONFIG);
  await server.seen(/mended: fettle\.config\.yaml/);
  assert.doesNotMatch(server.stderr(), /mended: .*handler-failed/);
  await rename(project.path("tools"), project.path("away"));
  await server.seen(/config\/folder-missing/);
  assert.doesNotMatch(server.stderr(), /mended: .*handler-failed/);
});

test("warnings take a line, once, and aren't told of as problems that are still there", async (t) => {
  const project = await tempProject(t, { "fettle.config.yaml": CONFIG, ...inTools("echo", ECHO) });
  const server = await devServer(t, project);
  await project.run(["new", "draft"]);
  await server.seen(/warning: tools\/draft\.tool\.yaml:[\d,]+ spec\//);
  await server.has("draft", "echo");
  await project.write("tools/echo.handler.mjs", gives("two"));
  await server.gives("echo", "two");
  await server.seen(/ reloaded tools\/echo\.handler\.mjs/);
  assert.doesNotMatch(server.stderr(), /still there|\^\^\^/);
});

test("a handler that ends the process as it loads is a finding, and the last good tools stay", async (t) => {
  for (const ending of ["mjs", "ts"]) {
    const project = await tempProject(t, {
      "fettle.config.yaml": CONFIG,
      "tools/echo.tool.yaml": specText("echo"),
      [`tools/echo.handler.${ending}`]: gives("one"),
    });
    const server = await devServer(t, project);
    await project.write(`tools/echo.handler.${ending}`, `await Promise.resolve();\nprocess.exit(3);\n${gives("two")}`);
    await server.seen(/spec\/handler-failed[\s\S]*it called process\.exit\(3\)/);
    assert.equal(await server.call("echo"), "one");
    await project.write(`tools/echo.handler.${ending}`, gives("three"));
    await server.gives("echo", "three");
    server.child.kill("SIGTERM");
    assert.equal((await server.ended).code, 0);
  }
});

test("a tool whose two files are moved is one reload, which names them as they are now", async (t) => {
  const project = await tempProject(t, { "fettle.config.yaml": CONFIG, ...inTools("a", ECHO), ...inTools("b", ECHO) });
  const server = await devServer(t, project);
  for (const end of ["tool.yaml", "handler.mjs"]) await rename(project.path(`tools/b.${end}`), project.path(`tools/c.${end}`));
  await server.seen(/ reloaded tools\/c\.(tool\.yaml|handler\.mjs), tools\/c\.(tool\.yaml|handler\.mjs): 2 tools/);
  await project.write("tools/a.handler.mjs", gives("two"));
  await server.gives("a", "two");
  assert.equal((server.stderr().match(/reloaded /g) ?? []).length, 2, server.stderr());
});

test("where the tools are in the folder of the project, what is written to .fettle and node_modules is no change", async (t) => {
  const keeper = `import { mkdirSync, writeFileSync } from "node:fs";
export default { name: "keeper", options: {}, create: () => ({ name: "keeper", position: "observe", setup({ dataDir }) {
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(dataDir + "/state.json", "{}");
  return {};
} }) };
`;
  const config = 'server: { name: mine, version: "1.0.0" }\nplugins: [{ use: ./keeper.mjs }]\n';
  const project = await tempProject(t, { "fettle.config.yaml": config, "keeper.mjs": keeper, ...tool("echo", gives("one")) });
  const server = await devServer(t, project);
  await project.write("node_modules/part/index.js", "");
  await project.write("echo.handler.mjs", gives("two"));
  await server.gives("echo", "two");
  await server.seen(/ reloaded /);
  assert.deepEqual(server.stderr().match(/ reloaded [^:]+/g), [" reloaded echo.handler.mjs"]);
});
