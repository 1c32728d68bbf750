import assert from "node:assert/strict";
import { connect } from "node:net";
import { describe, test } from "node:test";
import { aborted } from "../../test/fixtureTools.js";
import { answerIn, JSON_HEADERS, openSession, post, postModern, startHttp } from "../../test/httpFixture.js";
import { until } from "../../test/until.js";

const call = (name: string, args: unknown = {}, id: unknown = 2): unknown => ({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } });

describe("the end", () => {
  test("lets the calls in flight end, refuses new ones, and ends sessions and streams", async () => {
    const fixture = await startHttp();
    const session = await openSession(fixture.url);
    const stream = await fetch(`${fixture.url}/mcp`, { headers: { ...session, accept: "text/event-stream" } });
    const old = post(fixture.url, call("pause", { ms: 400 }), session);
    const modern = postModern(fixture.url, "tools/call", { name: "pause", arguments: { ms: 400 } });
    await new Promise((resolve) => setTimeout(resolve, 100));
    const start = Date.now();
    const closing = fixture.server.close();
    await assert.rejects(fetch(`${fixture.url}/healthz`), "it still listens");
    assert.deepEqual((await answerIn(await old)).result?.["structuredContent"], { slept: 400 });
    assert.deepEqual((await answerIn(await modern)).result?.["structuredContent"], { slept: 400 });
    assert.equal(await stream.text(), "");
    await closing;
    assert.ok(Date.now() - start < 1_500);
    await fixture.bench.kernel.close();
  });

  test("refuses a call that arrives whole only while it ends, with 503", async () => {
    const fixture = await startHttp();
    const session = await openSession(fixture.url);
    const socket = connect(fixture.port, "127.0.0.1");
    let received = "";
    socket.on("data", (chunk) => {
      received += chunk;
    });
    const body = JSON.stringify(call("echo", {}, 3));
    socket.write(
      `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nMcp-Session-Id: ${session["mcp-session-id"]}\r\nContent-Type: application/json\r\nAccept: ${JSON_HEADERS.accept}\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
    );
    const holding = postModern(fixture.url, "tools/call", { name: "pause", arguments: { ms: 500 } });
    await new Promise((resolve) => setTimeout(resolve, 100));
    const closing = fixture.server.close();
    socket.write(body.slice(10));
    await until(() => received.includes("shutting down"));
    assert.match(received, /^HTTP\/1\.1 503/);
    assert.match(received, /retry-after: 1/i);
    assert.equal((await holding).status, 200);
    await closing;
    await fixture.bench.kernel.close();
  });

  test("aborts what takes longer than it may", async () => {
    const fixture = await startHttp();
    const left = postModern(fixture.url, "tools/call", { name: "wait", arguments: { name: "drained away" } }).catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 100));
    const start = Date.now();
    await fixture.server.close({ drainMs: 100 });
    assert.ok(Date.now() - start < 1_500);
    await until(() => aborted.includes("drained away"));
    await left;
    await fixture.bench.kernel.close();
  });
});
