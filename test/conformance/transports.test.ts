import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { type AnsweringClient, CLIENTS, connect } from "./answeringClient.js";
import { type ConformanceServer, startConformanceServer } from "./conformanceServer.js";

const here = fileURLToPath(new URL(".", import.meta.url));
const STDIO = {
  command: process.execPath,
  args: [`${here}../../packages/fettle/bin/fettle.js`, "serve", "--stdio", "--config", `${here}fettle.config.yaml`],
};

interface Fixture {
  readonly name: string;
  readonly input: Record<string, unknown>;
}

/** Every fixture tool, with the arguments of its first example. */
const fixtures: readonly Fixture[] = ["tools", "plugin"].flatMap((folder) =>
  readdirSync(`${here}${folder}`)
    .filter((file) => file.endsWith(".tool.yaml"))
    .map((file) => {
      const { name, examples } = parse(readFileSync(`${here}${folder}/${file}`, "utf8"));
      return { name, input: examples[0].input };
    }),
);

/** Log lines that a fixture gives at the level `debug`. */
const LINES: Readonly<Record<string, number>> = { test_tool_with_logging: 3, test_logging_tool: 1 };

/** What test_tool_with_progress reports. */
const PROGRESS = [0, 50, 100].map((progress) => ({ progress, total: 100 }));

/** What came of a request: the answer, or the error as the client has it. */
async function outcome(request: Promise<unknown>): Promise<unknown> {
  try {
    return await request;
  } catch (error) {
    const { code, message, data } = error as { code?: unknown; message: string; data?: unknown };
    return { code, message, data };
  }
}

for (const kind of CLIENTS) {
  describe(`stdio and HTTP answer alike: ${kind}`, () => {
    let server: ConformanceServer;
    let clients: readonly AnsweringClient[] = [];
    before(async () => {
      // A server for each client: tools that change lists count their changes.
      server = await startConformanceServer();
      clients = await Promise.all([connect(kind, STDIO), connect(kind, server)]);
    });
    after(async () => {
      await Promise.all(clients.map((client) => client.close()));
      assert.equal(await server.stop(), 0);
    });

    /** Asks both, and throws unless both answer the same; gives that answer. */
    const same = async (ask: (client: AnsweringClient) => Promise<unknown>): Promise<unknown> => {
      const [stdio, http] = await Promise.all(clients.map((client) => outcome(ask(client))));
      assert.deepEqual(stdio, http);
      return http;
    };

    for (const { name, input } of fixtures) {
      test(name, async () => {
        const heard = new Map(clients.map((client) => [client, { from: client.logged.length, progress: [] as unknown[] }]));
        const answer = await same((client) => client.call(name, input, (progress) => void heard.get(client)?.progress.push(progress)));
        assert.ok(Array.isArray((answer as { content?: unknown }).content), JSON.stringify(answer));
        const [stdio, http] = clients.map((client) => {
          const { from, progress } = heard.get(client) ?? { from: 0, progress: [] };
          return { lines: client.logged.slice(from), progress };
        });
        assert.deepEqual(stdio?.lines, http?.lines);
        assert.equal(http?.lines.length, LINES[name] ?? 0);
        // The clients drop the progress that they read in one go with the answer: what they heard is a beginning of the whole.
        if (name !== "test_tool_with_progress") return;
        for (const heardBy of [stdio, http]) assert.deepEqual(heardBy?.progress, PROGRESS.slice(0, heardBy?.progress.length));
      });
    }

    test("lists, prompts, resources and completions", async () => {
      for (const list of ["listTools", "listPrompts", "listResources", "listResourceTemplates"] as const) await same((client) => client[list]());
      await same((client) => client.getPrompt("test_prompt_with_arguments", { arg1: "a", arg2: "b" }));
      await same((client) => client.getPrompt("test_input_required_result_prompt", {}));
      await same((client) => client.readResource("test://template/7/data"));
      await same((client) => client.readResource("test://static-binary"));
      assert.match(JSON.stringify(await same((client) => client.complete("test"))), /testValue1/);
    });

    test("requests that are wrong", async () => {
      const ignore = (): void => {};
      assert.match(JSON.stringify(await same((client) => client.call("no_such_tool", {}, ignore))), /-32602/);
      assert.match(JSON.stringify(await same((client) => client.call("test_sampling", { promt: "misspelt" }, ignore))), /Did you mean prompt/);
      assert.match(JSON.stringify(await same((client) => client.getPrompt("no_such_prompt", {}))), /-32602/);
      assert.match(JSON.stringify(await same((client) => client.getPrompt("test_prompt_with_arguments", { arg1: "a" }))), /arg2/);
      assert.match(JSON.stringify(await same((client) => client.readResource("test://nowhere"))), /test:\/\/nowhere/);
    });
  });
}
