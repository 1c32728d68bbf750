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
] }) };
`;

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

test("a fault inside of the CLI or a plugin's verb is told with its place, and exits with 1", async (t) => {
  const project = await tempProject(t, { "fettle.config.yaml": "tools: [.]\nplugins: [{ use: ./stats.mjs }]\n", "stats.mjs": COMMANDS, ...tool("echo", ECHO) });
  const { code, stderr } = await project.run(["breaks"]);
  assert.equal(code, 1);
  assert.match(stderr, /^error: Something inside of fettle failed\.[\s\S]*Error: inside of the plugin\n {4}at /);
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
