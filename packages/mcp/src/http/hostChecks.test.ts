import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { definePlugin } from "@fettle/contract";
import { localhostAllowedHostnames, localhostAllowedOrigins, validateHostHeader, validateOriginHeader } from "@modelcontextprotocol/server";
import { type HttpFixture, postModern, rawExchange, startHttp } from "../../test/httpFixture.js";
import { HostChecks } from "./hostChecks.js";

/** Fully qualified, as some resolvers and clients write them. */
const DOTTED = ["localhost.", "localhost.:3000", "127.0.0.1.", "127.0.0.1.:3000", "mcp.example.com.:443"];

describe("headers", () => {
  let fixture: HttpFixture;
  before(async () => {
    fixture = await startHttp({ allowed_hosts: ["mcp.example.com"], allowed_origins: ["app.example.com"] });
  });
  after(() => fixture.stop());

  const ask = (host: string, path: string, more = ""): Promise<string> =>
    rawExchange(fixture.port, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${more}Connection: close\r\n\r\n`);

  test("a foreign Host is refused, with how to allow it; loopback names and allowed hosts are served", async () => {
    const refused = await ask("evil.example", "/mcp");
    assert.match(refused, /^HTTP\/1\.1 403/);
    assert.match(refused, /http\.allowed_hosts/);
    for (const host of ["localhost", "127.0.0.1:9", "[::1]:9", "mcp.example.com", "MCP.example.com:443", ...DOTTED])
      assert.match(await ask(host, "/mcp"), /^HTTP\/1\.1 400/, host);
  });

  test("a name may end in one dot, as fully qualified ones do, but not in two", async () => {
    for (const host of ["localhost..", "evil.example.", ".", "127.0.0.1..", "[::1]."]) assert.match(await ask(host, "/mcp"), /^HTTP\/1\.1 40[03]/, host);
    for (const host of ["localhost..", "evil.example."]) assert.match(await ask(host, "/mcp"), /^HTTP\/1\.1 403/, host);
    for (const origin of ["http://localhost.:5173", "https://app.example.com."])
      assert.match(await ask("localhost", "/mcp", `Origin: ${origin}\r\n`), /^HTTP\/1\.1 400/, origin);
  });

  test("a foreign Origin is refused, null and rubbish too; loopback and allowed ones are served", async () => {
    for (const origin of ["https://evil.example", "null", "rubbish"]) {
      const refused = await ask("localhost", "/mcp", `Origin: ${origin}\r\n`);
      assert.match(refused, /^HTTP\/1\.1 403/, origin);
      assert.match(refused, /http\.allowed_origins/);
    }
    for (const origin of ["http://localhost:5173", "https://app.example.com"])
      assert.match(await ask("localhost", "/mcp", `Origin: ${origin}\r\n`), /^HTTP\/1\.1 400/, origin);
  });

  test("a probe by another name learns whether the server is up", async () => {
    assert.match(await ask("10.0.0.7:3000", "/healthz"), /^HTTP\/1\.1 200/);
    assert.match(await ask("10.0.0.7:3000", "/readyz"), /^HTTP\/1\.1 200/);
    assert.match(await ask("evil.example", "/nowhere"), /^HTTP\/1\.1 403/);
  });

  test("a deprecated tool's answer carries Deprecation and Sunset", async () => {
    const response = await postModern(fixture.url, "tools/call", { name: "old" });
    assert.equal(response.headers.get("deprecation"), "@1767225600");
    assert.equal(response.headers.get("sunset"), "Fri, 01 Jan 2027 00:00:00 GMT");
    assert.equal((await postModern(fixture.url, "tools/call", { name: "echo" })).headers.get("deprecation"), null);
  });
});

describe("health", () => {
  test("/readyz says why it isn't ready, but not to strangers", async () => {
    let ready = false;
    const sick = definePlugin({
      name: "sick",
      options: {},
      create: () => ({
        name: "sick",
        position: "observe" as const,
        setup: () => ({ health: () => (ready ? { ready } : { ready, reason: "the store is down" }) }),
      }),
    });
    const fixture = await startHttp({}, { plugins: [sick()] });
    assert.equal((await fetch(`${fixture.url}/healthz`)).status, 200);
    const no = await fetch(`${fixture.url}/readyz`);
    assert.equal(no.status, 503);
    assert.deepEqual(await no.json(), { status: "not ready", reasons: ["sick: the store is down"] });
    const stranger = await rawExchange(fixture.port, "GET /readyz HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n");
    assert.match(stranger, /^HTTP\/1\.1 503/);
    assert.doesNotMatch(stranger, /the store is down/);
    ready = true;
    assert.equal((await fetch(`${fixture.url}/readyz`)).status, 200);
    assert.equal((await fetch(`${fixture.url}/readyz`, { method: "POST" })).status, 405);
    assert.equal((await fetch(`${fixture.url}/healthz`, { method: "HEAD" })).status, 200);
    await fixture.stop();
  });
});

test("the checks let in what those of the SDK let in, and nothing else", () => {
  const allowed = ["mcp.example.com", "[fe80::1]", "moz-extension://*", "http://*"];
  const checks = new HostChecks(allowed, allowed);
  const names = [
    "localhost",
    "127.0.0.1",
    "[::1]",
    "mcp.example.com",
    "MCP.example.com",
    "[fe80::1]",
    "evil.example",
    "localhost.evil.example",
    "127.1",
    "0x7f.1",
    "[::ffff:127.0.0.1]",
  ];
  const odd = [
    "",
    " ",
    "a b",
    "localhost@evil.example",
    "evil.example@localhost",
    "localhost/evil",
    "localhost#x",
    "localhost?x",
    "lo\u0000cal",
    "null",
    "%6cocalhost",
    "localhost:99999",
    "[::1",
  ];
  const hosts = [...names, ...names.map((name) => `${name}:3000`), ...odd];
  for (const host of hosts) {
    const sdk = validateHostHeader(host, [...localhostAllowedHostnames(), ...allowed]).ok;
    assert.equal(checks.hostRefusal(host) === undefined, sdk, `Host: ${host}`);
  }
  const schemes = ["http://", "https://", "moz-extension://", "chrome-extension://", "file://", "javascript:", ""];
  for (const origin of schemes.flatMap((scheme) => hosts.map((host) => scheme + host))) {
    const sdk = validateOriginHeader(origin, [...localhostAllowedOrigins(), ...allowed]).ok;
    assert.equal(checks.originRefusal(origin) === undefined, sdk, `Origin: ${origin}`);
  }
});
