import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { readEvents } from "../../test/eventStream.js";
import { answerIn, INITIALIZE, post, postModern, startHttp } from "../../test/httpFixture.js";
import { until } from "../../test/until.js";
import { watchedResources } from "../../test/watchedResources.js";

const SESSIONS = 8;
const ROUNDS = 5;

setFlagsFromString("--expose-gc");
const gc = runInNewContext("gc") as () => void;

type Headers = Record<string, string>;

const message = (id: number, method: string, params: object): object => ({ jsonrpc: "2.0", id, method, params });
const call = (id: number, name: string, args: object, meta?: object): object =>
  message(id, "tools/call", { name, arguments: args, ...(meta && { _meta: meta }) });

/** Works that their clients leave and come back for: each goes on when it is told to. */
function works(): {
  readonly handler: (args: { key: string }, ctx: { progress(n: number): void }) => Promise<object>;
  finish(key: string): void;
  readonly size: () => number;
} {
  const open = new Map<string, () => void>();
  return {
    handler: async ({ key }, ctx) => {
      ctx.progress(1);
      await new Promise<void>((resolve) => open.set(key, resolve));
      open.delete(key);
      return { key };
    },
    finish: (key) => open.get(key)?.(),
    size: () => open.size,
  };
}

test("nothing is held after many sessions that call, leave, come back, subscribe and ask while the tools are reloaded, and each gets its own answers", async () => {
  const work = works();
  const watched = watchedResources();
  const fixture = await startHttp({}, { plugins: [watched.plugin()], tools: { work: work.handler as never } });
  const { url } = fixture;

  const open = async (): Promise<Headers> => {
    const hello = await post(url, { ...INITIALIZE, params: { ...INITIALIZE.params, capabilities: { elicitation: {} } } });
    await hello.text();
    return { "mcp-session-id": hello.headers.get("mcp-session-id") ?? "", "mcp-protocol-version": "2025-11-25" };
  };
  // Ids are the same in all sessions: only the session tells them apart.
  const leaveAndComeBack = async (session: Headers, key: string): Promise<void> => {
    const leaving = new AbortController();
    const stream = readEvents(await post(url, call(2, "work", { key }, { progressToken: "p" }), session, leaving.signal));
    await stream.until(() => stream.messages("notifications/progress").length > 0);
    leaving.abort();
    const last = stream.events.at(-1)?.id ?? "";
    const resumed = await fetch(`${url}/mcp`, { headers: { ...session, accept: "text/event-stream", "last-event-id": last } });
    assert.equal(resumed.status, 200);
    work.finish(key);
    assert.deepEqual((await answerIn(resumed)).result?.["structuredContent"], { key });
  };
  const ask = async (session: Headers, round: number): Promise<void> => {
    const stream = readEvents(await post(url, call(3, "confirm", {}), session));
    await stream.until(() => stream.messages("elicitation/create").length > 0);
    const [question] = stream.messages("elicitation/create");
    const sure = round % 2 === 0;
    await post(url, { jsonrpc: "2.0", id: question?.id, result: { action: "accept", content: { sure } } }, session);
    await stream.end();
    const answer = stream.events.find(({ message: each }) => each?.id === 3)?.message?.result?.["structuredContent"];
    assert.deepEqual(answer, { answer: { action: "accept", content: { sure } }, state: "round-1" });
  };
  const subscribe = async (session: Headers, who: string): Promise<void> => {
    const uri = `test://item/${who}`;
    const leaving = new AbortController();
    const stream = readEvents(await fetch(`${url}/mcp`, { headers: { ...session, accept: "text/event-stream" }, signal: leaving.signal }));
    await answerIn(await post(url, message(4, "resources/subscribe", { uri }), session));
    watched.item(who).change();
    await stream.until(() => stream.messages("notifications/resources/updated").length > 0);
    assert.deepEqual(new Set(stream.messages("notifications/resources/updated").map(({ params }) => params?.["uri"])), new Set([uri]));
    leaving.abort();
  };
  const listen = async (who: string): Promise<void> => {
    const leaving = new AbortController();
    const params = { notifications: { resourceSubscriptions: [`test://item/${who}`] } };
    const stream = readEvents(await postModern(url, "subscriptions/listen", params, leaving.signal));
    await stream.until(() => stream.events.length > 0);
    leaving.abort();
  };
  const oneSession = async (who: string, round: number): Promise<void> => {
    const session = await open();
    await Promise.all([
      leaveAndComeBack(session, who),
      ask(session, round),
      subscribe(session, who),
      listen(who),
      ...[5, 6, 7].map(async (id) => {
        const { result } = await answerIn(await post(url, call(id, "echo", { who, id }), session));
        assert.deepEqual(result?.["structuredContent"], { who, id });
      }),
      (async () => {
        const { result } = await answerIn(await postModern(url, "tools/call", { name: "echo", arguments: { who } }));
        assert.deepEqual(result?.["structuredContent"], { who });
      })(),
    ]);
    assert.equal((await fetch(`${url}/mcp`, { method: "DELETE", headers: session })).status, 200);
  };
  const round = async (n: number): Promise<void> => {
    fixture.bench.memory.add("more", { title: `Of round ${n}`, handler: () => ({}) });
    const reloads = fixture.bench.kernel.reload();
    await Promise.all(Array.from({ length: SESSIONS }, (_, s) => oneSession(`${n}-${s}`, n)));
    assert.equal((await reloads).swapped, true);
  };
  const heap = (): number => {
    gc();
    return process.memoryUsage().heapUsed;
  };
  const watches = (): number =>
    Array.from({ length: ROUNDS * SESSIONS }, (_, at) => watched.item(`${Math.floor(at / SESSIONS)}-${at % SESSIONS}`).counts.live).reduce((a, b) => a + b, 0);

  // What is made once, compiled code for example, is no leak.
  await round(0);
  await round(1);
  await until(() => watches() === 0);
  const before = heap();
  for (let n = 2; n < ROUNDS; n += 1) await round(n);
  await until(() => watches() === 0);
  assert.equal(work.size(), 0, "no call is left");
  await until(() => heap() - before < 8 * 1024 * 1024).catch(() => assert.fail(`${heap() - before} bytes more are held`));
  assert.deepEqual(fixture.errors, []);
  await fixture.stop();
  const timers = process.getActiveResourcesInfo().filter((name) => name === "Timeout");
  assert.ok(timers.length <= 2, `timers are left: ${timers.length}`);
});
