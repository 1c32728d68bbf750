import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { parse as parseToml } from "smol-toml";
import { type Packed, packAll } from "./packAll.js";
import { CLI } from "./runCli.js";
import { runProgram } from "./runProgram.js";
import { until } from "./until.js";

/** What a host starts. */
interface Start {
  readonly command: string;
  readonly args: string[];
}

describe("a project that a clone's init made", () => {
  let home: string;
  let folder: string;
  let printed: string;
  before(async () => {
    home = await realpath(await mkdtemp(join(tmpdir(), "fettle-init-")));
    // A folder whose name has to be quoted in a shell.
    folder = join(home, "it's mine");
    const { code, stdout, stderr } = await runProgram(process.execPath, [CLI, "init", folder], { cwd: home, home });
    assert.equal(code, 0, stderr);
    printed = stdout;
  });
  after(() => rm(home, { recursive: true, force: true }));

  test("passes its own npm test, with nothing installed and nothing left to say", async () => {
    const { code, stdout, stderr } = await runProgram("npm", ["test"], { cwd: folder, home });
    assert.equal(code, 0, stdout + stderr);
    assert.match(stderr, /No problems in 1 file: 1 tool can be served\./);
    assert.match(stdout, /^[#ℹ] pass 4$/m);
    assert.match(stdout, /^[#ℹ] fail 0$/m);
  });

  test("is served by its npm start", async () => {
    // In a process group of its own: npm doesn't pass signals on to the shell's child.
    const child = spawn("npm", ["start", "--", "--port", "0"], {
      cwd: folder,
      env: { PATH: process.env["PATH"], HOME: home },
      stdio: ["ignore", "ignore", "pipe"],
      detached: true,
    });
    try {
      let said = "";
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        said += text;
      });
      const address = (): string | undefined => /http:\/\/127\.0\.0\.1:\d+(?=\D)/.exec(said)?.[0];
      await until(() => address() !== undefined || child.exitCode !== null, "npm start prints its address");
      assert.equal((await fetch(`${address()}/readyz`)).status, 200, said);
    } finally {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
    }
  });

  test("calls its tool by npx, as init says", async () => {
    const args = ["fettle", "call", "convert_unit", '{"value": 5, "from": "km", "to": "mi"}'];
    const { code, stdout, stderr } = await runProgram("npx", args, { cwd: folder, home });
    assert.deepEqual([code, JSON.parse(stdout)], [0, { value: 3.106855961, unit: "mi" }], stderr);
  });

  test("passes its npm test with a tool and a plugin that new has begun", async () => {
    for (const args of [
      ["new", "list_orders"],
      ["new", "--plugin", "slow-calls"],
    ]) {
      const { code, stderr } = await runProgram("npx", ["fettle", ...args], { cwd: folder, home });
      assert.equal(code, 0, stderr);
    }
    const { code, stdout, stderr } = await runProgram("npm", ["test"], { cwd: folder, home });
    assert.equal(code, 0, stdout + stderr);
    assert.match(stderr, /4 warnings in 2 files: 2 tools can be served\./);
    assert.match(stdout, /slow-calls: an ordinary call passes/);
    assert.match(stdout, /list_orders 0\.1\.0: TODO:/);
    const explained = await runProgram("npx", ["fettle", "explain", "list_orders"], { cwd: folder, home });
    assert.match(explained.stdout, /1\. answer +recovery\n +2\. shape +validation\n +3\. execute +slow-calls\n +4\. handler\n/);
  });

  test("prints its entries again, the same", async () => {
    const { stdout } = await runProgram("npx", ["fettle", "hosts"], { cwd: folder, home });
    assert.equal(stdout, printed);
  });

  /** What stands under a host's name, without the line that says where it goes. */
  const entry = (host: string): string => {
    const [, text = ""] = new RegExp(`^${host}: .*\\n\\n([\\s\\S]*?)\\n(?=\\n|$(?![\\s\\S]))`, "m").exec(printed) ?? [];
    assert.ok(text, printed);
    return text;
  };
  const onlyMember = (object: Readonly<Record<string, Start>>): Start => {
    const [name, start, ...more] = Object.entries(object).flat();
    assert.equal(name, "it-s-mine");
    assert.ok(typeof start === "object" && more.length === 0);
    return start;
  };
  const hosts: Readonly<Record<string, () => Promise<Start>>> = {
    "Claude Desktop": async () => onlyMember(JSON.parse(entry("Claude Desktop")).mcpServers),
    "Claude Code": () => added(entry("Claude Code")),
    Cursor: async () => onlyMember(JSON.parse(entry("Cursor")).mcpServers),
    "VS Code": async () => onlyMember(JSON.parse(entry("VS Code")).servers),
    Codex: async () => onlyMember((parseToml(entry("Codex")) as unknown as { mcp_servers: Record<string, Start> }).mcp_servers),
  };

  /** Runs the line in a shell where `claude` writes down what it is called with. */
  async function added(line: string): Promise<Start> {
    const bin = join(home, "bin");
    await mkdir(bin, { recursive: true });
    const claude = join(bin, "claude");
    await writeFile(claude, `#!${process.execPath}\nconsole.log(JSON.stringify(process.argv.slice(2)));\n`);
    await chmod(claude, 0o755);
    const { stdout } = await runProgram("sh", ["-c", `PATH=${bin}${delimiter}$PATH\n${line}`], { cwd: home, home });
    const [mcp, add, name, dashes, command, ...args]: string[] = JSON.parse(stdout);
    assert.deepEqual([mcp, add, name, dashes], ["mcp", "add", "it-s-mine", "--"]);
    return { command: command ?? "", args };
  }

  for (const [host, start] of Object.entries(hosts)) {
    test(`is served by what the entry for ${host} starts, from another folder and without a PATH`, async () => {
      const { command, args } = await start();
      const client = new Client({ name: host, version: "1.0.0" });
      await client.connect(new StdioClientTransport({ command, args, env: { PATH: "" }, cwd: home, stderr: "ignore" }));
      try {
        const { tools } = await client.listTools();
        assert.deepEqual(
          tools.map(({ name }) => name),
          ["convert_unit", "list_orders"],
        );
        assert.equal(tools[1]?.description, "List orders.", "what is still to be written isn't shown to models");
        const { structuredContent } = await client.callTool({ name: "convert_unit", arguments: { value: 451, from: "F", to: "C" } });
        assert.deepEqual(structuredContent, { value: 232.7777778, unit: "C" });
      } finally {
        await client.close();
      }
    });
  }
});

describe("a project that an installed package's init made", () => {
  let home: string;
  let folder: string;
  let packed: Packed;
  before(async () => {
    home = await realpath(await mkdtemp(join(tmpdir(), "fettle-installed-")));
    folder = join(home, "tools");
    packed = await packAll();
  });
  after(async () => {
    await rm(home, { recursive: true, force: true });
    packed.dispose();
  });

  test("asks for npm install, serves after it and passes its own tests", async () => {
    // As npx has it: the package in a folder of its own, away from the project.
    packed.installInto(join(home, "npx"));
    const program = join(home, "npx/node_modules/fettle/bin/fettle.js");
    const made = await runProgram(process.execPath, [program, "init", "tools"], { cwd: home, home });
    assert.equal(made.code, 0, made.stderr);
    assert.match(made.stderr, /\nNext\n {2}cd tools\n {2}npm install +installs fettle\n/);
    assert.doesNotMatch(made.stderr, /is a link to/);
    assert.ok(!(await readdir(folder)).includes("node_modules"));

    packed.installInto(folder);
    const begun = await runProgram("npx", ["fettle", "new", "--plugin", "slow-calls"], { cwd: folder, home });
    assert.equal(begun.code, 0, begun.stderr);
    const { code, stdout, stderr } = await runProgram("npm", ["test"], { cwd: folder, home });
    assert.equal(code, 0, stdout + stderr);
    assert.match(stderr, /No problems in 1 file: 1 tool can be served\./);
    assert.match(stdout, /slow-calls: an ordinary call passes/);

    const { hosts } = JSON.parse((await runProgram("npx", ["fettle", "hosts", "--json"], { cwd: folder, home })).stdout);
    const { command, args }: Start = Object.values<Start>(JSON.parse(hosts[0].text).mcpServers)[0] ?? { command: "", args: [] };
    assert.equal(args[0], join(folder, "node_modules/fettle/bin/fettle.js"));
    const client = new Client({ name: "test", version: "1.0.0" });
    await client.connect(new StdioClientTransport({ command, args, cwd: home, stderr: "ignore" }));
    assert.equal((await client.listTools()).tools.length, 1);
    await client.close();
  });
});
