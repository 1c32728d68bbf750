import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { aborted } from "../../test/fixtureTools.js";
import { answerIn, openSession, post, startHttp } from "../../test/httpFixture.js";
import { until } from "../../test/until.js";
import { ReplayStore } from "./replayStore.js";

const call = (name: string, args: unknown = {}, id: unknown = 2, meta?: object): unknown => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: args, ...(meta && { _meta: meta }) },
});

/** A call whose answer is a stream however soon it comes. */
const streamed = (name: string, args: unknown = {}, id: unknown = 2): unknown => call(name, args, id, { "io.modelcontextprotocol/streamed": true });

const resume = (url: string, session: Record<string, string>, lastEventId: string): Promise<Response> =>
  fetch(`${url}/mcp`, { headers: { ...session, accept: "text/event-stream", "last-event-id": lastEventId } });

const idsIn = (text: string): string[] => [...text.matchAll(/^id: (.+)$/gm)].map(([, id]) => id ?? "");

/** Reads a stream until it has the text, then leaves. */
async function readUntil(response: Response, wanted: RegExp, leaving: AbortController): Promise<string> {
  let text = "";
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  while (reader !== undefined && !wanted.test(text)) {
    const { done, value } = await reader.read();
    if (done) break;
    text += value;
  }
  leaving.abort();
  return text;
}

/** Tools whose work a test ends. */
function gate(): { open(): void; readonly handler: (args: object, ctx: { progress(n: number): void }) => Promise<object> } {
  let open: () => void = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return {
    open: () => open(),
    handler: async (_args, ctx) => {
      ctx.progress(1);
      await opened;
      ctx.progress(2);
      ctx.progress(3);
      return { worked: true };
    },
  };
}

describe("a client that went away mid-call", () => {
  for (const revision of ["2025-03-26", "2025-06-18", "2025-11-25"]) {
    test(`comes back for what it missed, in order and once, in ${revision}`, async () => {
      const work = gate();
      const fixture = await startHttp({}, { tools: { work: work.handler } });
      const session = await openSession(fixture.url, revision);
      const leaving = new AbortController();
      const first = await post(fixture.url, call("work", {}, 2, { progressToken: "p" }), session, leaving.signal);
      const seen = await readUntil(first, /"progress":1/, leaving);
      work.open();
      const last = idsIn(seen).at(-1) ?? "";
      const text = await (await resume(fixture.url, session, last)).text();
      assert.deepEqual(
        [...text.matchAll(/"progress":(\d)/g)].map(([, n]) => n),
        ["2", "3"],
      );
      assert.equal(text.match(/"worked":true/g)?.length, 1);
      assert.ok(text.indexOf('"progress":3') < text.indexOf('"worked"'));
      // It lost the connection again, before it read the answer.
      const again = await (await resume(fixture.url, session, idsIn(text).at(-2) ?? "")).text();
      assert.equal(idsIn(again).length, 1);
      assert.match(again, /"worked":true/);
      await fixture.stop();
    });
  }

  test("may send other requests before it comes back for the rest of an answer that was written to the end", async () => {
    const fixture = await startHttp();
    const session = await openSession(fixture.url);
    const [first] = idsIn(await (await post(fixture.url, streamed("echo", { n: 1 }), session)).text());
    for (const n of [2, 3]) await (await post(fixture.url, streamed("echo", { n }), session)).text();
    assert.match(await (await resume(fixture.url, session, first ?? "")).text(), /"n":1/);
    await fixture.stop();
  });

  test("ends its call by cancelling it, since going away is not cancelling", async () => {
    const fixture = await startHttp();
    const session = await openSession(fixture.url);
    const leaving = new AbortController();
    await post(fixture.url, call("wait", { name: "abandoned" }, 9), session, leaving.signal);
    leaving.abort();
    await (await post(fixture.url, call("echo"), session)).text();
    assert.ok(!aborted.includes("abandoned"));
    const taken = await post(fixture.url, call("echo", {}, 9), session);
    assert.match(await taken.text(), /The id 9 is taken/);
    await post(fixture.url, { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 9 } }, session);
    await until(() => aborted.includes("abandoned"));
    assert.ok((await answerIn(await post(fixture.url, call("echo", {}, 9), session))).result);
    await fixture.stop();
  });

  test("leaves no call behind that outlives its deadline", async () => {
    const fixture = await startHttp({}, { tools: { stuck: { handler: () => new Promise<never>(() => {}), timeout_ms: 100 } } });
    const session = await openSession(fixture.url);
    const leaving = new AbortController();
    const first = await post(fixture.url, call("stuck"), session, leaving.signal);
    const seen = await readUntil(first, /id: /, leaving);
    assert.match(await (await resume(fixture.url, session, idsIn(seen)[0] ?? "")).text(), /kernel\/deadline-exceeded/);
    await fixture.stop();
  });
});

