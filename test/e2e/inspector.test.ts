import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { parse } from "yaml";
import { nodeProgram, programFile } from "../support/programs.js";
import { requireComponent } from "../support/requireComponent.js";
import { projectCopy } from "./projectCopy.js";
import { CLI, ROOT, type RunningServer, serveHttp } from "./runCli.js";
import { type Ended, runProgram } from "./runProgram.js";

// The Inspector asks for Node 22.19.
describe("the MCP Inspector's CLI", requireComponent("node22"), () => {
  let project: Awaited<ReturnType<typeof projectCopy>>;
  let http: RunningServer;
  before(async () => {
    project = await projectCopy();
    http = await serveHttp({}, ["--config", project.config]);
  });
  after(async () => {
    await http.stop();
    await project.dispose();
  });

  const inspectIn = (cwd: string, target: readonly string[], ...args: string[]): Promise<Ended> => {
    const launcher = programFile("@modelcontextprotocol/inspector/clients/launcher/build/index.js");
    return runProgram(nodeProgram("node22"), [launcher, "--cli", ...target, ...args], { cwd, home: project.folder });
  };
  const inspect = (target: readonly string[], ...args: string[]): Promise<Ended> => inspectIn(project.folder, target, ...args);
  // In the project's folder: the Inspector takes a --config of the server's command for its own.
  const stdio = [process.execPath, CLI, "serve", "--stdio"];
  const targets: Readonly<Record<string, () => string[]>> = {
    "over stdio": () => stdio,
    "over HTTP": () => [`${http.url}/mcp`],
    "over stdio, 2026-07-28": () => [...stdio, "--protocol-era", "modern"],
    "over HTTP, 2026-07-28": () => [`${http.url}/mcp`, "--protocol-era", "modern"],
  };

  for (const [name, target] of Object.entries(targets)) {
    test(`${name} lists the tools, with their schemas as authored`, async () => {
      const { code, stdout, stderr } = await inspect(target(), "--method", "tools/list");
      assert.equal(code, 0, stderr);
      const { tools } = JSON.parse(stdout);
      assert.deepEqual(
        tools.map((tool: { name: string }) => tool.name),
        ["ask_name", "count_words", "work_steps"],
      );
      const spec = parse(await readFile(join(project.folder, "count_words.tool.yaml"), "utf8"));
      assert.deepEqual(tools[1].inputSchema, spec.parameters);
      assert.deepEqual(tools[1].outputSchema, spec.output);
    });

    test(`${name} shows what is wrong with a call`, async () => {
      const { code, stdout } = await inspect(target(), "--method", "tools/call", "--tool-name", "count_words", "--tool-arg", "txt=a");
      assert.equal(code, 5, "the Inspector's own code for a tool's error");
      const answer = JSON.parse(stdout);
      assert.equal(answer.isError, true);
      assert.equal(
        answer.content[0].text,
        "count_words was not run: 1 problem with its arguments.\n- unknown argument txt. Did you mean text? Allowed here: text, unique\nSend the call again with these mended.",
      );
      assert.equal(answer._meta["dev.fettle/error"].error_code, "validation/invalid-arguments");
    });
  }

  test("calls a tool and gets its data", async () => {
    for (const target of [stdio, [`${http.url}/mcp`, "--protocol-era", "modern"]]) {
      const { code, stdout, stderr } = await inspect(target, "--method", "tools/call", "--tool-name", "count_words", "--tool-arg", "text=one two");
      assert.equal(code, 0, stderr);
      assert.deepEqual(JSON.parse(stdout).structuredContent, { words: 2 });
    }
  });

  test("gets a prompt, reads a resource, and sets the log level", async () => {
    const target = [`${http.url}/mcp`];
    const prompt = await inspect(target, "--method", "prompts/get", "--prompt-name", "greet", "--prompt-args", "who=Ada");
    assert.match(prompt.stdout, /Say hello to Ada\./, prompt.stderr);
    const resource = await inspect(target, "--method", "resources/read", "--uri", "desk://drawer/3");
    assert.match(resource.stdout, /Drawer 3 is empty\./, resource.stderr);
    const level = await inspect(target, "--method", "logging/setLevel", "--log-level", "debug");
    assert.equal(level.code, 0, level.stderr);
  });

  test("says of a tool that isn't there, and of a prompt that fails, what the server said", async () => {
    const tool = await inspect([`${http.url}/mcp`], "--method", "tools/call", "--tool-name", "count_word");
    assert.match(tool.stderr, /count_word' not found/);
    const prompt = await inspect([`${http.url}/mcp`], "--method", "prompts/get", "--prompt-name", "greet");
    assert.notEqual(prompt.code, 0);
    assert.match(prompt.stderr, /greet needs who/);
  });

  test("finds nothing that another host can't read in the schemas of the Git tools", async () => {
    const { code, stderr } = await inspectIn(ROOT, stdio, "--method", "tools/list", "--strict");
    assert.equal(code, 0, stderr);
  });
});
