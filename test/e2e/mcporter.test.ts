import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { parse } from "yaml";
import { programFile } from "../support/programs.js";
import { projectCopy } from "./projectCopy.js";
import { CLI, type RunningServer, serveHttp } from "./runCli.js";
import { type Ended, runProgram } from "./runProgram.js";

describe("mcporter", () => {
  let project: Awaited<ReturnType<typeof projectCopy>>;
  let http: RunningServer;
  let config: string;
  before(async () => {
    project = await projectCopy();
    http = await serveHttp({}, ["--config", project.config]);
    config = join(project.folder, "mcporter.json");
    const stdio = { command: process.execPath, args: [CLI, "serve", "--stdio", "--config", project.config] };
    await writeFile(config, JSON.stringify({ mcpServers: { local: stdio, remote: { baseUrl: `${http.url}/mcp`, allowHttp: true } }, imports: [] }));
  });
  after(async () => {
    await http.stop();
    await project.dispose();
  });

  const mcporter = (...args: string[]): Promise<Ended> =>
    runProgram(process.execPath, [programFile("mcporter/dist/cli.js"), "--config", config, ...args], { cwd: project.folder, home: project.folder });

  for (const [server, transport] of Object.entries({ local: "stdio", remote: "HTTP" })) {
    test(`over ${transport} it lists the tools, with their schemas as authored`, async () => {
      const { code, stdout, stderr } = await mcporter("list", server, "--schema", "--json");
      assert.equal(code, 0, stderr);
      const { tools } = JSON.parse(stdout);
      assert.deepEqual(
        tools.map((tool: { name: string }) => tool.name),
        ["ask_name", "count_words", "work_steps"],
      );
      const spec = parse(await readFile(join(project.folder, "count_words.tool.yaml"), "utf8"));
      assert.deepEqual(tools[1].inputSchema, spec.parameters);
    });

    test(`over ${transport} it calls a tool and gets its data`, async () => {
      const { stdout, stderr } = await mcporter("call", `${server}.count_words`, "text=one two", "--output", "json");
      assert.deepEqual(JSON.parse(stdout), { words: 2 }, stderr);
    });

    test(`over ${transport} it shows what is wrong with a call, and the nearest name of a tool that isn't there`, async () => {
      const wrong = await mcporter("call", `${server}.count_words`, "txt=a");
      assert.equal(
        wrong.stdout.trim(),
        "count_words was not run: 1 problem with its arguments.\n- unknown argument txt. Did you mean text? Allowed here: text, unique\nSend the call again with these mended.",
      );
      const missing = await mcporter("call", `${server}.words_of`, "text=a");
      assert.equal(missing.code, 1);
      assert.match(missing.stderr, /MCP error -32602: There is no tool of that name\. Call one of: ask_name, count_words, work_steps\./);
    });
  }

  test("shows the tools as functions with the words of their specs", async () => {
    const { stdout } = await mcporter("list", "remote");
    assert.match(stdout, /\* Count the words of a text\./);
    assert.match(stdout, /@param unique\? Count each word once\. Default false\./);
    assert.match(stdout, /function count_words\(text: string, unique\?: boolean\)/);
  });

  test("reaches a server that no config names, by its command or its address", async () => {
    const byCommand = await mcporter("call", "--stdio", `${process.execPath} ${CLI} serve --stdio`, "count_words", "text=one");
    assert.deepEqual(JSON.parse(byCommand.stdout), { words: 1 }, byCommand.stderr);
    const byAddress = await mcporter("call", "--http-url", `${http.url}/mcp`, "--allow-http", "--tool", "count_words", "--args", '{"text":"one two three"}');
    assert.deepEqual(JSON.parse(byAddress.stdout), { words: 3 }, byAddress.stderr);
  });
});