describe("a stream can't be resumed", () => {
  test("after an event id of another session, an unknown one, one that is none, or one of a stream that was read", async () => {
    const fixture = await startHttp();
    const [mine, other] = [await openSession(fixture.url), await openSession(fixture.url)];
    const [here] = idsIn(await (await post(fixture.url, streamed("echo"), mine)).text());
    assert.ok(here);
    const [tag, stream] = here.split("-");
    const refusedWith = async (session: Record<string, string>, id: string, status: number, words: RegExp): Promise<void> => {
      const response = await resume(fixture.url, session, id);
      assert.equal(response.status, status, id);
      const { error } = await answerIn(response);
      assert.match(error?.message ?? "", words);
      assert.match(error?.message ?? "", /GET without Last-Event-ID/, "it says what to do");
    };
    await refusedWith(other, here, 400, /of no stream of this session/);
    for (const unknown of [`${tag}-${stream}-99`, `${tag}-${stream}-0`, `${tag}-99-1`]) await refusedWith(mine, unknown, 400, /There was no event/);
    for (const malformed of ["1", "x-y-z", `${here}-1`, "%00", "9".repeat(5_000)]) await refusedWith(mine, malformed, 400, /is no event id of this server/);
    const resumed = await resume(fixture.url, mine, here);
    assert.equal(resumed.status, 200);
    await resumed.text();
    for (let more = 0; more < 16; more += 1) await (await post(fixture.url, streamed("echo"), mine)).text();
    // A stream counts as gone out a moment after the client has read it.
    await until(async () => (await resume(fixture.url, mine, here)).status === 410);
    await refusedWith(mine, here, 410, /went out whole some requests ago/);
    await fixture.stop();
  });

  test("after events that were thrown away", async () => {
    const work = gate();
    const fixture = await startHttp({ replay_bytes: 700 }, { tools: { work: work.handler } });
    const session = await openSession(fixture.url);
    const leaving = new AbortController();
    const first = await post(fixture.url, call("work", {}, 2, { progressToken: "p" }), session, leaving.signal);
    const seen = await readUntil(first, /"progress":1/, leaving);
    await (await post(fixture.url, streamed("echo", { much: "x".repeat(1_000) }, 3), session)).text();
    const response = await resume(fixture.url, session, idsIn(seen)[0] ?? "");
    assert.equal(response.status, 410);
    assert.match(await response.text(), /thrown away: at most 700 bytes are kept/);
    work.open();
    await fixture.stop();
  });

  test("where resuming is turned off, or the revision has none", async () => {
    for (const [replay_bytes, revision] of [
      [0, "2025-11-25"],
      [1_000, "2024-11-05"],
    ] as const) {
      const fixture = await startHttp({ replay_bytes });
      const session = await openSession(fixture.url, revision);
      assert.deepEqual(idsIn(await (await post(fixture.url, streamed("echo"), session)).text()), []);
      const response = await resume(fixture.url, session, "abc-1-1");
      assert.equal(response.status, 400);
      assert.match(await response.text(), /can't be resumed/);
      await fixture.stop();
    }
  });

  test("by the id of a stream of the same session other than that whose events follow", async () => {
    const work = gate();
    const fixture = await startHttp({}, { tools: { work: work.handler } });
    const session = await openSession(fixture.url);
    const leaving = [new AbortController(), new AbortController()] as const;
    const one = await readUntil(await post(fixture.url, call("work", {}, "one", { progressToken: 1 }), session, leaving[0].signal), /"progress":1/, leaving[0]);
    const two = await readUntil(await post(fixture.url, call("work", {}, "two", { progressToken: 2 }), session, leaving[1].signal), /"progress":1/, leaving[1]);
    work.open();
    const ofOne = await (await resume(fixture.url, session, idsIn(one).at(-1) ?? "")).text();
    const ofTwo = await (await resume(fixture.url, session, idsIn(two).at(-1) ?? "")).text();
    assert.ok(ofOne.includes('"id":"one"') && !ofOne.includes('"id":"two"') && !ofOne.includes('"progressToken":2'));
    assert.ok(ofTwo.includes('"id":"two"') && !ofTwo.includes('"id":"one"') && !ofTwo.includes('"progressToken":1'));
    await fixture.stop();
  });
});

test("ctx.closeStream lets the stream go with a hint when to come back, and the answer waits", async () => {
  const work = gate();
  const fixture = await startHttp(
    {},
    {
      tools: {
        work: (args: object, ctx) => {
          ctx.closeStream();
          return work.handler(args, ctx);
        },
      },
    },
  );
  const session = await openSession(fixture.url);
  const text = await (await post(fixture.url, call("work"), session)).text();
  assert.match(text, /^retry: \d+$/m);
  assert.doesNotMatch(text, /worked/);
  work.open();
  assert.match(await (await resume(fixture.url, session, idsIn(text)[0] ?? "")).text(), /"worked":true/);
  await fixture.stop();
});

test("the store keeps no more bytes than it may, throws the oldest away first, and lets streams and all go", async () => {
  const store = new ReplayStore(2_000);
  const ids: string[] = [];
  for (let n = 0; n < 50; n += 1) ids.push(await store.storeEvent(n % 2 === 0 ? "a" : "b", { jsonrpc: "2.0", method: "x", params: { n } }));
  assert.ok(store.bytes <= 2_000 && store.bytes > 1_500);
  assert.equal(store.refusal(ids[0] ?? "")?.status, 410);
  assert.equal(store.refusal(ids[49] ?? ""), undefined);
  const replayed: string[] = [];
  const stream = await store.replayEventsAfter(ids[45] ?? "", { send: async (id) => void replayed.push(id) });
  assert.equal(stream, "b");
  assert.deepEqual(replayed, [ids[47], ids[49]]);
  await store.storeEvent("a", { jsonrpc: "2.0", method: "x", params: { much: "x".repeat(3_000) } });
  assert.equal(store.bytes, 0, "one that is too large alone isn't kept");
  await store.storeEvent("b", { jsonrpc: "2.0", method: "x" });
  store.free("b");
  assert.equal(store.bytes, 0);
});
