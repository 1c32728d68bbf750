import assert from "node:assert/strict";
import { test } from "node:test";
import { definePlugin, type PluginModule, type PluginRun } from "@fettle/contract";
import { fakeClock } from "@fettle/testkit";
import { answerIn, INITIALIZE, openSession, post, postModern, startHttp } from "../../test/httpFixture.js";
import { until } from "../../test/until.js";

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

type Identify = NonNullable<PluginRun["identify"]>;

/** A plugin whose `identify` works until a test breaks it. */
function breakable(): { readonly plugin: PluginModule; identify: Identify } {
  const state: { identify: Identify } = { identify: () => undefined };
  return Object.assign(state, {
    plugin: definePlugin({
      name: "gate",
      options: {},
      create: () => ({ name: "gate", position: "observe" as const, setup: () => ({ identify: (request) => state.identify(request) }) }),
    }),
  });
}

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

test("a session that is ended while it is found out who calls stays ended", async () => {
  const gate = breakable();
  const fixture = await startHttp({ max_sessions: 1 }, { plugins: [gate.plugin()] });
  const session = await openSession(fixture.url);
  let asked = false;
  let goOn = (): void => {};
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  gate.identify = async ({ headers }) => {
    if (headers["x-held"] === undefined) return undefined;
    asked = true;
    await held;
    return undefined;
  };
  const late = post(fixture.url, call(2, {}), { ...session, "x-held": "yes" });
  await until(() => asked);
  assert.equal((await fetch(`${fixture.url}/mcp`, { method: "DELETE", headers: session })).status, 200);
  goOn();
  const refused = await late;
  assert.equal(refused.status, 404);
  assert.match((await answerIn(refused)).error?.message ?? "", /There is no such session/);
  assert.equal((await post(fixture.url, call(3, {}), session)).status, 404);
  await fixture.stop();
});

for (const [how, did, identify] of [
  [
    "throws",
    "threw",
    () => {
      throw new Error("secret-of-the-gate");
    },
  ],
  ["rejects", "threw", async () => Promise.reject(new Error("secret-of-the-gate"))],
  ["hangs", "did not answer within 10 s", () => new Promise<never>(() => {})],
] as const) {
  test(`where a plugin's identify ${how}, requests of both eras are refused in the same words, and nothing of the session is lost`, async () => {
    const gate = breakable();
    const clock = fakeClock();
    const fixture = await startHttp({}, { plugins: [gate.plugin()], clock });
    const session = await openSession(fixture.url);
    let asked = 0;
    gate.identify = (request) => {
      asked += 1;
      return (identify as Identify)(request);
    };
    const refused = async (status: number, request: Promise<Response>, begun = asked): Promise<void> => {
      await until(() => asked > begun);
      clock.tick(10_000);
      const response = await request;
      assert.equal(response.status, status);
      const { error } = (await response.json()) as { error: { code: number; message: string; data: unknown } };
      assert.equal(error.code, -32603);
      assert.match(error.message, new RegExp(`^It could not be found out who calls: the plugin gate ${did} in its identify hook\\.`));
      assert.match(JSON.stringify(error.data), /"error_code":"kernel\/identify-failed"/);
    };
    await refused(500, post(fixture.url, INITIALIZE));
    await refused(500, post(fixture.url, call(2, {}), session));
    await refused(500, fetch(`${fixture.url}/mcp`, { headers: { ...session, accept: "text/event-stream" } }));
    await refused(500, fetch(`${fixture.url}/mcp`, { method: "DELETE", headers: session }));
    await refused(200, postModern(fixture.url, "tools/call", { name: "echo", arguments: {} }));
    const lines = fixture.bench.logs.filter(({ level }) => level === "error").map(({ message }) => message);
    assert.deepEqual(
      lines,
      Array.from({ length: 5 }, () => `plugin gate ${did} in its identify hook`),
    );
    assert.deepEqual(fixture.errors, [], "it is told once");
    gate.identify = () => undefined;
    assert.ok((await answerIn(await post(fixture.url, call(3, {}), session))).result, "the session is still there");
    await fixture.stop();
  });
}
