import assert from "node:assert/strict";
import { test } from "node:test";
import { definePlugin } from "@fettle/contract";
import { answerIn, INITIALIZE, openSession, post, startHttp } from "../../test/httpFixture.js";

const byHeader = definePlugin({
  name: "by-header",
  options: {},
  create: () => ({
    name: "by-header",
    position: "observe" as const,
    setup: () => ({
      identify: ({ headers }) => ({ tenant: "t", principal: headers["authorization"] ?? "nobody", scopes: [] }),
    }),
  }),
});

const call = (id: unknown, args: unknown): unknown => ({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "echo", arguments: args } });

test("a session of somebody else is refused like one that doesn't exist, whatever is asked of it", async () => {
  const fixture = await startHttp({}, { plugins: [byHeader()] });
  const opened = await post(fixture.url, INITIALIZE, { authorization: "ada" });
  await opened.text();
  const session = { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "", "mcp-protocol-version": "2025-11-25" };
  const unknown = await post(fixture.url, call(2, {}), { ...session, "mcp-session-id": "no-such" });
  const refused = await unknown.text();
  for (const authorization of [undefined, "bob"]) {
    const headers = { ...session, ...(authorization && { authorization }) };
    const answers = [
      await post(fixture.url, call(2, {}), headers),
      await fetch(`${fixture.url}/mcp`, { headers: { ...headers, accept: "text/event-stream" } }),
      await fetch(`${fixture.url}/mcp`, { method: "DELETE", headers }),
    ];
    for (const answer of answers) {
      assert.equal(answer.status, 404);
      assert.equal(await answer.text(), refused);
    }
  }
  assert.ok((await answerIn(await post(fixture.url, call(2, {}), { ...session, authorization: "ada" }))).result, "its owner still has it");
  await fixture.stop();
});

test("equal request ids in two sessions get each its own answer, however they race", async () => {
  const fixture = await startHttp();
  const sessions = await Promise.all(Array.from({ length: 8 }, () => openSession(fixture.url)));
  await Promise.all(
    sessions.flatMap((session, who) =>
      Array.from({ length: 25 }, async (_, id) => {
        const { result } = await answerIn(await post(fixture.url, call(id, { who, id }), session));
        assert.deepEqual(result?.["structuredContent"], { who, id });
      }),
    ),
  );
  await fixture.stop();
});
