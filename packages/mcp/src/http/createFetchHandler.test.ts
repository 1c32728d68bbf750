import assert from "node:assert/strict";
import { test } from "node:test";
import { fixtureKernel } from "../../test/fixtureTools.js";
import { answerIn, INITIALIZE, JSON_HEADERS } from "../../test/httpFixture.js";
import { createFetchHandler } from "./createFetchHandler.js";

const post = (body: unknown, headers: Readonly<Record<string, string>> = {}): Request =>
  new Request("http://localhost:8080/mcp", {
    method: "POST",
    headers: { ...JSON_HEADERS, ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

test("a kernel is served by web-standard requests alone", async () => {
  const { kernel } = await fixtureKernel();
  const handler = createFetchHandler(kernel, { http: { max_body_bytes: 2_000 } });
  const opened = await handler.fetch(post(INITIALIZE));
  assert.equal((await answerIn(opened)).result?.["protocolVersion"], "2025-11-25");
  const session = { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" };
  const call = { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "echo", arguments: { a: 1 } } };
  assert.deepEqual((await answerIn(await handler.fetch(post(call, session)))).result?.["structuredContent"], { a: 1 });

  assert.equal((await handler.fetch(post("x".repeat(3_000)))).status, 413);
  assert.equal((await handler.fetch(post("{}", { "content-length": "5000" }))).status, 413);
  assert.equal((await handler.fetch(new Request("http://evil.example/mcp"))).status, 403);
  assert.equal((await handler.fetch(new Request("http://localhost/mcp", { method: "POST", headers: JSON_HEADERS }))).status, 400);
  assert.equal((await handler.fetch(new Request("http://localhost/healthz"))).status, 200);
  await handler.close();
  const late = await handler.fetch(post(INITIALIZE));
  assert.equal(late.status, 503);
  assert.equal((await handler.fetch(new Request("http://localhost/readyz"))).status, 503);
  await kernel.close();
});
