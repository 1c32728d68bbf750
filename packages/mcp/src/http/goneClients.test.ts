import assert from "node:assert/strict";
import { connect } from "node:net";
import { after, before, describe, test } from "node:test";
import { aborted, waiting } from "../../test/fixtureTools.js";
import { answerIn, type HttpFixture, openSession, post, postModern, startHttp } from "../../test/httpFixture.js";
import { until } from "../../test/until.js";

const call = (name: string, args: unknown = {}, id: unknown = 2): unknown => ({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } });

describe("a client that goes away mid-call aborts the call", () => {
  let fixture: HttpFixture;
  before(async () => {
    fixture = await startHttp({ replay_bytes: 0 });
  });
  after(() => fixture.stop());

  test("in a session of the older era", async () => {
    const session = await openSession(fixture.url);
    const leaving = new AbortController();
    const answer = await post(fixture.url, call("wait", { name: "left the session" }), session, leaving.signal);
    leaving.abort();
    await assert.rejects(answer.text());
    await until(() => aborted.includes("left the session"));
    assert.ok((await answerIn(await post(fixture.url, call("echo"), session))).result);
  });

  test("in revision 2026-07-28", async () => {
    const leaving = new AbortController();
    const answer = postModern(fixture.url, "tools/call", { name: "wait", arguments: { name: "left the request" } }, leaving.signal);
    const left = assert.rejects(answer);
    await until(() => waiting.includes("left the request"));
    leaving.abort();
    await left;
    await until(() => aborted.includes("left the request"));
  });

  test("while it still sends", async () => {
    const socket = connect(fixture.port, "127.0.0.1");
    let received = "";
    socket.on("data", (chunk) => {
      received += chunk;
    });
    // With Expect the server says that it has begun to read.
    socket.write(`POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nExpect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"json`);
    await until(() => received.includes("100 Continue"));
    socket.destroy();
    await until(() => socket.closed);
    assert.equal((await fetch(`${fixture.url}/healthz`)).status, 200);
    assert.deepEqual(fixture.errors, []);
  });

  test("a call that is cancelled in a session gives its stream back", async () => {
    const session = await openSession(fixture.url);
    const answer = await post(fixture.url, call("wait", { name: "stream ends" }), session);
    const cancel = await post(fixture.url, { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 2 } }, session);
    assert.equal(cancel.status, 202);
    assert.equal(await answer.text(), "");
    await until(() => aborted.includes("stream ends"));
  });
});
