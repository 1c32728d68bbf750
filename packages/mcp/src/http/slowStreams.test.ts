import assert from "node:assert/strict";
import { connect, type Socket } from "node:net";
import { test } from "node:test";
import { type HttpFixture, openSession, post, startHttp } from "../../test/httpFixture.js";
import { until } from "../../test/until.js";
import { type WatchedResources, watchedResources } from "../../test/watchedResources.js";

const LONG = "x".repeat(64 * 1024);
const MODERN = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "t", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** Sends a request on a socket that never reads what comes back. */
function askWithoutReading(port: number, method: string, headers: Record<string, string>, message?: unknown): Socket {
  const body = message === undefined ? "" : JSON.stringify(message);
  const all = {
    host: "127.0.0.1",
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    ...headers,
    "content-length": body.length,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  socket.pause();
  socket.write(`${method} /mcp HTTP/1.1\r\n${lines.join("")}\r\n${body}`);
  return socket;
}

const modern = (port: number, method: string, params: object, name?: string): Socket => {
  const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": method, ...(name !== undefined && { "mcp-name": name }) };
  return askWithoutReading(port, "POST", headers, { jsonrpc: "2.0", id: 1, method, params });
};

interface Begun {
  readonly socket: Socket;
  /** Whether the server let it go. */
  gone(): Promise<boolean> | boolean;
}

/** Resources whose URIs together fill a stream: some 120 KB are sent when all change. */
const ITEMS = Array.from({ length: 60 }, (_, number) => `${number}-${"x".repeat(1_950)}`);
const URIS = ITEMS.map((item) => `test://item/${item}`);

const WAYS: Readonly<Record<string, (fixture: HttpFixture, watched: WatchedResources, ended: () => boolean) => Promise<Begun>>> = {
  "a call of 2026-07-28, which is cancelled": async ({ port }, _watched, ended) => ({
    socket: modern(port, "tools/call", { name: "flood", arguments: {}, _meta: { ...MODERN, progressToken: 1 } }, "flood"),
    gone: ended,
  }),
  "a stream of subscriptions of 2026-07-28, whose watch ends": async ({ port }, watched) => ({
    socket: modern(port, "subscriptions/listen", { notifications: { resourceSubscriptions: URIS }, _meta: MODERN }),
    gone: () => ITEMS.every((item) => watched.item(item).counts.live === 0),
  }),
  "the stream of a session, which may open another": async ({ url, port }, _watched) => {
    const session = await openSession(url);
    const socket = askWithoutReading(port, "GET", session);
    for (const uri of URIS) await (await post(url, { jsonrpc: "2.0", id: 2, method: "resources/subscribe", params: { uri } }, session)).text();
    return {
      socket,
      gone: async () => {
        const leaving = new AbortController();
        const { status } = await fetch(`${url}/mcp`, { headers: { ...session, accept: "text/event-stream" }, signal: leaving.signal });
        leaving.abort();
        return status === 200;
      },
    };
  },
};

for (const [way, begin] of Object.entries(WAYS)) {
  test(`a client that stops reading is let go with a line in the log, and memory stays bounded: ${way}`, async () => {
    const watched = watchedResources();
    let ended = false;
    let stop = false;
    const flood = async (
      _args: object,
      ctx: { progress(done: number, total?: number, text?: string): void; readonly signal: AbortSignal },
    ): Promise<object> => {
      for (let done = 1; !stop && !ctx.signal.aborted; done += 1) {
        ctx.progress(done, undefined, LONG);
        await new Promise((resolve) => setImmediate(resolve));
      }
      ended = ctx.signal.aborted;
      return {};
    };
    const fixture = await startHttp({}, { plugins: [watched.plugin()], tools: { flood } });
    const before = process.memoryUsage().rss;
    const { socket, gone } = await begin(fixture, watched, () => ended);
    await until(() => {
      for (const item of ITEMS) watched.item(item).change();
      return fixture.errors.some((text) => /has not read \d+ bytes/.test(text));
    }, 20_000);
    const grown = process.memoryUsage().rss - before;
    assert.ok(grown < 150 * 1024 * 1024, `${grown} bytes more are held`);
    await until(gone);
    stop = true;
    socket.destroy();
    await fixture.stop();
  });
}
