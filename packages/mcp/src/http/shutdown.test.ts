import assert from "node:assert/strict";
import { connect } from "node:net";
import { describe, test } from "node:test";
import { definePlugin } from "@fettle/contract";
import { CLIENTS, connect as connectClient } from "../../test/connectClients.js";
import { aborted, waiting } from "../../test/fixtureTools.js";
import { answerIn, INITIALIZE, JSON_HEADERS, openSession, post, postModern, startHttp } from "../../test/httpFixture.js";
import { until } from "../../test/until.js";

const call = (name: string, args: unknown = {}, id: unknown = 2): unknown => ({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } });

/** A tool whose work a test ends. */
function gate(): { open(): void; begun(calls: number): Promise<void>; readonly handler: () => Promise<object> } {
  let calls = 0;
  let open: () => void = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return {
    open: () => open(),
    begun: (wanted) => until(() => calls === wanted),
    handler: async () => {
      calls += 1;
      await opened;
      return { worked: true };
    },
  };
}

describe("the end", () => {
  test("lets the calls in flight end, refuses new ones, and ends sessions and streams", async () => {
    const work = gate();
    const fixture = await startHttp({}, { tools: { work: work.handler } });
    const session = await openSession(fixture.url);
    const stream = await fetch(`${fixture.url}/mcp`, { headers: { ...session, accept: "text/event-stream" } });
    const old = post(fixture.url, call("work"), session);
    const modern = postModern(fixture.url, "tools/call", { name: "work", arguments: {} });
    await work.begun(2);
    const start = Date.now();
    const closing = fixture.server.close();
    await assert.rejects(fetch(`${fixture.url}/healthz`), "it still listens");
    work.open();
    assert.deepEqual((await answerIn(await old)).result?.["structuredContent"], { worked: true });
    assert.deepEqual((await answerIn(await modern)).result?.["structuredContent"], { worked: true });
    assert.equal(await stream.text(), "");
    await closing;
    assert.ok(Date.now() - start < 6_000, "it didn't wait for the drain's end, after 8 s");
    await fixture.bench.kernel.close();
  });

  test("refuses a call that arrives whole only while it ends, with 503", async () => {
    const work = gate();
    const fixture = await startHttp({}, { tools: { work: work.handler } });
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
    const holding = postModern(fixture.url, "tools/call", { name: "work", arguments: {} });
    await work.begun(1);
    const closing = fixture.server.close();
    socket.write(body.slice(10));
    await until(() => received.includes("shutting down"));
    work.open();
    assert.match(received, /^HTTP\/1\.1 503/);
    assert.match(received, /retry-after: 1/i);
    assert.equal((await holding).status, 200);
    await closing;
    await fixture.bench.kernel.close();
  });

  test("aborts what takes longer than it may", async () => {
    const fixture = await startHttp();
    const left = postModern(fixture.url, "tools/call", { name: "wait", arguments: { name: "drained away" } }).catch(() => {});
    await until(() => waiting.includes("drained away"));
    const start = Date.now();
    await fixture.server.close({ drainMs: 100 });
    assert.ok(Date.now() - start < 30_000);
    await until(() => aborted.includes("drained away"));
    await left;
    await fixture.bench.kernel.close();
  });
});

describe("what is still in flight when the drain ends is answered before its stream ends", () => {
  for (const name of CLIENTS) {
    for (const tool of ["wait", "hang"]) {
      test(`${name} hears of ${tool} that the server shut down`, async () => {
        waiting.length = 0;
        const fixture = await startHttp();
        const client = await connectClient(name, "http", fixture.url);
        const call = client.call(tool, { name: `${name} shut down` });
        await until(() => waiting.includes(`${name} shut down`));
        const start = Date.now();
        await Promise.all([fixture.server.close({ drainMs: 200 }), fixture.bench.kernel.close({ drainMs: 200 })]);
        const took = Date.now() - start;
        const { isError, content, _meta } = await call;
        assert.equal(isError, true);
        assert.match(JSON.stringify(_meta?.["dev.fettle/error"]), /"error_code":"kernel\/closing"/);
        assert.match(content[0]?.text ?? "", new RegExp(`^The server shut down before ${tool} ended`));
        assert.ok(took >= 190 && took < 30_000, `it took ${took} ms`);
        if (tool === "wait") await until(() => aborted.includes(`${name} shut down`));
        await client.close();
      });
    }

    test(`${name} hears so too where only the transport is closed`, async () => {
      const fixture = await startHttp();
      const client = await connectClient(name, "http", fixture.url);
      const call = client.call("wait", { name: `${name} transport only` });
      await until(() => waiting.includes(`${name} transport only`));
      const start = Date.now();
      await fixture.server.close({ drainMs: 100 });
      assert.ok(Date.now() - start < 30_000);
      assert.match(JSON.stringify((await call)._meta), /"error_code":"kernel\/closing"/);
      await until(() => aborted.includes(`${name} transport only`));
      await client.close();
      await fixture.bench.kernel.close();
    });
  }

  test("a call that waits for its user, and a prompt that never comes", async () => {
    let asked = 0;
    const never = (): Promise<never> => {
      asked += 1;
      return new Promise(() => {});
    };
    const slow = definePlugin({
      name: "slow",
      options: {},
      create: () => ({ name: "slow", position: "observe" as const, setup: () => ({ prompts: [{ name: "never", get: never }] }) }),
    });
    const fixture = await startHttp({}, { plugins: [slow()] });
    const hello = await post(fixture.url, { ...INITIALIZE, params: { ...INITIALIZE.params, capabilities: { elicitation: {} } } });
    await hello.text();
    const session = { "mcp-session-id": hello.headers.get("mcp-session-id") ?? "", "mcp-protocol-version": "2025-11-25" };
    const asking = await post(fixture.url, call("confirm", {}, 2), session);
    const old = await post(fixture.url, { jsonrpc: "2.0", id: 3, method: "prompts/get", params: { name: "never" } }, session);
    const modern = postModern(fixture.url, "prompts/get", { name: "never" });
    await until(() => asked === 2);
    await Promise.all([fixture.server.close({ drainMs: 100 }), fixture.bench.kernel.close({ drainMs: 100 })]);
    assert.match(JSON.stringify((await answerIn(asking)).result?.["_meta"]), /"error_code":"kernel\/closing"/);
    for (const answer of [old, await modern]) {
      const { error } = await answerIn(answer);
      assert.deepEqual([error?.code, error?.message], [-32000, "The server shut down before prompts/get ended."]);
    }
  });
});
