import assert from "node:assert/strict";
import { test } from "node:test";
import { definePlugin, needInput } from "@fettle/contract";
import { readEvents } from "../../test/eventStream.js";
import { aborted, waiting } from "../../test/fixtureTools.js";
import { answerIn, INITIALIZE, openSession, post, startHttp } from "../../test/httpFixture.js";
import { until } from "../../test/until.js";

const PROTOCOL_META = { "io.modelcontextprotocol/streamed": true };

const request = (method: string, params: object = {}, id: unknown = 2): object => ({ jsonrpc: "2.0", id, method, params });
const call = (name: string, args: unknown = {}, more: object = {}): object => request("tools/call", { name, arguments: args, ...more });
/** The same request for the complete lane: it has every request whose _meta has a key of the protocol's own. */
const complete = (message: object): object => {
  const { params, ...rest } = message as { params: { _meta?: object } };
  return { ...rest, params: { ...params, _meta: { ...params._meta, ...PROTOCOL_META } } };
};

test("both lanes give the same answers", async () => {
  const fixture = await startHttp({}, { tools: { wrapped: { handler: () => ({ a: 1 }), output: { anyOf: [{ type: "object" }, { type: "array" }] } } } });
  const session = await openSession(fixture.url);
  const tools = ["echo", "seen", "list", "text", "media", "spaced", "unsound", "missing", "boom", "old", "logs", "wrapped", "no-such-tool", "echoo", ""];
  const messages = [
    ...tools.map((name) => call(name)),
    call("echo", { n: 1, text: "grün 🌱" }),
    call("seen", {}, { _meta: { "dev.fettle/idempotency-key": "k" } }),
    call("seen", {}, { idempotencyKey: "alias" }),
    call("echo", {}, { _meta: { "dev.fettle/tool-version": "9.9.9" } }),
    request("tools/list"),
    request("tools/list", { cursor: "not-one" }),
    request("tools/list", { cursor: 5 }),
    request("ping"),
  ];
  const ids = /[0-9a-f]{8}-[0-9a-f-]{27}|[A-Za-z0-9_-]{20,30}/g;
  for (const message of messages) {
    const quick = await answerIn(await post(fixture.url, message, session));
    const whole = await answerIn(await post(fixture.url, complete(message), session));
    const [one, other] = [quick, whole].map((answer): unknown => JSON.parse(JSON.stringify(answer).replace(ids, "ID")));
    assert.deepEqual(one, other, JSON.stringify(message));
  }
  await fixture.stop();
});

test("what ends soon goes out whole, what takes longer as a stream that can be resumed", async () => {
  const fixture = await startHttp();
  const session = await openSession(fixture.url);
  const soon = await post(fixture.url, call("echo", { a: 1 }), session);
  assert.equal(soon.headers.get("mcp-session-id"), session["mcp-session-id"]);
  const whole = await soon.text();
  assert.match(whole, /^event: message\ndata: .*"a":1.*\n\n$/);
  assert.equal(soon.headers.get("content-length"), String(Buffer.byteLength(whole)));
  const late = await post(fixture.url, call("pause", { ms: 300 }), session);
  assert.match(await late.text(), /^id: [\s\S]*"slept":300/m);
  await fixture.stop();
});

test("a call that tells its client something begins once, and all it tells arrives before its answer", async () => {
  let begun = 0;
  const fixture = await startHttp(
    {},
    {
      tools: {
        tells: (_args, ctx) => {
          begun += 1;
          ctx.progress(1);
          ctx.log.info("one");
          ctx.progress(2);
          return { told: true };
        },
      },
    },
  );
  const session = await openSession(fixture.url);
  const text = await (await post(fixture.url, call("tells", {}, { _meta: { progressToken: "p" } }), session)).text();
  const order = ['"progress":1', '"data":"one"', '"progress":2', '"told":true'].map((part) => text.indexOf(part));
  assert.ok(
    order.every((at, i) => at > (order[i - 1] ?? -1)),
    text,
  );
  assert.equal(begun, 1);
  await fixture.stop();
});

test("a call that asks its user goes on with the answer, and its first round isn't run twice", async () => {
  const rounds: unknown[] = [];
  const fixture = await startHttp(
    {},
    {
      tools: {
        asks: (_args, ctx) => {
          rounds.push(ctx.inputs);
          const params = { message: "Sure?", requestedSchema: { type: "object", properties: {} } };
          return ctx.inputs === undefined ? needInput({ requests: { ok: { method: "elicitation/create", params } } }) : { answered: ctx.inputs["ok"] ?? null };
        },
      },
    },
  );
  const opened = await post(fixture.url, { ...INITIALIZE, params: { ...INITIALIZE.params, capabilities: { elicitation: {} } } });
  await opened.text();
  const session = { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "", "mcp-protocol-version": "2025-11-25" };
  const stream = readEvents(await post(fixture.url, call("asks"), session));
  await stream.until(() => stream.messages("elicitation/create").length === 1);
  const [question] = stream.messages("elicitation/create");
  await (await post(fixture.url, { jsonrpc: "2.0", id: question?.id, result: { action: "decline" } }, session)).text();
  await stream.end();
  assert.match(JSON.stringify(stream.events.at(-1)), /"answered":\{"action":"decline"\}/);
  assert.equal(rounds.length, 2);
  await fixture.stop();
});

