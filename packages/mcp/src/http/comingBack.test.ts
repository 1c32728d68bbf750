import assert from "node:assert/strict";
import { test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { type EventStream, readEvents } from "../../test/eventStream.js";
import { fixtureKernel, waiting } from "../../test/fixtureTools.js";
import { answerIn, type HttpFixture, openSession, post, startHttp } from "../../test/httpFixture.js";
import { until } from "../../test/until.js";
import { watchedResources } from "../../test/watchedResources.js";
import { createFetchHandler } from "./createFetchHandler.js";

type Session = Record<string, string>;

const call = (name: string, args: unknown = {}, id: unknown = 2): unknown => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: args, _meta: { progressToken: `p${id}` } },
});
const get = (fixture: HttpFixture, session: Session, lastEventId?: string, signal?: AbortSignal): Promise<Response> =>
  fetch(`${fixture.url}/mcp`, {
    headers: { ...session, accept: "text/event-stream", ...(lastEventId !== undefined && { "last-event-id": lastEventId }) },
    ...(signal && { signal }),
  });
const lastId = ({ events }: EventStream): string => events.findLast(({ id }) => id !== undefined)?.id ?? "";
const told = (stream: EventStream): unknown[] => stream.messages("notifications/progress").map(({ params }) => params?.["message"]);

/** A tool that goes on step by step, as the test says. */
function stepped(): { step(text: string): void; tool(args: unknown, ctx: { progress(done: number, total?: number, text?: string): void }): Promise<object> } {
  const texts: string[] = [];
  return {
    step: (text) => void texts.push(text),
    tool: async (_args, ctx) => {
      for (let done = 0; ; done += 1) {
        await until(() => texts.length > done);
        if (texts[done] === "end") return { done };
        ctx.progress(done + 1, undefined, texts[done]);
      }
    },
  };
}

test("a client that comes back takes over from a connection that the server still thinks is open", async () => {
  const { step, tool } = stepped();
  const fixture = await startHttp({}, { tools: { stepped: tool } });
  const session = await openSession(fixture.url);
  const first = readEvents(await post(fixture.url, call("stepped"), session));
  step("a");
  await first.until(() => told(first).length === 1);
  const second = readEvents(await get(fixture, session, lastId(first)));
  await first.end();
  step("b");
  step("end");
  await second.end();
  assert.deepEqual([told(first), told(second)], [["a"], ["b"]], "each message goes to one connection");
  assert.deepEqual(second.events.at(-1)?.message?.result?.["structuredContent"], { done: 2 });
  await fixture.stop();
});

test("a client that comes back to the stream of its session gets the changes that it missed, and a reload in the midst is one of them", async () => {
  const watched = watchedResources();
  const { step, tool } = stepped();
  const fixture = await startHttp({}, { plugins: [watched.plugin()], tools: { stepped: tool } });
  const session = await openSession(fixture.url);
  const leaving = new AbortController();
  const first = readEvents(await get(fixture, session, undefined, leaving.signal));
  await (await post(fixture.url, { jsonrpc: "2.0", id: 5, method: "resources/subscribe", params: { uri: "test://counter" } }, session)).text();
  watched.counter.change();
  await first.until(() => first.events.length === 1);
  const away = new AbortController();
  const calling = readEvents(await post(fixture.url, call("stepped", {}, 6), session, away.signal));
  step("a");
  await calling.until(() => told(calling).length === 1);
  leaving.abort();
  away.abort();
  await Promise.all([first.end(), calling.end()]);
  watched.counter.change();
  fixture.bench.memory.add("more", { handler: () => ({}) });
  assert.ok((await fixture.bench.kernel.reload()).swapped);
  step("b");
  step("end");
  const second = readEvents(await get(fixture, session, lastId(first)));
  await second.until(() => second.events.length === 2);
  watched.counter.change();
  await second.until(() => second.events.length === 3);
  const methods = second.events.map(({ message }) => message?.method);
  assert.deepEqual(methods, ["notifications/resources/updated", "notifications/tools/list_changed", "notifications/resources/updated"]);
  const answer = readEvents(await get(fixture, session, lastId(calling)));
  await answer.end();
  assert.deepEqual(told(answer), ["b"]);
  assert.deepEqual(answer.events.at(-1)?.message?.result?.["structuredContent"], { done: 2 }, "the call ends on the handler that it began on");
  await fixture.stop();
});

