import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { definePlugin, inputError } from "@fettle/contract";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { type HttpFixture, startHttp } from "../test/httpFixture.js";

const plugin = definePlugin({
  name: "contributions",
  options: {},
  create: () => ({
    name: "contributions",
    position: "observe" as const,
    setup: () => ({
      prompts: [
        {
          name: "greet",
          title: "Greeting",
          description: "Greets somebody.",
          arguments: [{ name: "who", required: true, description: "Whom" }, { name: "tone" }],
          get: ({ who, tone }) => ({
            description: "A greeting",
            messages: [{ role: "user" as const, content: { type: "text" as const, text: `${tone ?? "Hello"} ${who}` } }],
          }),
          complete: (argument, typed, known) => (argument === "who" ? ["Ada", "Alan", "Bob"].filter((name) => name.startsWith(typed)) : [`${known["who"]}!`]),
        },
        {
          name: "fails",
          arguments: [{ name: "how" }],
          get: ({ how }) => {
            if (how === "kindly") throw inputError("test/how", { what: "That is no way.", fix: "Try another." });
            throw new Error("secret of a prompt");
          },
        },
      ],
      resources: [
        { uri: "test://static", name: "static", mimeType: "text/plain", size: 4, read: () => [{ uri: "test://static", text: "text", mimeType: "text/plain" }] },
      ],
      resourceTemplates: [
        {
          uriTemplate: "test://item/{id}",
          name: "item",
          description: "An item.",
          read: (uri, { id }) => [{ uri, blob: Buffer.from(`item ${id}`).toString("base64"), ...(id === "odd" && { _meta: { n: 1n as never } }) }],
          complete: (_variable, typed) => Array.from({ length: 150 }, (_, i) => `${typed}${i}`),
        },
      ],
    }),
  }),
});

for (const mode of ["legacy", { pin: "2026-07-28" }] as const) {
  describe(`prompts, resources and completions of plugins, ${mode === "legacy" ? "older era" : mode.pin}`, () => {
    let fixture: HttpFixture;
    let client: Client;
    before(async () => {
      fixture = await startHttp({}, { plugins: [plugin()] });
      client = new Client({ name: "t", version: "1" }, { versionNegotiation: { mode } });
      await client.connect(new StreamableHTTPClientTransport(new URL(`${fixture.url}/mcp`)));
    });
    after(async () => {
      await client.close();
      await fixture.stop();
    });

    test("prompts are listed and got", async () => {
      const { prompts } = await client.listPrompts();
      assert.deepEqual(
        prompts.map(({ name }) => name),
        ["greet", "fails"],
      );
      assert.deepEqual(prompts[0]?.arguments, [{ name: "who", required: true, description: "Whom" }, { name: "tone" }]);
      const { messages, description } = await client.getPrompt({ name: "greet", arguments: { who: "Ada" } });
      assert.deepEqual(messages, [{ role: "user", content: { type: "text", text: "Hello Ada" } }]);
      assert.equal(description, "A greeting");
    });

    test("a prompt that isn't there, lacks an argument or fails says so, and leaks nothing", async () => {
      await assert.rejects(client.getPrompt({ name: "nope" }), /no such prompt/);
      await assert.rejects(client.getPrompt({ name: "greet" }), /greet needs who/);
      await assert.rejects(client.getPrompt({ name: "fails", arguments: { how: "kindly" } }), /That is no way\.\nTry another\./);
      await assert.rejects(client.getPrompt({ name: "fails" }), (error: Error) => /fault of the server/.test(error.message) && !/secret/.test(error.message));
      assert.ok(fixture.bench.logs.some(({ fields }) => fields["error_message"] === "secret of a prompt"));
    });

    test("resources are listed and read, by URI and by template", async () => {
      assert.deepEqual((await client.listResources()).resources, [{ uri: "test://static", name: "static", mimeType: "text/plain", size: 4 }]);
      assert.deepEqual((await client.listResourceTemplates()).resourceTemplates, [{ uriTemplate: "test://item/{id}", name: "item", description: "An item." }]);
      assert.deepEqual((await client.readResource({ uri: "test://static" })).contents, [{ uri: "test://static", text: "text", mimeType: "text/plain" }]);
      assert.deepEqual((await client.readResource({ uri: "test://item/7" })).contents, [
        { uri: "test://item/7", blob: Buffer.from("item 7").toString("base64") },
      ]);
      await assert.rejects(client.readResource({ uri: "test://nowhere" }), /no resource at this URI/);
      await assert.rejects(client.readResource({ uri: "test://item/".padEnd(3_000, "x") }), /more than the 2048 characters/);
      await assert.rejects(client.readResource({ uri: "test://item/odd" }), /at contents\[0\]\._meta\.n, a bigint is no JSON value/);
    });

    test("a completion of an argument that isn't there names those that are", async () => {
      const greet = { type: "ref/prompt", name: "greet" } as const;
      await assert.rejects(client.complete({ ref: greet, argument: { name: "whom", value: "" } }), {
        code: -32602,
        message: /The prompt greet has no argument whom\. It has who, tone\.$/,
      });
      const item = { type: "ref/resource", uri: "test://item/{id}" } as const;
      await assert.rejects(client.complete({ ref: item, argument: { name: "no", value: "" } }), /no argument no\. It has id\./);
    });

    test("arguments and variables are completed, at most 100 values at once", async () => {
      const names = await client.complete({ ref: { type: "ref/prompt", name: "greet" }, argument: { name: "who", value: "A" } });
      assert.deepEqual(names.completion, { values: ["Ada", "Alan"], total: 2, hasMore: false });
      const tone = await client.complete({
        ref: { type: "ref/prompt", name: "greet" },
        argument: { name: "tone", value: "" },
        context: { arguments: { who: "Ada" } },
      });
      assert.deepEqual(tone.completion.values, ["Ada!"]);
      const items = await client.complete({ ref: { type: "ref/resource", uri: "test://item/{id}" }, argument: { name: "id", value: "1" } });
      assert.equal(items.completion.values.length, 100);
      assert.deepEqual([items.completion.total, items.completion.hasMore], [150, true]);
      assert.deepEqual((await client.complete({ ref: { type: "ref/prompt", name: "fails" }, argument: { name: "how", value: "" } })).completion.values, []);
      await assert.rejects(
        client.complete({ ref: { type: "ref/resource", uri: "test://other/{id}" }, argument: { name: "id", value: "" } }),
        /no such resource template/,
      );
    });
  });
}
