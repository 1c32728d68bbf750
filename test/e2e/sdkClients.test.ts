import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { parse } from "yaml";
import { projectCopy } from "./projectCopy.js";
import { CLI, type RunningServer, serveHttp } from "./runCli.js";
import { type Answer, type Reachable, type SdkClient, type SdkClientOptions, sdkClients } from "./sdkClients.js";
import { until } from "./until.js";

let reachable: Reachable = { stdio: { command: "", args: [], env: {}, cwd: "/" }, url: "" };

for (const [name, connect] of Object.entries(sdkClients(() => reachable))) {
  describe(`a small project, served by the CLI to ${name}`, () => {
    let project: Awaited<ReturnType<typeof projectCopy>>;
    let http: RunningServer | undefined;
    let child: Parameters<NonNullable<SdkClientOptions["onProcess"]>>[0] | undefined;
    let client: SdkClient;
    let answer: Answer = { action: "decline" };
    const stderr = (): string => child?.stderr() ?? http?.stderr() ?? "";

    before(async () => {
      project = await projectCopy();
      if (name.includes("HTTP")) http = await serveHttp({}, ["--config", project.config]);
      // A host may start a server in any folder.
      const stdio = { command: process.execPath, args: [CLI, "serve", "--stdio", "--config", project.config], env: {}, cwd: "/" };
      reachable = { stdio, url: http?.url ?? "" };
      client = await connect({
        answer: () => answer,
        onProcess: (started) => {
          child = started;
        },
      });
    });
    after(async () => {
      await client.close();
      const ended = await http?.stop();
      await project.dispose();
      if (ended) assert.equal(ended.code, 0);
    });

    test("tools are listed with their schemas as authored, and calls give data", async () => {
      assert.equal(client.instructions, "Count words with count_words.");
      const tools = await client.list();
      assert.deepEqual(
        tools.map((tool) => tool.name),
        ["ask_name", "count_words", "work_steps"],
      );
      for (const tool of tools) {
        const spec = parse(await readFile(join(project.folder, `${tool.name}.tool.yaml`), "utf8"));
        assert.deepEqual(tool.inputSchema, spec.parameters, tool.name);
        assert.deepEqual(tool.outputSchema, spec.output, tool.name);
      }
      const counted = await client.call("count_words", { text: "one two two", unique: true });
      assert.deepEqual(counted.structuredContent, { words: 2 });
      assert.equal(counted.content[0]?.text, '{"words":2}');
      assert.equal(counted.isError ?? false, false);
    });

    test("a bad call is an error that says how to mend it, and a tool that isn't there a protocol error with the nearest name", async () => {
      const wrong = await client.call("count_words", { txt: "a", unique: "perhaps" });
      assert.equal(wrong.isError, true);
      assert.equal(wrong.structuredContent, undefined);
      assert.equal(
        wrong.content[0]?.text,
        `count_words was not run: 2 problems with its arguments.
- unknown argument txt. Did you mean text? Allowed here: text, unique
- unique: expected boolean, got string "perhaps". Send true or false, without quotes
Send the call again with these mended.`,
      );
      await assert.rejects(
        client.call("count_word", {}),
        (error: unknown) => error instanceof Error && "code" in error && error.code === -32602 && /count_words/.test(error.message),
      );
    });

    test("prompts, resources, templates and completions of a plugin are found and used", async () => {
      const found = JSON.stringify(await client.contributions());
      for (const one of ['"greet"', '"desk://note"', '"desk://drawer/{number}"']) assert.ok(found.includes(one), found);
      assert.match(JSON.stringify(await client.greet("Ada")), /Say hello to Ada\./);
      assert.match(JSON.stringify(await client.read("desk://note")), /Water the plants\./);
      assert.match(JSON.stringify(await client.read("desk://drawer/3")), /Drawer 3 is empty\./);
      assert.match(JSON.stringify(await client.complete("A")), /"values":\["Ada","Alan"\]/);
      await assert.rejects(client.read("desk://nothing"), /There is no resource at this URI\. resources\/list .* show what there is/);
    });

    test("progress and the handler's log reach the client while the call runs", async () => {
      const steps: string[] = [];
      const done = await client.call(
        "work_steps",
        { steps: 20 },
        { meta: { "io.modelcontextprotocol/logLevel": "info" }, onprogress: (p) => steps.push(`${p.progress}/${p.total} ${p.message}`) },
      );
      assert.deepEqual(done.structuredContent, { done: 20 });
      assert.deepEqual(steps.slice(0, 2), ["1/20 step 1", "2/20 step 2"]);
      await until(() => client.logged.some(({ data }) => data === "all steps done"), `the log line: ${JSON.stringify(client.logged)}`);
    });

    test("a call that is cancelled stops its handler, and the client goes on", async () => {
      const leave = new AbortController();
      await assert.rejects(client.call("work_steps", { steps: 10_000 }, { signal: leave.signal, onprogress: () => leave.abort() }));
      await until(() => /stopped at step/.test(stderr()), `the handler hears of it:\n${stderr()}`);
      assert.deepEqual((await client.call("count_words", { text: "still here" })).structuredContent, { words: 2 });
    });

    test("a tool asks the user and gets the answer, or is told that there is none", async () => {
      answer = { action: "accept", content: { name: "Ada" } };
      assert.deepEqual((await client.call("ask_name", {})).structuredContent, { answer: "Ada" });
      answer = { action: "decline" };
      assert.deepEqual((await client.call("ask_name", {})).structuredContent, { answer: "no name: decline" });
    });

    test("a client that can't ask its user is told that the tool needs it to", async () => {
      const second = await connect();
      const refused = await second.call("ask_name", {}).catch((error: Error) => error);
      await second.close();
      assert.match(refused instanceof Error ? refused.message : (refused.content[0]?.text ?? ""), /elicitation/);
    });

    test("after a reload by SIGHUP the client is told, and finds the new tool", async () => {
      assert.equal((await client.list()).length, 3);
      const spec = await readFile(join(project.folder, "count_words.tool.yaml"), "utf8");
      await writeFile(join(project.folder, "count_again.tool.yaml"), spec.replace("name: count_words", "name: count_again"));
      await writeFile(join(project.folder, "count_again.handler.mjs"), "export default () => ({ words: 7 });\n");
      process.kill(child?.pid ?? http?.process.pid ?? Number.NaN, "SIGHUP");
      await until(() => /loaded again: serving 4 tools/.test(stderr()), `the reload:\n${stderr()}`);
      await until(() => client.changes() > 0, "the client is told");
      assert.equal((await client.list()).length, 4);
      assert.deepEqual((await client.call("count_again", { text: "a" })).structuredContent, { words: 7 });
    });
  });
}