test("a client that came back for an answer gets one also when the server shuts down", async () => {
  for (const late of [false, true]) {
    const fixture = await startHttp();
    const session = await openSession(fixture.url);
    const leaving = new AbortController();
    const first = readEvents(await post(fixture.url, late ? call("wait", { name: "came back" }) : call("pause", { ms: 300 }), session, leaving.signal));
    await first.until(() => first.events.length > 0);
    leaving.abort();
    await first.end();
    const second = await get(fixture, session, lastId(first));
    assert.equal(second.status, 200);
    const drainMs = late ? 50 : 5_000;
    await Promise.all([fixture.server.close({ drainMs }), fixture.bench.kernel.close({ drainMs })]);
    assert.match(JSON.stringify((await answerIn(second)).result), late ? /kernel\/closing/ : /"slept":300/);
  }
});

test("a client whose body is cancelled without its request, as web frameworks do, may come back too", async () => {
  const { step, tool } = stepped();
  const bench = await fixtureKernel({ tools: { stepped: tool } });
  const handler = createFetchHandler(bench.kernel);
  const ask = (method: string, headers: Session, body?: unknown): Promise<Response> =>
    handler.fetch(
      new Request("http://localhost/mcp", {
        method,
        headers: { accept: "application/json, text/event-stream", "content-type": "application/json", ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    );
  const hello = await ask(
    "POST",
    {},
    { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } } },
  );
  const session = { "mcp-session-id": hello.headers.get("mcp-session-id") ?? "", "mcp-protocol-version": "2025-11-25" };
  const reader = (await ask("POST", session, call("stepped"))).body?.getReader();
  const priming = new TextDecoder().decode((await reader?.read())?.value);
  await reader?.cancel();
  step("missed");
  step("end");
  const second = readEvents(await ask("GET", { ...session, "last-event-id": /^id: (.*)$/m.exec(priming)?.[1] ?? "" }));
  await second.end();
  assert.deepEqual(told(second), ["missed"]);
  await handler.close({ drainMs: 0 });
  await bench.kernel.close({ drainMs: 0 });
});

test("a client that opens the stream of its session again takes over from the one that the server still thinks is open", async () => {
  const watched = watchedResources();
  const fixture = await startHttp({}, { plugins: [watched.plugin()] });
  const session = await openSession(fixture.url);
  const first = readEvents(await get(fixture, session));
  await (await post(fixture.url, { jsonrpc: "2.0", id: 5, method: "resources/subscribe", params: { uri: "test://counter" } }, session)).text();
  const response = await get(fixture, session);
  assert.equal(response.status, 200);
  const second = readEvents(response);
  await first.end();
  watched.counter.change();
  await second.until(() => second.events.length === 1);
  assert.deepEqual(first.events, []);
  await fixture.stop();
});

test("a cancelled call ends its stream with a result, so that clients of SDK 1.x don't come back for one", async () => {
  const fixture = await startHttp();
  const methods: string[] = [];
  const transport = new StreamableHTTPClientTransport(new URL(`${fixture.url}/mcp`), {
    fetch: async (url, init) => {
      if (new Headers(init?.headers).has("last-event-id")) methods.push("came back");
      return fetch(url, init);
    },
  });
  const client = new Client({ name: "t", version: "1" });
  const errors: string[] = [];
  client.onerror = (error) => errors.push(error.message);
  await client.connect(transport as Transport);
  const giveUp = new AbortController();
  const calling = client.callTool({ name: "wait", arguments: { name: "cancelled by 1.x" } }, undefined, { signal: giveUp.signal });
  await until(() => waiting.includes("cancelled by 1.x"));
  giveUp.abort();
  await assert.rejects(calling);
  await until(() => errors.length > 0);
  assert.match(errors[0] ?? "", /unknown message ID.*It may have taken effect/);
  assert.deepEqual(methods, []);
  await client.close();
  await fixture.stop();
});
