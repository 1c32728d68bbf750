import assert from "node:assert/strict";
import { connect, type Socket } from "node:net";
import { test } from "node:test";
import { openSession, post, startHttp } from "../../test/httpFixture.js";
import { until } from "../../test/until.js";

const TEXT = "x".repeat(64 * 1024);

/** Sends a call on a socket that never reads what comes back. */
function callWithoutReading(port: number, session: Record<string, string>): Socket {
  const params = { name: "flood", arguments: {}, _meta: { progressToken: 1 } };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/call", params });
  const headers = { ...session, host: "127.0.0.1", "content-type": "application/json", accept: "application/json, text/event-stream" };
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  socket.pause();
  const lines = Object.entries({ ...headers, "content-length": body.length }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST /mcp HTTP/1.1\r\n${lines.join("")}\r\n${body}`);
  return socket;
}

for (const replay_bytes of [0, 1_048_576]) {
  test(`a client that stops reading is let go, what it hasn't read is bounded, and the log says so (replay_bytes ${replay_bytes})`, async () => {
    let sent = 0;
    let stop = false;
    const flood = {
      handler: async (_args: object, ctx: { progress(done: number, total?: number, text?: string): void; readonly signal: AbortSignal }) => {
        while (!stop && !ctx.signal.aborted && sent < 2_000) {
          sent += 1;
          ctx.progress(sent, undefined, TEXT);
          await new Promise((resolve) => setImmediate(resolve));
        }
        return { sent };
      },
    };
    const fixture = await startHttp({ replay_bytes }, { tools: { flood } });
    const session = await openSession(fixture.url);
    const before = process.memoryUsage();
    const socket = callWithoutReading(fixture.port, session);
    await until(() => fixture.errors.some((text) => /has not read \d+ bytes/.test(text)));
    const after = process.memoryUsage();
    stop = true;
    assert.ok(after.rss - before.rss < 100 * 1024 * 1024, `${sent} messages of 64 KiB were sent, ${after.rss - before.rss} bytes more are held`);
    assert.equal((await post(fixture.url, { jsonrpc: "2.0", id: 3, method: "ping" }, session)).status, 200, "its session goes on");
    socket.destroy();
    await fixture.stop();
  });
}

test("a burst in one turn is no fault of a client that reads", async () => {
  const burst = {
    handler: (_args: object, ctx: { progress(done: number, total?: number, text?: string): void }) => {
      for (let sent = 1; sent <= 100; sent += 1) ctx.progress(sent, undefined, TEXT);
      return { sent: 100 };
    },
  };
  const fixture = await startHttp({}, { tools: { burst } });
  try {
    const session = await openSession(fixture.url);
    const params = { name: "burst", arguments: {}, _meta: { progressToken: 1 } };
    const text = await (await post(fixture.url, { jsonrpc: "2.0", id: 2, method: "tools/call", params }, session)).text();
    assert.match(text, /"structuredContent":\{"sent":100\}/);
    assert.deepEqual(fixture.errors, []);
  } finally {
    await fixture.stop();
  }
});
