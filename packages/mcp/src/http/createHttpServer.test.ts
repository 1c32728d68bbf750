import assert from "node:assert/strict";
import { request } from "node:http";
import { after, before, describe, test } from "node:test";
import { answerIn, type HttpFixture, INITIALIZE, JSON_HEADERS, openSession, post, postModern, rawExchange, startHttp } from "../../test/httpFixture.js";
import { createHttpServer } from "./createHttpServer.js";
import { ListenError } from "./listenError.js";

const call = (name: string, args: unknown = {}, id: unknown = 2): unknown => ({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } });

describe("bad input gets a clear error, and the server goes on", () => {
  let fixture: HttpFixture;
  before(async () => {
    fixture = await startHttp({ max_body_bytes: 10_000, headers_timeout_ms: 300, request_timeout_ms: 600 });
  });
  after(() => fixture.stop());

  const alive = async (): Promise<void> => {
    const { result } = await answerIn(await postModern(fixture.url, "tools/call", { name: "echo", arguments: { ok: 1 } }));
    assert.deepEqual(result?.["structuredContent"], { ok: 1 });
  };

  test("a body that is not JSON", async () => {
    for (const body of ["hello", "", '{"jsonrpc":"2.0",', Buffer.from([0xff, 0xfe, 0x7b]).toString("latin1")]) {
      const response = await post(fixture.url, body);
      assert.equal(response.status, 400);
      assert.equal((await answerIn(response)).error?.code, -32700);
    }
    await alive();
  });

  test("a body that is not UTF-8", async () => {
    const response = await fetch(`${fixture.url}/mcp`, {
      method: "POST",
      headers: JSON_HEADERS,
      body: Buffer.from('{"jsonrpc":"2.0","id":1,"method":"p\xff"}', "latin1"),
    });
    assert.equal(response.status, 400);
    assert.equal((await answerIn(response)).error?.code, -32700);
  });

  test("another content type", async () => {
    const response = await fetch(`${fixture.url}/mcp`, { method: "POST", headers: { accept: JSON_HEADERS.accept, "content-type": "text/plain" }, body: "{}" });
    assert.equal(response.status, 415);
    assert.match((await answerIn(response)).error?.message ?? "", /application\/json/);
  });

  test("another HTTP method", async () => {
    for (const method of ["PUT", "PATCH", "OPTIONS"]) {
      const response = await fetch(`${fixture.url}/mcp`, { method });
      assert.equal(response.status, 405);
      assert.equal(response.headers.get("allow"), "GET, POST, DELETE");
    }
    assert.match(await rawExchange(fixture.port, `TRACE /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`), /^HTTP\/1\.1 405/);
  });

  test("another address", async () => {
    const response = await fetch(`${fixture.url}/nowhere`);
    assert.equal(response.status, 404);
    assert.match((await answerIn(response)).error?.message ?? "", /\/mcp/);
    assert.match(await rawExchange(fixture.port, "GET http://[ HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"), /^HTTP\/1\.1 400/);
  });

  test("a body past the limit: refused by its length without reading it, and by count where no length is given", async () => {
    const head = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n`;
    const declared = await rawExchange(fixture.port, `${head}Content-Length: 104857600\r\n\r\n{"jsonrpc"`);
    assert.match(declared, /^HTTP\/1\.1 413/);
    assert.match(declared, /at most 10000 bytes/);
    const chunked = await rawExchange(fixture.port, `${head}Transfer-Encoding: chunked\r\n\r\n4000\r\n${"x".repeat(0x4000)}\r\n`);
    assert.match(chunked, /^HTTP\/1\.1 413/);
    await alive();
  });

  test("100 MB: the client that keeps on sending still gets to read the refusal", async () => {
    const status = await new Promise((resolve, reject) => {
      const sending = request(`${fixture.url}/mcp`, { method: "POST", headers: { ...JSON_HEADERS, "content-length": 104_857_600 } }, (response) =>
        resolve(response.statusCode),
      );
      sending.on("error", reject);
      const chunk = Buffer.alloc(65_536, "x");
      const more = (): void => {
        while (!sending.destroyed && sending.write(chunk));
        sending.once("drain", more);
      };
      more();
    });
    assert.equal(status, 413);
    await alive();
  });

  test("Expect: 100-continue past the limit is refused before the body is sent, and within it is let on", async () => {
    const head = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nConnection: close\r\n`;
    assert.match(await rawExchange(fixture.port, `${head}Content-Length: 20000\r\n\r\n`), /^HTTP\/1\.1 413/);
    assert.match(await rawExchange(fixture.port, `${head}Content-Length: 2\r\n\r\n[]`), /^HTTP\/1\.1 100 Continue/);
  });

  test("half a request: the slow one is given up on, the broken-off one answered", async () => {
    const head = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n`;
    assert.match(await rawExchange(fixture.port, `${head}{"jsonrpc"`), /^HTTP\/1\.1 408/);
    assert.match(await rawExchange(fixture.port, "POST /mcp HTTP/1.1\r\nHo"), /^HTTP\/1\.1 408/);
    assert.match(await rawExchange(fixture.port, `${head}{"jsonrpc"`, { end: true }), /^HTTP\/1\.1 400/);
    assert.match(await rawExchange(fixture.port, "rubbish\r\n\r\n"), /^HTTP\/1\.1 400/);
    await alive();
  });

  test("a JSON value that is no message", async () => {
    for (const [body, words] of [
      ["42", /object, not a number/],
      ["null", /object, not null/],
      ['"text"', /object, not a string/],
      ["[]", /batch/],
      ["[1]", /batch/],
      ['{"id":1}', /"2\.0"/],
    ] as const) {
      const response = await post(fixture.url, body);
      assert.equal(response.status, 400, body);
      const { error } = await answerIn(response);
      assert.equal(error?.code, -32600, body);
      assert.match(error?.message ?? "", words);
    }
  });

  test("an unknown method, in both eras", async () => {
    const session = await openSession(fixture.url);
    const inSession = async (method: string): Promise<{ code: number; message: string } | undefined> =>
      (await answerIn(await post(fixture.url, { jsonrpc: "2.0", id: 2, method }, session))).error;
    assert.deepEqual(await inSession("tools/destroy"), {
      code: -32601,
      message: "This server has no method tools/destroy. It serves tools/list, tools/call.",
    });
    assert.match((await inSession("server/discover"))?.message ?? "", /no method server\/discover in this protocol revision/);
    assert.match((await inSession("<b>".repeat(500)))?.message ?? "", /^This server has no such method\. It serves/);
    // The newer revision has no initialize.
    for (const method of ["tools/destroy", "initialize"]) {
      const modern = await postModern(fixture.url, method);
      assert.equal(modern.status, 404, method);
      const { error } = await answerIn(modern);
      assert.equal(error?.code, -32601, method);
      assert.match(
        error?.message ?? "",
        new RegExp(`This server has no method ${method}\\b.* It serves tools/list, tools/call, server/discover, subscriptions/listen\\.`),
      );
    }
  });

  test("a message that is no message, in our own words also in a session, beside a batch, and under the newer revision", async () => {
    const old = await openSession(fixture.url, "2025-03-26");
    const places = [old, await openSession(fixture.url), {}, { "mcp-protocol-version": "2026-07-28" }];
    const bodies = [
      "[]",
      "[1]",
      "[[]]",
      '{"jsonrpc":"2.0","result":{}}',
      '{"jsonrpc":"2.0","id":3,"method":"ping","extra":1}',
      '[{"jsonrpc":"2.0","result":{}}]',
    ];
    for (const headers of places) {
      for (const body of bodies) {
        const response = await post(fixture.url, body, headers);
        assert.equal(response.status, 400, body);
        const { error } = await answerIn(response);
        assert.equal(error?.code, -32600, body);
        assert.match(error?.message ?? "", /batch|JSON-RPC (answer|request)/, body);
        assert.doesNotMatch(error?.message ?? "", /Bad Request|Invalid Request/, body);
      }
    }
    for (const [batch, words] of [
      ["[]", /at least one message/],
      ["[1]", /^Message 1 of the batch: .*not a number/],
      ["[[]]", /^Message 1 of the batch: .*no other batch/],
      [JSON.stringify(Array.from({ length: 101 }, (_, id) => ({ jsonrpc: "2.0", id, method: "ping" }))), /at most 100 messages here; this one has 101/],
      [JSON.stringify([{ jsonrpc: "2.0", id: 1, method: "ping" }, INITIALIZE]), /initialize is sent on its own/],
      [JSON.stringify([call("echo", {}, 5), call("echo", {}, 5)]), /same id/],
    ] as const) {
      const { error } = await answerIn(await post(fixture.url, batch, old));
      assert.equal(error?.code, -32600, batch);
      assert.match(error?.message ?? "", words);
    }
    await alive();
  });

  test("Connection: close is honoured, also where the answer is a stream of events", async () => {
    const session = await openSession(fixture.url);
    const body = JSON.stringify({
      jsonrpc: "2.0",
      id: 2,
      method: "tools/call",
      params: { name: "echo", arguments: { a: 1 }, _meta: { "io.modelcontextprotocol/streamed": true } },
    });
    const head = (connection: string): string =>
      `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nMcp-Session-Id: ${session["mcp-session-id"]}\r\nContent-Type: application/json\r\nAccept: ${JSON_HEADERS.accept}\r\nConnection: ${connection}\r\nContent-Length: ${body.length}\r\n\r\n`;
    const closed = await rawExchange(fixture.port, head("close") + body);
    assert.match(closed, /content-type: text\/event-stream/i);
    assert.match(closed, /^connection: close\r$/im);
    assert.doesNotMatch(closed, /keep-alive/i);
    assert.match(closed, /"a":1/);
    assert.match(await rawExchange(fixture.port, head("keep-alive") + body, { enough: /"a":1/ }), /^connection: keep-alive\r$/im);
  });

  test("an unknown protocol version, in the handshake, in a session and in a request of the new era", async () => {
    const handshake = await post(fixture.url, { ...INITIALIZE, params: { ...INITIALIZE.params, protocolVersion: "1999-01-01" } });
    assert.equal((await answerIn(handshake)).result?.["protocolVersion"], "2025-11-25");
    const session = await openSession(fixture.url);
    const inSession = await post(fixture.url, call("echo"), { ...session, "mcp-protocol-version": "1999-01-01" });
    assert.equal(inSession.status, 400);
    assert.match((await answerIn(inSession)).error?.message ?? "", /names no revision that has sessions here\. Send the one that initialize was answered with/);
    const meta = { "io.modelcontextprotocol/protocolVersion": "2099-01-01", "io.modelcontextprotocol/clientCapabilities": {} };
    const modern = await post(
      fixture.url,
      { jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: meta } },
      { "mcp-protocol-version": "2099-01-01", "mcp-method": "tools/list" },
    );
    assert.equal(modern.status, 400);
    const { error } = await answerIn(modern);
    assert.equal(error?.code, -32022);
    assert.match(error?.message ?? "", /doesn't speak the protocol revision that the request names\. Send it again under .*2026-07-28/);
  });

  test("arguments that are no object, in both eras", async () => {
    const words = /must be an object, got a string\. Send the JSON object itself/;
    const session = await openSession(fixture.url);
    const old = await answerIn(await post(fixture.url, call("echo", "{}"), session));
    assert.equal(old.error?.code, -32602);
    assert.match(old.error?.message ?? "", words);
    const modern = await answerIn(await postModern(fixture.url, "tools/call", { name: "echo", arguments: "{}" }));
    assert.match(modern.error?.message ?? "", words);
  });

  test("arguments nested past all measure", async () => {
    const deep = "[".repeat(4_000) + "]".repeat(4_000);
    const session = await openSession(fixture.url);
    const response = await post(fixture.url, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"text","arguments":{"a":${deep}}}}`, session);
    assert.ok(response.status < 500);
    await response.text();
    await alive();
  });

  test("a request without a session says how to get one, an unknown session that it is gone", async () => {
    const without = await post(fixture.url, call("echo"));
    assert.equal(without.status, 400);
    assert.match((await answerIn(without)).error?.message ?? "", /Send initialize first/);
    const gone = await post(fixture.url, call("echo"), { "mcp-session-id": "no-such" });
    assert.equal(gone.status, 404);
    assert.match((await answerIn(gone)).error?.message ?? "", /ended, or the server was restarted/);
    assert.equal((await fetch(`${fixture.url}/mcp`, { headers: { accept: "text/event-stream" } })).status, 400);
  });

  test("a handshake that the SDK refuses leaves no session", async () => {
    const response = await fetch(`${fixture.url}/mcp`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(INITIALIZE) });
    assert.equal(response.status, 406);
  });

  test("nothing that a client sent stands in the log", async () => {
    await postModern(fixture.url, "tools/call", { name: "unknown-tool-xyzzy" });
    const session = await openSession(fixture.url);
    await (await post(fixture.url, call("unknown-tool-xyzzy"), session)).text();
    const meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} };
    await post(
      fixture.url,
      { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "unknown-tool-xyzzy", _meta: meta } },
      { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call" },
    );
    assert.ok(fixture.errors.length > 0);
    assert.doesNotMatch(fixture.errors.join("\n"), /xyzzy/);
    assert.doesNotMatch(JSON.stringify(fixture.bench.logs), /xyzzy/);
  });
});

