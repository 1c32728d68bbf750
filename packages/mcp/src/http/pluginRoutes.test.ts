import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { definePlugin, type Route } from "@fettle/contract";
import { rawExchange, startHttp } from "../../test/httpFixture.js";
import { pluginRoute } from "./pluginRoutes.js";

const route = (path: string, method: Route["method"] = "GET"): Route => ({ method, path, handle: () => ({ status: 204 }) });

describe("which route has a path", () => {
  test("the exact one before a prefix, the longer prefix before the shorter", () => {
    const routes = [route("/a/*"), route("/a/b/*"), route("/a/b/c")];
    assert.equal(pluginRoute(routes, "GET", "/a/b/c"), routes[2]);
    assert.equal(pluginRoute(routes, "GET", "/a/b/x"), routes[1]);
    assert.equal(pluginRoute(routes, "GET", "/a/x"), routes[0]);
    assert.equal(pluginRoute(routes, "GET", "/a"), routes[0]);
    assert.equal(pluginRoute(routes, "GET", "/ab"), undefined);
  });

  test("another method at a known path is told which are allowed", () => {
    assert.deepEqual(pluginRoute([route("/a", "GET"), route("/a", "POST")], "DELETE", "/a"), { allow: "GET, POST" });
  });
});

describe("a plugin's routes over HTTP", () => {
  const plugin = definePlugin({
    name: "routes",
    options: {},
    create: () => ({
      name: "routes",
      position: "observe" as const,
      setup: () => ({
        routes: [
          {
            method: "POST" as const,
            path: "/upload/*",
            handle: ({ url, headers, body, caller }) => ({
              status: 201,
              headers: { "content-type": "application/json", "x-own": "yes" },
              body: JSON.stringify({
                path: url.pathname,
                query: url.searchParams.get("q"),
                agent: headers["x-agent"],
                bytes: body.length,
                who: caller.principal,
              }),
            }),
          },
          { method: "GET" as const, path: "/bytes", handle: () => ({ status: 200, body: new Uint8Array([1, 2, 255]) }) },
          {
            method: "GET" as const,
            path: "/broken",
            handle: () => {
              throw new Error("secret in a route");
            },
          },
        ],
      }),
    }),
  });

  test("are served with headers, body and caller, behind the same checks and limits", async () => {
    const fixture = await startHttp({ max_body_bytes: 2_000 }, { plugins: [plugin()] });
    const answer = await fetch(`${fixture.url}/upload/a?q=1`, { method: "POST", headers: { "x-agent": "t" }, body: new Uint8Array([1, 2, 255]) });
    assert.equal(answer.status, 201);
    assert.equal(answer.headers.get("x-own"), "yes");
    assert.deepEqual(await answer.json(), { path: "/upload/a", query: "1", agent: "t", bytes: 3, who: "anonymous" });
    assert.deepEqual(new Uint8Array(await (await fetch(`${fixture.url}/bytes`)).arrayBuffer()), new Uint8Array([1, 2, 255]));
    assert.equal((await fetch(`${fixture.url}/bytes`, { method: "DELETE" })).headers.get("allow"), "GET");
    assert.equal((await fetch(`${fixture.url}/upload/a`, { method: "POST", body: "x".repeat(3_000) })).status, 413);
    assert.match(await rawExchange(fixture.port, "GET /bytes HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"), /^HTTP\/1\.1 403/);
    await fixture.stop();
  });

  test("that throw give 500 and leak nothing", async () => {
    const fixture = await startHttp({}, { plugins: [plugin()] });
    const broken = await fetch(`${fixture.url}/broken`);
    assert.equal(broken.status, 500);
    assert.doesNotMatch(await broken.text(), /secret/);
    assert.deepEqual(fixture.errors, ["secret in a route"]);
    await fixture.stop();
  });
});
