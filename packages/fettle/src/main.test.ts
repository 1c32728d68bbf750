import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ECHO, tempProject, tool } from "../test/tempProject.js";
import { main } from "./main.js";
import { plain } from "./paint.js";
import type { Terminal } from "./terminal.js";

test("--help shows the verbs, and each verb its options and examples", async (t) => {
  const project = await tempProject(t);
  const all = await project.run(["--help"]);
  assert.deepEqual([all.code, all.stderr], [0, ""]);
  assert.match(all.stdout, /^Usage: fettle <verb> \[options\]\n/);
  for (const verb of ["check", "serve", "call", "explain", "validate"]) {
    assert.match(all.stdout, new RegExp(`^ {2}${verb} .*\\w`, "m"));
    const { code, stdout } = await project.run([verb, "--help"]);
    assert.equal(code, 0);
    assert.match(stdout, /Examples:\n {2}(fettle|echo) /);
    assert.match(stdout, /Exit codes: 0 fine, 1 problems found, 2 wrong use or config\.\n$/);
  }
  assert.match((await project.run(["help", "call"])).stdout, /^Usage: fettle call /);
});

test("--version is that of the package", async (t) => {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  assert.deepEqual(await (await tempProject(t)).run(["--version"]), { code: 0, stdout: `${version}\n`, stderr: "" });
});

test("wrong use exits with 2 and names what was meant", async (t) => {
  const project = await tempProject(t);
  const wrong = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await project.run(args);
    assert.deepEqual([code, stdout], [2, ""], args.join(" "));
    return stderr;
  };
  assert.equal(await wrong("chekc"), "error: unknown command 'chekc'\n(Did you mean check?)\nAdd --help to see what there is.\n");
  assert.equal(await wrong("check", "--fromat", "json"), "error: unknown option '--fromat'\n(Did you mean --format?)\nAdd --help to see what there is.\n");
  assert.match(await wrong("check", "--min-score", "80"), /unknown option '--min-score'/);
  assert.match(await wrong("check", "--fix"), /unknown option '--fix'/);
  assert.match(await wrong("check", "--format", "xml"), /Allowed choices are pretty, json, sarif, github/);
  assert.match(await wrong("call"), /missing required argument 'tool'/);
  assert.match(await wrong("explain", "a", "b"), /too many arguments/);
  assert.match(await wrong(), /^Usage: fettle/);
  assert.match(await wrong("call", "x", "{}"), /^error: There is no fettle\.config\.yaml in /);
});

const COMMANDS = `export default { name: "stats", options: {}, create: () => ({ name: "stats", position: "observe", commands: [
  { name: "stats", summary: "show counts", run: (args, { out, err, options }) => { out(JSON.stringify({ args, options }) + "\\n"); err("counted\\n"); return args.includes("--fail") ? 1 : 0; } },
  { name: "breaks", summary: "throw", run: () => { throw new Error("inside of the plugin"); } },
  { name: "gives-text", summary: "give a text", run: () => "fine" },
  { name: "gives-nothing", summary: "give nothing", run: async () => {} },
  { name: "gives-half", summary: "give half", run: () => 0.5 },
] }) };
`;

test("under the findings of a config that can't be read stands what the verb has not done, and nothing where it only shows", async (t) => {
  const project = await tempProject(t, { "fettle.config.yaml": "strikt: true\n" });
  const ends: readonly (readonly [args: readonly string[], end: RegExp])[] = [
    [["serve", "--stdio"], /\n\nNothing was started\.\n$/],
    [["new", "orders"], /\n\nNothing was made\.\n$/],
    [["new", "--plugin", "slow-calls"], /\n\nNothing was made\.\n$/],
    [["types"], /\n\nNo types file was looked at\.\n$/],
    [["hosts"], /\n {2}help: fettle check --explain config\/unknown-key\n$/],
    [["explain", "orders", "--config", "fettle.config.yaml"], /\n {2}help: fettle check --explain config\/unknown-key\n$/],
  ];
  for (const [args, end] of ends) {
    const { code, stderr } = await project.run(args);
    assert.equal(code, 2);
    assert.match(stderr, end, args.join(" "));
  }
  const missing = await project.run(["new", "orders", "--config", "nowhere.yaml"]);
  assert.match(missing.stderr, /\nNothing was made\.\n$/);
});

test("commands of plugins are verbs", async (t) => {
  const project = await tempProject(t, { "fettle.config.yaml": "tools: [.]\nplugins: [{ use: ./stats.mjs }]\n", "stats.mjs": COMMANDS, ...tool("echo", ECHO) });
  const ran = await project.run(["stats", "--since", "1", "--json"]);
  assert.deepEqual([ran.code, ran.stderr], [0, "counted\n"]);
  assert.deepEqual(JSON.parse(ran.stdout), { args: ["--since", "1", "--json"], options: { json: true } });

  const elsewhere = await tempProject(t);
  const named = await elsewhere.run(["--config", project.path("fettle.config.yaml"), "stats", "--fail"]);
  assert.equal(named.code, 1);
  assert.deepEqual(JSON.parse(named.stdout).args, ["--fail"]);
  const joined = await elsewhere.run(["stats", `--config=${project.path("fettle.config.yaml")}`]);
  assert.equal(joined.code, 0);
  assert.match((await elsewhere.run(["stats", "--config"])).stderr, /^error: --config needs a file\./);

  const help = await project.run(["--help"]);
  assert.match(help.stdout, /^ {2}stats +show counts$/m);
});

