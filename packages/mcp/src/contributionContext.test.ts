import assert from "node:assert/strict";
import { test } from "node:test";
import { definePlugin, type Json } from "@fettle/contract";
import { postModern, startHttp } from "../test/httpFixture.js";

const plugin = definePlugin({
  name: "notes",
  options: {},
  create: () => ({
    name: "notes",
    position: "observe",
    setup: () => ({
      prompts: [
        {
          name: "write",
          async get(_args, { canAsk, progress, log }) {
            progress(1, 2, "looking");
            log.warn("no topic", { asked: false });
            const text = `form ${canAsk("elicitation/create")}, model ${canAsk("sampling/createMessage")}`;
            return { messages: [{ role: "user", content: { type: "text", text } }] };
          },
        },
      ],
      resources: [
        {
          name: "first",
          uri: "notes:///first",
          async read({ canAsk, progress }) {
            progress(1);
            progress(1); // which MCP doesn't allow: it does not rise
            progress(2);
            return [{ uri: "notes:///first", text: `roots ${canAsk("roots/list")}` }];
          },
        },
      ],
    }),
  }),
})();

/** All messages of a response, in order. */
async function messagesOf(response: Response): Promise<readonly { method?: string; params?: Json; result?: Json }[]> {
  const text = await response.text();
  const events = text.split("\n").filter((line) => line.startsWith("data: {"));
  return (events.length === 0 ? [text] : events.map((line) => line.slice("data: ".length))).map((message) => JSON.parse(message));
}

const META = {
  "io.modelcontextprotocol/clientCapabilities": { elicitation: {}, roots: {} },
  "io.modelcontextprotocol/logLevel": "info",
  progressToken: "p",
};

test("a prompt learns who can be asked, tells how far it is, and logs for the client and the server", async () => {
  const fixture = await startHttp({}, { plugins: [plugin] });
  try {
    const messages = await messagesOf(await postModern(fixture.url, "prompts/get", { name: "write", _meta: META }));
    const [progress, log, answer] = messages;
    assert.deepEqual(progress?.params, { progressToken: "p", progress: 1, total: 2, message: "looking" });
    assert.deepEqual(log?.params, { level: "warning", data: { message: "no topic", asked: false } });
    assert.match(JSON.stringify(answer?.result), /form true, model false/);
    const [line] = fixture.bench.logs.filter(({ message }) => message === "no topic");
    assert.deepEqual(line?.fields, { plugin: "notes", hook: "prompts.get", asked: false });
  } finally {
    await fixture.stop();
  }
});

test("a resource does so too, and is sent no progress that MCP doesn't allow", async () => {
  const fixture = await startHttp({}, { plugins: [plugin] });
  try {
    const messages = await messagesOf(await postModern(fixture.url, "resources/read", { uri: "notes:///first", _meta: META }));
    assert.deepEqual(
      messages.filter(({ method }) => method === "notifications/progress").map(({ params }) => params),
      [
        { progressToken: "p", progress: 1 },
        { progressToken: "p", progress: 2 },
      ],
    );
    assert.match(JSON.stringify(messages.at(-1)?.result), /roots true/);
  } finally {
    await fixture.stop();
  }
});
