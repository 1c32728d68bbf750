import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { test } from "node:test";
import { ECHO, specText, tempProject } from "../../test/tempProject.js";

const CONFIG = 'tools: [tools, more]\nplugins:\n  - use: "@fettle/plugin-validation" # checks\n';
const all = async (folder: string): Promise<string[]> => (await readdir(folder, { recursive: true })).sort();

test("new begins a tool that is served at once, and a check warns of what is still to be written", async (t) => {
  const project = await tempProject(t, { "fettle.config.yaml": CONFIG, "more/echo.tool.yaml": specText("echo"), "more/echo.handler.mjs": ECHO });
  const { code, stdout, stderr } = await project.run(["new", "list_orders"]);
  assert.equal(code, 0, stderr);
  const files = ["tools/list_orders.handler.mjs", "tools/list_orders.tool.yaml", "tools/list_orders.types.ts"];
  assert.equal(stdout, files.map((file) => `${file}\n`).join(""));
  assert.match(stderr, /^\nBegun list_orders: it is served, and gives back what it gets\.\n.*\(4 texts of the spec begin with TODO:\)/);

  const check = await project.run(["check", "--json"]);
  assert.equal(check.code, 0);
  const { diagnostics } = JSON.parse(check.stdout);
  const text = await readFile(project.path("tools/list_orders.tool.yaml"), "utf8");
  const seen = diagnostics.map(({ code, severity, line, column }: { code: string; severity: string; line: number; column: number }) => [
    code,
    severity,
    text.split("\n")[line - 1]?.slice(column - 1, column + 5),
  ]);
  assert.deepEqual(seen, Array(4).fill(["spec/todo", "warning", '"TODO:']));

  const called = await project.run(["call", "list_orders", '{"text": "hello"}']);
  assert.deepEqual(JSON.parse(called.stdout), { text: "hello" });
  assert.match(text, /^title: List orders\n[\s\S]*^description_short: List orders\.$/m);
  assert.equal((await project.run(["types", "--check"])).code, 1, "the older tool has no types yet");
  assert.match((await project.run(["types"])).stdout, /^wrote more\/echo\.types\.ts\n$/, "those of the new one are right");
});