test("SIGHUP before a server is ready doesn't end it", async (t) => {
  const slow = `console.log("loading");\nawait new Promise((resolve) => setTimeout(resolve, 300));\n${ECHO}`;
  const project = await tempProject(t, { "fettle.config.yaml": "tools: [.]\n", ...tool("slow", slow) });
  const started = project.start(["serve", "--stdio"]);
  await started.seen(/loading/);
  started.child.kill("SIGHUP");
  await started.seen(/serving 1 tool on stdio/);
  started.child.stdin.end();
  assert.equal((await started.ended).code, 0);
});

test("a verb of a plugin that throws or gives no exit code is a fault of the plugin, and exits with 1", async (t) => {
  const project = await tempProject(t, { "fettle.config.yaml": "tools: [.]\nplugins: [{ use: ./stats.mjs }]\n", "stats.mjs": COMMANDS, ...tool("echo", ECHO) });
  const { code, stderr } = await project.run(["breaks"]);
  assert.equal(code, 1);
  assert.match(stderr, /^error: The plugin stats failed in its verb breaks\. This is a fault of the plugin; [\s\S]*Error: inside of the plugin\n {4}at /);
  for (const [verb, got] of [
    ["gives-text", "a value of the type string"],
    ["gives-nothing", "nothing"],
    ["gives-half", "0.5"],
  ] as const) {
    const wrong = await project.run([verb]);
    assert.equal(wrong.code, 1);
    assert.equal(
      wrong.stderr,
      `error: The plugin stats has a verb ${verb} that ended in no exit code: it gave ${got}. A verb gives 0 when all is fine, 1 for problems, 2 for wrong use.\n`,
    );
  }
});

test("a verb that can't be one, or whose name is taken, is left out with a warning that names its plugin", async (t) => {
  const plugin = (name: string, commands: string) =>
    `export default { name: "${name}", options: {}, create: () => ({ name: "${name}", position: "observe", commands: ${commands} }) };\n`;
  const project = await tempProject(t, {
    "fettle.config.yaml": "tools: [.]\nplugins: [{ use: ./odd.mjs }, { use: ./second.mjs }]\n",
    "odd.mjs": plugin(
      "odd",
      `[{ name: "two words", summary: "x", run: () => 0 }, { name: "plain", summary: 7, run: () => 0 }, null,
        { name: "check", summary: "mine", run: () => 0 }, { name: "help", summary: "mine", run: () => 0 }, { name: "good", summary: "does good", run: () => 0 }]`,
    ),
    "second.mjs": plugin("second", '[{ name: "good", summary: "too", run: () => 1 }]'),
    ...tool("echo", ECHO),
  });
  const { code, stdout, stderr } = await project.run(["--help"]);
  assert.equal(code, 0);
  assert.match(stdout, /Verbs of plugins:\n {2}good +does good\n/);
  const unusable = "warning: The plugin odd brings a verb that can't be used: it needs a name in kebab-case, a summary in one line, and run.\n";
  assert.equal(
    stderr,
    `${unusable.repeat(3)}warning: The plugin odd brings a verb called check, and fettle has one of that name, which runs in its place.
warning: The plugin odd brings a verb called help, and fettle has one of that name, which runs in its place.
warning: The plugin second brings a verb called good, and so does the plugin odd, whose verb runs.
`,
  );
  assert.match((await project.run(["help"])).stdout, /^ {2}good +does good$/m);
  assert.equal((await project.run(["good"])).code, 0);
});

test("on a terminal the progress of a call is shown, and broken specs as frames", async (t) => {
  const handler = 'export default (args, { progress }) => { progress(1, 2, "half"); progress(2); return args; };\n';
  const project = await tempProject(t, { "fettle.config.yaml": "tools: [.]\n", ...tool("echo", handler), "broken.tool.yaml": "" });
  let out = "";
  let err = "";
  const terminal: Terminal = {
    ...{ data: process.stdout, input: process.stdin, outPaint: plain, errPaint: plain, errIsTty: true, columns: 120, cwd: project.folder, env: {} },
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
  };
  assert.equal(await main(["call", "echo", '{"text":"a"}'], terminal), 0, err);
  assert.deepEqual([out, err], ['{\n  "text": "a"\n}\n', "1/2 half\n2\n"]);

  err = "";
  const serving = main(["serve", "--http", "--port", "0"], terminal);
  while (!err.includes("/mcp")) await new Promise((resolve) => setTimeout(resolve, 20));
  process.emit("SIGTERM", "SIGTERM");
  assert.equal(await serving, 0);
  assert.match(err, /^error {2}spec\/empty-file {2}broken\.tool\.yaml:1:1\n/);
  assert.match(err, /\d\d:\d\d:\d\d info {2}serving 1 tool at http:\/\/127\.0\.0\.1:\d+\/mcp, health at /);
});

test("a reader that goes away early is no fault", async (t) => {
  const project = await tempProject(t, { "fettle.config.yaml": "tools: [.]\n", "empty.tool.yaml": "" });
  const started = project.start(["check"]);
  started.child.stdout.destroy();
  const { code, stderr } = await started.ended;
  assert.equal(code, 1);
  assert.doesNotMatch(stderr, /EPIPE/);
});
