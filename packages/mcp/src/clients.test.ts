import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { CLIENTS, connect, type TestClient, TRANSPORTS } from "../test/connectClients.js";
import { fixtureKernel } from "../test/fixtureTools.js";
import { until } from "../test/until.js";
import { createHttpServer } from "./index.js";

for (const transport of TRANSPORTS) {
  for (const name of CLIENTS) {
    describe(`${name} over ${transport}`, () => {
      let client: TestClient;
      let stop = async (): Promise<void> => {};

      before(async () => {
        if (transport === "stdio") {
          client = await connect(name, transport, "");
          return;
        }
        const { kernel } = await fixtureKernel();
        const server = createHttpServer(kernel);
        const { url } = await server.listen({ port: 0 });
        client = await connect(name, transport, url);
        stop = async () => {
          await server.close();
          await kernel.close();
        };
      });
      after(async () => {
        await client.close();
        await stop();
      });

      test("learns who the server is", () => {
        assert.equal(client.serverName, "fixture");
        assert.equal(client.instructions, "For tests.");
      });

      test("lists the tools in order, each with its schemas and hints", async () => {
        const tools = await client.list();
        const names = tools.map((tool) => tool["name"]);
        assert.deepEqual(names, [...names].sort());
        const echo = tools.find((tool) => tool["name"] === "echo");
        assert.equal(echo?.["title"], "Echo");
        assert.deepEqual(echo?.["inputSchema"], { type: "object" });
        assert.deepEqual(echo?.["outputSchema"], { type: "object" });
        assert.deepEqual(echo?.["annotations"], { title: "Echo", readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: false });
      });

      test("gets data as structuredContent and as the same text, with the version that answered", async () => {
        const { structuredContent, content, _meta, isError } = await client.call("echo", { a: [1, { b: null }] });
        assert.deepEqual(structuredContent, { a: [1, { b: null }] });
        assert.deepEqual(content, [{ type: "text", text: '{"a":[1,{"b":null}]}' }]);
        assert.equal(_meta?.["dev.fettle/version"], "1.0.0");
        assert.equal(isError ?? false, false);
      });

      test("gets data that is no object, in the form that the era allows", async () => {
        const { structuredContent, content } = await client.call("list");
        assert.deepEqual(structuredContent, name === "SDK 2.x, 2026-07-28" ? [1, 2] : { result: [1, 2] });
        assert.equal(content[0]?.text, "[1,2]");
      });

      test("gets every kind of content", async () => {
        const { content, structuredContent } = await client.call("media");
        assert.deepEqual(
          content.map(({ type }) => type),
          ["text", "image", "audio", "resource_link", "resource", "text"],
        );
        assert.equal(content.at(-1)?.text, '{"kinds":5}');
        assert.deepEqual(structuredContent, { kinds: 5 });
      });

      test("gets data as text once where the handler's own text is that JSON already", async () => {
        const { content, structuredContent } = await client.call("spaced");
        assert.deepEqual(content, [{ type: "text", text: '{ "b": [1],\n  "a": 1 }' }]);
        assert.deepEqual(structuredContent, { a: 1, b: [1] });
      });

      test("gets an error as isError, with everything in its text and the ToolError in _meta", async () => {
        const { isError, content, structuredContent, _meta } = await client.call("missing");
        assert.equal(isError, true);
        assert.equal(structuredContent, undefined);
        assert.match(content[0]?.text ?? "", /^There is no thing called x\.\nWhy: It was never made\.\nWhat to do:\n1\. Make it\./);
        const error = _meta?.["dev.fettle/error"];
        assert.equal(typeof error === "object" && error !== null && "error_code" in error && error.error_code, "test/no-such-thing");
      });

      test("is told nothing of what a handler threw", async () => {
        const answer = await client.call("boom");
        assert.equal(answer.isError, true);
        assert.doesNotMatch(JSON.stringify(answer), /secret-of-the-handler|passwd/);
      });

      test("is told that a tool gave content that can't be sent", async () => {
        const { isError, content } = await client.call("unsound");
        assert.equal(isError, true);
        assert.match(content[0]?.text ?? "", /content block 0 \(image\)/);
      });

      test("gets -32602 with the nearest name for a tool that doesn't exist", async () => {
        await assert.rejects(client.call("ecoh"), (error: Error & { code?: unknown }) => error.code === -32602 && /\becho\b/.test(error.message));
      });

      test("sees the handler's progress", async () => {
        const steps: string[] = [];
        await client.call("steps", {}, undefined, { onprogress: ({ progress, total, message }) => steps.push(`${progress}/${total} ${message}`) });
        // A client that reads progress in one go with the answer drops it; that all of it is sent is tested on the wire.
        assert.ok(steps.length > 0);
        assert.deepEqual(steps, ["1/3 step 1", "2/3 step 2", "3/3 step 3"].slice(0, steps.length));
      });

      test("sees the handler's log where it asked for it", async () => {
        const before = client.logged.length;
        await client.call("logs", {}, { "io.modelcontextprotocol/logLevel": "info" });
        await until(() => client.logged.length >= before + 2);
        assert.deepEqual(client.logged.slice(before), [
          { level: "info", data: { message: "for information", n: 1 } },
          { level: "warning", data: "a warning" },
        ]);
      });

      test("answers a question of the handler", async () => {
        const { structuredContent } = await client.call("confirm");
        assert.deepEqual(structuredContent, { answer: { action: "accept", content: { sure: true } }, state: "round-1" });
      });

      test("sends an idempotency key, and asks for a version", async () => {
        const { structuredContent } = await client.call("seen", { x: 1 }, { "dev.fettle/idempotency-key": "key-1", "dev.fettle/tool-version": "1.0.0" });
        const principal = transport === "stdio" ? "local" : "anonymous";
        assert.deepEqual(structuredContent, {
          args: { x: 1 },
          key: "key-1",
          tool: { name: "seen", version: "1.0.0" },
          caller: { tenant: "default", principal, scopes: [] },
          state: null,
        });
        const refused = await client.call("seen", {}, { "dev.fettle/tool-version": "9.9.9" });
        assert.equal(refused.isError, true);
      });

      test("cancels a call, and the handler's signal hears of it", async () => {
        const cancelled = `${name} ${transport} cancels`;
        const leaving = new AbortController();
        const call = client.call("wait", { name: cancelled }, undefined, { signal: leaving.signal });
        const left = assert.rejects(call);
        const names = async (of: "waiting" | "aborted"): Promise<unknown> => ((await client.call("aborted")).structuredContent as Record<string, unknown>)[of];
        await until(async () => JSON.stringify(await names("waiting")).includes(cancelled));
        leaving.abort(new Error("not any more"));
        await left;
        await until(async () => JSON.stringify(await names("aborted")).includes(cancelled));
      });

      test("isn't disturbed by handlers that print", async () => {
        assert.deepEqual((await client.call("chatty")).structuredContent, { quiet: true });
      });

      test("hears that the list of tools changed, and finds the new tool", async () => {
        assert.deepEqual((await client.call("grow")).structuredContent, { swapped: true });
        await until(() => client.changes() > 0);
        assert.deepEqual((await client.call("grown")).structuredContent, { grown: true });
        assert.ok((await client.list()).some((tool) => tool["name"] === "grown"));
      });
    });
  }
}