describe("listening", () => {
  test("a port in use gives a clear error", async () => {
    const fixture = await startHttp();
    const second = createHttpServer(fixture.bench.kernel);
    await assert.rejects(second.listen({ port: fixture.port }), (error) => {
      assert.ok(error instanceof ListenError);
      assert.equal(error.code, "mcp/port-in-use");
      assert.match(error.message, new RegExp(`Port ${fixture.port} on 127\\.0\\.0\\.1 is in use`));
      assert.match(error.hint, /listen\(\{ host, port \}\) in code/);
      return true;
    });
    await second.close();
    await fixture.stop();
  });

  test("a host that is no address of this machine, or a port that is none, gives a clear error", async () => {
    const fixture = await startHttp();
    const server = createHttpServer(fixture.bench.kernel);
    for (const port of [99_999, -1, 1.5]) {
      await assert.rejects(
        server.listen({ port }),
        (error) => error instanceof ListenError && error.code === "mcp/listen-failed" && /no port/.test(error.message),
      );
    }
    await assert.rejects(server.listen({ host: "203.0.113.7", port: 0 }), (error) => error instanceof ListenError && error.code === "mcp/address-unknown");
    await server.close();
    await fixture.stop();
  });

  test("all addresses are told by one that works, and IPv6 in brackets", async () => {
    const fixture = await startHttp();
    const everywhere = createHttpServer(fixture.bench.kernel);
    const { url } = await everywhere.listen({ host: "0.0.0.0", port: 0 });
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.equal((await fetch(`${url}/healthz`)).status, 200);
    await everywhere.close();
    await fixture.stop();
  });
});