test("new puts a tool where --dir says, and tells programs where that is", async (t) => {
  const project = await tempProject(t, { "fettle.config.yaml": CONFIG, "tools/.keep": "", "more/.keep": "" });
  const { code, stdout, stderr } = await project.run(["new", "listOrders", "--dir", "more/shop", "--json"]);
  assert.deepEqual([code, stderr], [0, ""]);
  const files = ["handler.mjs", "tool.yaml", "types.ts"].map((end) => `more/shop/listOrders.${end}`);
  assert.deepEqual(JSON.parse(stdout), { tool: "listOrders", files, config: "fettle.config.yaml" });
  const text = await readFile(project.path("more/shop/listOrders.tool.yaml"), "utf8");
  assert.match(text, /^# yaml-language-server: \$schema=\.\.\/\.\.\/node_modules\/fettle\/spec\/v1\/tool\.schema\.json\n/);
  assert.match(text, /^title: List orders$/m);
  // Without quotes YAML would read these as no texts.
  for (const name of ["true", "_1"]) assert.equal((await project.run(["new", name])).code, 0, name);
  assert.equal((await project.run(["check"])).code, 0);
  for (const dir of ["elsewhere", "more/.hidden", "..", "tools-of-another"]) {
    const refused = await project.run(["new", "other", "--dir", dir]);
    assert.deepEqual([refused.code, refused.stdout], [2, ""], dir);
    assert.match(refused.stderr, /would not be served/);
  }
});

test("new refuses names that no tool can have, or that are taken, and makes nothing", async (t) => {
  const project = await tempProject(t, {
    "fettle.config.yaml": "tools: [.]\n",
    "list_orders.tool.yaml": specText("list_orders"),
    "broken.tool.yaml": "name: [",
    "left.handler.ts": "",
    "_x.tool.yaml": specText("_x"),
  });
  const before = await all(project.folder);
  const cases: Readonly<Record<string, RegExp>> = {
    "1st": /^error: That is no name for a tool: "1st" has the wrong form\n/,
    "-x": /^error: That is no name for a tool: "-x" has the wrong form\n/,
    "List Orders": /^error: That is no name for a tool: "List Orders" has the wrong form\n/,
    "list orders": /^error: That is no name for a tool: "list orders" has the wrong form\n/,
    "": /^error: That is no name for a tool: /,
    constructor: /^error: That is no name for a tool: constructor is what every JavaScript object has already/,
    "tools/list_all": /^error: tools\/list_all is a path; a tool has a name\.\nFor example: fettle new list_all --dir tools\n/,
    "../list_all.tool.yaml": /is a path/,
    list_orders: /^error: There is a tool called list_orders already: list_orders\.tool\.yaml\n/,
    List_Orders: /^error: List_Orders is too near to list_orders: list_orders\.tool\.yaml\n/,
    listorders: /^error: listorders is too near to list_orders/,
    broken: /^error: There is a tool called broken already: broken\.tool\.yaml\n/,
    left: /^error: There is left\.handler\.ts already\./,
  };
  for (const [name, says] of Object.entries(cases)) {
    const { code, stdout, stderr } = await project.run(["new", "--", name]);
    assert.deepEqual([code, stdout], [2, ""], name);
    assert.match(stderr, says);
  }
  assert.deepEqual(await all(project.folder), before);
});

test("new needs a project, and one argument", async (t) => {
  const project = await tempProject(t);
  for (const args of [["list_orders"], ["--plugin", "slow-calls"]]) {
    const { code, stderr } = await project.run(["new", ...args]);
    assert.equal(code, 2);
    assert.match(stderr, /^error: There is no fettle\.config\.yaml in .*\n.*make a project with fettle init\.\n$/);
  }
  const { code, stderr } = await project.run(["new"]);
  assert.equal(code, 2);
  assert.match(stderr, /missing required argument 'name'/);
});

test("new --plugin begins a plugin that works, and switches it on without touching the rest of the config", async (t) => {
  const project = await tempProject(t, {
    "fettle.config.yaml": CONFIG,
    "tools/echo.tool.yaml": specText("echo"),
    "tools/echo.handler.mjs": ECHO,
    "more/.keep": "",
  });
  const { code, stdout, stderr } = await project.run(["new", "--plugin", "slow-calls"]);
  assert.equal(code, 0, stderr);
  assert.equal(stdout, "plugins/slow-calls.mjs\nplugins/slow-calls.test.mjs\nfettle.config.yaml\n");
  assert.match(stderr, /\nIts? test imports fettle\/testkit: install fettle in this project to run it\.\n$/);
  assert.equal(await readFile(project.path("fettle.config.yaml"), "utf8"), `${CONFIG.trimEnd()}\n  - use: ./plugins/slow-calls.mjs\n`);
  assert.equal((await project.run(["check"])).code, 0);
  const { rings } = JSON.parse((await project.run(["explain", "echo", "--json"])).stdout);
  assert.deepEqual(rings.at(-1), { position: "execute", plugin: "slow-calls" });

  const second = await project.run(["new", "slow-calls-2", "--plugin", "--dir", "own", "--json"]);
  assert.equal(JSON.parse(second.stdout).use, "./own/slow-calls-2.mjs");
  for (const [name, says] of [
    ["slow-calls", /^error: The config has a plugin called slow-calls already\./],
    ["Slow", /^error: Slow is no name for a plugin\.\nUse kebab-case/],
    ["a/b", /^error: a\/b is no name for a plugin\./],
    ["validation", /^error: validation is taken/],
    ["examples", /^error: examples is taken/],
  ] as const) {
    const refused = await project.run(["new", "--plugin", name]);
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, says);
  }
});

test("where a file of that name is, no plugin is made", async (t) => {
  const config = "plugins:\n  - use: ./plugins/one.mjs\n";
  const project = await tempProject(t, { "fettle.config.yaml": config, "plugins/taken.test.mjs": "mine" });
  const { code, stderr } = await project.run(["new", "--plugin", "taken"]);
  assert.equal(code, 2);
  assert.match(stderr, /taken\.test\.mjs can't be written: there is something of that name already\.\nNothing was made\.\n/);
  assert.deepEqual(await all(project.path("plugins")), ["taken.test.mjs"]);
  assert.equal(await readFile(project.path("fettle.config.yaml"), "utf8"), config);
});