test("a call that is cancelled in its first moments is aborted and answered, also before the SDK is there for it", async () => {
  const fixture = await startHttp();
  const session = await openSession(fixture.url);
  const answer = post(fixture.url, call("wait", { name: "cancelled at once" }), session);
  await until(() => waiting.includes("cancelled at once"));
  const accepted = await post(fixture.url, { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 2 } }, session);
  assert.equal(accepted.status, 202);
  assert.match(await (await answer).text(), /"id":2,/);
  await until(() => aborted.includes("cancelled at once"));
  assert.ok((await answerIn(await post(fixture.url, call("echo"), session))).result, "its id is free again");
  await fixture.stop();
});

test("a session that is ended, and a server that shuts down, answer the call that is still in its first moments", async () => {
  const fixture = await startHttp();
  const session = await openSession(fixture.url);
  const answer = post(fixture.url, call("hang", { name: "session ended" }), session);
  await until(() => waiting.includes("session ended"));
  const ended = await fetch(`${fixture.url}/mcp`, { method: "DELETE", headers: session });
  assert.equal(ended.status, 200);
  assert.match(await (await answer).text(), /kernel\/cancelled/);
  assert.equal((await post(fixture.url, call("echo"), session)).status, 404);
  const other = await openSession(fixture.url);
  const last = post(fixture.url, call("hang", { name: "shut down" }), other);
  await until(() => waiting.includes("shut down"));
  await fixture.stop();
  assert.match(await (await last).text(), /kernel\/(closing|cancelled)/);
});

test("the id of a call that waits is taken, whichever lane has it", async () => {
  const fixture = await startHttp();
  for (const form of [call, (...given: Parameters<typeof call>) => complete(call(...given))]) {
    const session = await openSession(fixture.url);
    // Neither ends by itself, so that it doesn't matter which comes first.
    const both = ["one", "other"].map((name) => post(fixture.url, form("wait", { name }), session));
    const first = await Promise.race(both.map(async (each) => ((await each).status === 400 ? await each : new Promise<never>(() => {}))));
    assert.match(await first.text(), /The id 2 is taken/);
    await post(fixture.url, { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 2 } }, session);
    for (const each of both) if (!(await each).bodyUsed) assert.match(await (await each).text(), /cancelled/);
  }
  await fixture.stop();
});

test("a call that is cancelled, or whose session is ended, before it is known who calls doesn't begin", async () => {
  let begun = 0;
  let asked = 0;
  const slow = definePlugin({
    name: "slow",
    options: {},
    create: () => ({
      name: "slow",
      position: "protect",
      setup: () => ({
        identify: async ({ sessionId }) => {
          asked += 1;
          // The first look at a request is for its session.
          if (sessionId !== undefined) await new Promise((resolve) => setTimeout(resolve, 2_000));
          return undefined;
        },
      }),
    }),
  });
  const fixture = await startHttp({}, { plugins: [slow()], tools: { counts: () => ({ begun: ++begun }) } });
  for (const end of ["cancel", "delete"] as const) {
    const session = await openSession(fixture.url);
    const before = asked;
    const answer = post(fixture.url, call("counts"), session);
    await until(() => asked >= before + 2);
    if (end === "cancel") await post(fixture.url, { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 2 } }, session);
    else await fetch(`${fixture.url}/mcp`, { method: "DELETE", headers: session });
    assert.match(await (await answer).text(), /cancelled|was ended/);
  }
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  assert.equal(begun, 0);
  await fixture.stop();
});

test("a session that the SDK serves already answers its quick call too when it is ended", async () => {
  const fixture = await startHttp();
  const session = await openSession(fixture.url);
  await (await post(fixture.url, request("logging/setLevel", { level: "info" }, 1), session)).text();
  const answer = post(fixture.url, call("wait", { name: "ended awake" }), session);
  await until(() => waiting.includes("ended awake"));
  assert.equal((await fetch(`${fixture.url}/mcp`, { method: "DELETE", headers: session })).status, 200);
  assert.match(await (await answer).text(), /kernel\/cancelled/);
  await until(() => aborted.includes("ended awake"));
  assert.deepEqual(fixture.errors, []);
  await fixture.stop();
});
