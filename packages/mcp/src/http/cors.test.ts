import assert from "node:assert/strict";
import { test } from "node:test";
import { INITIALIZE, JSON_HEADERS, startHttp } from "../../test/httpFixture.js";

test("a web page of an allowed origin may call and read the session's id; one of another may neither", async () => {
  const fixture = await startHttp({ allowed_origins: ["inspector.example"] });
  for (const origin of ["http://localhost:6274", "https://inspector.example"]) {
    const asked = await fetch(`${fixture.url}/mcp`, { method: "OPTIONS", headers: { origin, "access-control-request-method": "POST" } });
    assert.equal(asked.status, 204);
    assert.equal(asked.headers.get("access-control-allow-origin"), origin);
    assert.match(asked.headers.get("access-control-allow-headers") ?? "", /Mcp-Session-Id/);
    const opened = await fetch(`${fixture.url}/mcp`, { method: "POST", headers: { ...JSON_HEADERS, origin }, body: JSON.stringify(INITIALIZE) });
    await opened.text();
    assert.equal(opened.headers.get("access-control-allow-origin"), origin);
    assert.match(opened.headers.get("access-control-expose-headers") ?? "", /Mcp-Session-Id/);
    assert.equal(opened.headers.get("access-control-allow-credentials"), null);
  }
  const foreign = await fetch(`${fixture.url}/mcp`, {
    method: "OPTIONS",
    headers: { origin: "https://evil.example", "access-control-request-method": "POST" },
  });
  assert.equal(foreign.status, 403);
  assert.equal(foreign.headers.get("access-control-allow-origin"), null);
  const plain = await fetch(`${fixture.url}/mcp`, { method: "OPTIONS" });
  assert.equal(plain.status, 405, "without an origin it is no question of a browser");
  await fixture.stop();
});

test("a web page may send the arguments of tools that go in headers, and no other headers", async () => {
  const fixture = await startHttp();
  const asked = await fetch(`${fixture.url}/mcp`, {
    method: "OPTIONS",
    headers: {
      origin: "http://localhost:6274",
      "access-control-request-method": "POST",
      "access-control-request-headers": "content-type,mcp-param-region,x-other, mcp-param-,mcp-param-b c",
    },
  });
  const allowed = (asked.headers.get("access-control-allow-headers") ?? "").split(", ");
  assert.ok(allowed.includes("mcp-param-region"));
  assert.ok(allowed.includes("Content-Type"));
  for (const other of ["x-other", "mcp-param-", "mcp-param-b c"]) assert.ok(!allowed.includes(other), other);
  assert.match(asked.headers.get("vary") ?? "", /Access-Control-Request-Headers/);
  await fixture.stop();
});
