import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { definePlugin } from "@fettle/contract";
import { aborted } from "../../test/fixtureTools.js";
import { answerIn, INITIALIZE, openSession, post, startHttp } from "../../test/httpFixture.js";
import { until } from "../../test/until.js";

const call = (name: string, args: unknown = {}, id: unknown = 2): unknown => ({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } });

/** Waits until a session that goes idle after 1,000 ms has: to ask would keep it up. Its timer is of this process, so it comes before this one's. */
const idled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 2_500));

describe("sessions of the older era", () => {
  test("end when they were idle for session_idle_ms, but not while a stream is open", async () => {
    const fixture = await startHttp({ session_idle_ms: 1_000 });
    const idle = await openSession(fixture.url);
    const listening = await openSession(fixture.url);
    const leaving = new AbortController();
    const stream = await fetch(`${fixture.url}/mcp`, { headers: { ...listening, accept: "text/event-stream" }, signal: leaving.signal });
    assert.equal(stream.status, 200);
    await idled();
    assert.equal((await post(fixture.url, call("echo"), idle)).status, 404);
    assert.ok((await answerIn(await post(fixture.url, call("echo"), listening))).result);
    leaving.abort();
    await idled();
    assert.equal((await post(fixture.url, call("echo"), listening)).status, 404);
    await fixture.stop();
  });

  test("a client whose stream broke may open another at once", async () => {
    const fixture = await startHttp();
    const session = await openSession(fixture.url);
    for (let round = 0; round < 3; round += 1) {
      const leaving = new AbortController();
      const stream = await fetch(`${fixture.url}/mcp`, { headers: { ...session, accept: "text/event-stream" }, signal: leaving.signal });
      assert.equal(stream.status, 200);
      leaving.abort();
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await fixture.stop();
  });

  test("beyond max_sessions the one that was idle longest makes room; where all are in use, a new one is refused", async () => {
    const fixture = await startHttp({ max_sessions: 2 });
    const first = await openSession(fixture.url);
    const second = await openSession(fixture.url);
    await (await post(fixture.url, call("echo"), first)).text();
    const third = await openSession(fixture.url);
    assert.equal((await post(fixture.url, call("echo"), second)).status, 404);
    const busy = [await post(fixture.url, call("wait", { name: "busy 1" }), first), await post(fixture.url, call("wait", { name: "busy 2" }), third)];
    const refused = await post(fixture.url, INITIALIZE);
    assert.equal(refused.status, 503);
    assert.match((await answerIn(refused)).error?.message ?? "", /All 2 sessions/);
    await fixture.stop();
    for (const response of busy) await response.text();
  });

  test("refuse a request whose id is taken by one in flight, which is still answered, and then go idle", async () => {
    const fixture = await startHttp({ session_idle_ms: 1_000 });
    const session = await openSession(fixture.url);
    const first = await post(fixture.url, call("pause", { ms: 200 }, 7), session);
    const second = await post(fixture.url, call("echo", {}, 7), session);
    assert.equal(second.status, 400);
    assert.deepEqual(await second.json(), {
      jsonrpc: "2.0",
      id: 7,
      error: { code: -32600, message: "The id 7 is taken by a request that waits for its answer. Send this one again under another id." },
    });
    // A number and a text are two ids.
    assert.ok((await answerIn(await post(fixture.url, call("echo", {}, "7"), session))).result);
    assert.deepEqual((await answerIn(first)).result?.["structuredContent"], { slept: 200 });
    assert.ok((await answerIn(await post(fixture.url, call("echo", {}, 7), session))).result, "an id is free again once it is answered");
    await idled();
    assert.equal((await post(fixture.url, call("echo"), session)).status, 404, "the session never went idle");
    await fixture.stop();
  });

  test("free the id of a request that was cancelled, or whose client went away", async () => {
    const fixture = await startHttp({ replay_bytes: 0 });
    const session = await openSession(fixture.url);
    const cancelled = await post(fixture.url, call("wait", { name: "freed by cancelling" }, 5), session);
    await post(fixture.url, { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 5 } }, session);
    assert.equal(await cancelled.text(), "");
    assert.ok((await answerIn(await post(fixture.url, call("echo", {}, 5), session))).result);
    const leaving = new AbortController();
    await post(fixture.url, call("wait", { name: "freed by leaving" }, 6), session, leaving.signal);
    leaving.abort();
    await until(() => aborted.includes("freed by leaving"));
    assert.ok((await answerIn(await post(fixture.url, call("echo", {}, 6), session))).result);
    await fixture.stop();
  });

  test("answer the others of a batch when one of it is cancelled", async () => {
    const fixture = await startHttp();
    const session = await openSession(fixture.url, "2025-03-26");
    const batch = await post(fixture.url, [call("wait", { name: "cancelled in a batch" }, 2), call("pause", { ms: 300 }, 3)], session);
    await post(fixture.url, { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 2 } }, session);
    const text = await batch.text();
    assert.match(text, /"id":2,.*kernel\/cancelled/);
    assert.match(text, /"slept":300/);
    await fixture.stop();
  });

  test("that are ended mid-call answer the call before its stream ends", async () => {
    const fixture = await startHttp();
    const session = await openSession(fixture.url);
    const answer = await post(fixture.url, call("wait", { name: "session deleted" }, 4), session);
    const wrong = await fetch(`${fixture.url}/mcp`, { method: "DELETE", headers: { ...session, "mcp-protocol-version": "1999-01-01" } });
    assert.equal(wrong.status, 400, "a refused DELETE ends nothing");
    assert.equal((await fetch(`${fixture.url}/mcp`, { method: "DELETE", headers: session })).status, 200);
    const { result } = await answerIn(answer);
    assert.equal(result?.["isError"], true);
    assert.match(JSON.stringify(result), /The session was ended before wait ended\. It may have taken effect/);
    assert.match(JSON.stringify(result?.["_meta"]), /"error_code":"kernel\/cancelled"/);
    await until(() => aborted.includes("session deleted"));
    await fixture.stop();
  });

  test("say in words what a request lacks that isn't for them", async () => {
    const fixture = await startHttp();
    const session = await openSession(fixture.url);
    const said = async (response: Response, status: number): Promise<string> => {
      assert.equal(response.status, status);
      return (await answerIn(response)).error?.message ?? "";
    };
    assert.match(await said(await post(fixture.url, INITIALIZE, session), 400), /This session is open already.*Leave the Mcp-Session-Id header out/);
    const future = { ...session, "mcp-protocol-version": "1999-01-01" };
    assert.match(
      await said(await post(fixture.url, { jsonrpc: "2.0", method: "notifications/initialized" }, future), 400),
      /served are 2025-11-25, .*2024-11-05/,
    );
    assert.match(
      await said(await post(fixture.url, call("echo"), { ...session, accept: "application/json" }), 406),
      /send Accept: application\/json, text\/event-stream/,
    );
    assert.match(await said(await post(fixture.url, INITIALIZE, { accept: "application/json" }), 406), /The Accept header of a POST must name both/);
    const plain = await fetch(`${fixture.url}/mcp`, { headers: { ...session, accept: "application/json" } });
    assert.match(await said(plain, 406), /send Accept: text\/event-stream/);
    await fixture.stop();
  });

  test("serve again once what kept their server from being made is mended", async () => {
    let broken = false;
    const prompt = {
      name: "p",
      get: () => ({ messages: [] }),
      get complete(): undefined {
        if (broken) throw new Error("not now");
        return undefined;
      },
    };
    const plugin = definePlugin({ name: "p", options: {}, create: () => ({ name: "p", position: "observe", setup: () => ({ prompts: [prompt] }) }) });
    const fixture = await startHttp({}, { plugins: [plugin()] });
    const session = await openSession(fixture.url);
    const setLevel = { jsonrpc: "2.0", id: 2, method: "logging/setLevel", params: { level: "info" } };
    broken = true;
    assert.equal((await post(fixture.url, setLevel, session)).status, 500);
    broken = false;
    assert.ok((await answerIn(await post(fixture.url, setLevel, session))).result);
    await fixture.stop();
  });

  test("end with DELETE", async () => {
    const fixture = await startHttp();
    const session = await openSession(fixture.url);
    assert.equal((await fetch(`${fixture.url}/mcp`, { method: "DELETE", headers: session })).status, 200);
    assert.equal((await post(fixture.url, call("echo"), session)).status, 404);
    await fixture.stop();
  });

  test("take batches only in the revisions that have them", async () => {
    const fixture = await startHttp();
    const batch = [call("echo", { a: 1 }, 2), call("echo", { a: 2 }, 3)];
    const old = await openSession(fixture.url, "2025-03-26");
    const text = await (await post(fixture.url, batch, old)).text();
    assert.match(text, /"id":2/);
    assert.match(text, /"id":3/);
    const broken = await post(fixture.url, [call("echo", "text")], old);
    assert.equal(broken.status, 400);
    assert.equal((await answerIn(broken)).error?.code, -32602);
    const session = await openSession(fixture.url, "2025-06-18");
    const refused = await post(fixture.url, batch, session);
    assert.equal(refused.status, 400);
    assert.match((await answerIn(refused)).error?.message ?? "", /batch is not taken here/);
    const without = await post(fixture.url, batch);
    assert.equal(without.status, 400);
    await fixture.stop();
  });

  test("take params.idempotencyKey as well as the _meta key", async () => {
    const fixture = await startHttp();
    const session = await openSession(fixture.url);
    const message = { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "seen", idempotencyKey: "alias" } };
    const { result } = await answerIn(await post(fixture.url, message, session));
    const seen = result?.["structuredContent"];
    assert.equal(typeof seen === "object" && seen !== null && "key" in seen && seen.key, "alias");
    await fixture.stop();
  });

  test("hear debug lines only after they asked, and learn which levels there are", async () => {
    const fixture = await startHttp();
    const session = await openSession(fixture.url);
    assert.doesNotMatch(await (await post(fixture.url, call("logs"), session)).text(), /for debugging/);
    const level = (name: string): Promise<Response> =>
      post(fixture.url, { jsonrpc: "2.0", id: 3, method: "logging/setLevel", params: { level: name } }, session);
    assert.match((await answerIn(await level("loud"))).error?.message ?? "", /debug, info, notice/);
    await (await level("debug")).text();
    assert.match(await (await post(fixture.url, call("logs"), session)).text(), /for debugging/);
    await (await level("error")).text();
    assert.doesNotMatch(await (await post(fixture.url, call("logs"), session)).text(), /a warning/);
    await fixture.stop();
  });
});
