import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { PassThrough } from "node:stream";
import { describe, type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { ECHO, tempProject, tool } from "../test/tempProject.js";
import { createFetchHandler, createHttpServer, createNodeHandler, type Kernel, ListenError, LoadFailed, openKernel, serveStdio } from "./embed.js";

const silent = { debug() {}, info() {}, warn() {}, error() {} };
// What a program in JavaScript may hand in.
// biome-ignore lint/suspicious/noExplicitAny: the compiler would refuse it
const anything = (value: unknown): any => value;

async function open(t: TestContext): Promise<Kernel> {
  const project = await tempProject(t, tool("echo", ECHO));
  const kernel = await openKernel({ config: { tools: ["."] }, folder: project.folder }, { log: silent });
  t.after(() => kernel.close());
  return kernel;
}

describe("opening a kernel", () => {
  const cases: readonly [title: string, args: readonly unknown[], message: RegExp][] = [
    ["without a config", [], /openKernel needs a config: its path, "\.\/fettle\.config\.yaml", or \{ config: /],
    ["with null", [null], /openKernel needs a config/],
    ["with the config itself in place of { config }", [{ tools: ["."] }], /openKernel needs a config/],
    ["with a key beside config that doesn't exist", [{ config: {}, foldr: "/" }], /has no option foldr\. Did you mean folder\? Known: config, folder\./],
    [
      "with an option that doesn't exist",
      [{ config: {} }, { plugin: [] }],
      /openKernel has no option plugin\. Did you mean plugins\? Known: plugins, strict, log, env\./,
    ],
  ];
  for (const [title, [source, options], message] of cases) {
    test(`${title} is a TypeError that says what is meant`, async () => {
      await assert.rejects(openKernel(anything(source), anything(options)), (error) => error instanceof TypeError && message.test(error.message));
    });
  }

  test("with a path that leads nowhere fails and names it", async () => {
    await assert.rejects(
      openKernel("./no-such.config.yaml"),
      (error) => error instanceof LoadFailed && /no-such\.config\.yaml:1:1 config\//.test(error.message),
    );
    await assert.rejects(openKernel(new URL("file:///no/such.config.yaml")), (error) => error instanceof LoadFailed && /^\/no\/such/.test(error.message));
  });

  test("takes a config by its file URL", async (t) => {
    const project = await tempProject(t, { "fettle.config.yaml": "tools: [.]\n", ...tool("echo", ECHO) });
    const kernel = await openKernel(pathToFileURL(project.path("fettle.config.yaml")));
    assert.equal(kernel.catalog().tools.length, 1);
    await kernel.close();
  });

  test("with a config in code that isn't valid fails with every finding", async () => {
    const config = anything({ toolz: ["."], http: { port: "many" }, wire: { list_ttl_ms: -1 } });
    const failed = await openKernel({ config }).catch((error: unknown) => error);
    assert.ok(failed instanceof LoadFailed);
    assert.deepEqual(failed.diagnostics.map(({ code }) => code).sort(), ["config/out-of-range", "config/unknown-key", "config/wrong-type"]);
    assert.match(failed.message, /^\(config in code\):2:3 config\/unknown-key/);
  });

  test("with something that is no plugin fails and says so", async (t) => {
    const project = await tempProject(t, tool("echo", ECHO));
    const opening = openKernel({ config: {}, folder: project.folder }, { plugins: anything([{ name: "half" }]), log: silent });
    await assert.rejects(opening, (error) => error instanceof LoadFailed && /config\/bad-plugin/.test(error.message));
  });
});

describe("serving a kernel", () => {
  test("with an http setting that isn't valid is a TypeError, whatever makes the server", async (t) => {
    const kernel = await open(t);
    for (const make of [createHttpServer, createFetchHandler, createNodeHandler]) {
      assert.throws(
        () => make(kernel, { http: anything({ prot: 3000, drain_ms: "soon" }) }),
        (error) => error instanceof TypeError && /prot\. Did you mean port\?/.test(error.message) && /drain_ms/.test(error.message),
      );
    }
  });

  test("listening again, or after close, is refused; a port that is taken may be followed by another", async (t) => {
    const kernel = await open(t);
    const occupant = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => occupant.once("listening", resolve));
    t.after(() => occupant.close());
    const server = createHttpServer(kernel);
    const failed = await server.listen({ port: (occupant.address() as AddressInfo).port }).catch((error: unknown) => error);
    assert.ok(failed instanceof ListenError && failed.code === "mcp/port-in-use");
    await server.listen({ port: 0 });
    const again = (error: unknown): boolean => error instanceof ListenError && error.code === "mcp/listens-already" && /createHttpServer/.test(error.hint);
    await assert.rejects(server.listen({ port: 0 }), again);
    await server.close();
    await assert.rejects(server.listen({ port: 0 }), again);
  });

  test("closing twice waits for the same end, and a call after it is an error that says why", async (t) => {
    const kernel = await open(t);
    const server = createHttpServer(kernel);
    const handler = createFetchHandler(kernel);
    await server.listen({ port: 0 });
    for (const _ of [1, 2]) await Promise.all([server.close(), handler.close(), kernel.close()]);
    const outcome = await kernel.call({ name: "echo", args: { text: "a" } });
    assert.ok(outcome.kind === "error");
    assert.equal(outcome.error.error_code, "kernel/closing");
    assert.equal(outcome.error.retry_recommended, false);
    assert.match(outcome.error.what_went_wrong, /was shut down/);
  });

  test("two servers on one kernel serve the same tools, and the end of one leaves the other", async (t) => {
    const kernel = await open(t);
    const servers = [createHttpServer(kernel), createHttpServer(kernel)];
    const clients = await Promise.all(
      servers.map(async (server) => {
        const { url } = await server.listen({ port: 0 });
        const client = new Client({ name: "test", version: "1.0.0" });
        await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
        return client;
      }),
    );
    for (const client of clients)
      assert.match(JSON.stringify(await client.callTool({ name: "echo", arguments: { text: "a" } })), /"text":"a"|\\"text\\":\\"a\\"/);
    const [first, second] = servers;
    await clients[0]?.close();
    await first?.close();
    assert.equal((await clients[1]?.listTools())?.tools.length, 1);
    await clients[1]?.close();
    await second?.close();
  });

  test("a second server on one stdin is refused", async (t) => {
    const kernel = await open(t);
    const [stdin, stdout] = [new PassThrough(), new PassThrough()];
    const server = serveStdio(kernel, { stdin, stdout });
    assert.throws(() => serveStdio(kernel, { stdin, stdout }), /This stdin is served already, and it has one client\. Serve more clients over HTTP/);
    await server.close();
  });

  test("a request whose body was read and thrown away is answered with 500, and onerror hears why", async (t) => {
    const kernel = await open(t);
    const reported: string[] = [];
    const handler = createFetchHandler(kernel, { onerror: ({ message }) => reported.push(message) });
    const request = new Request("http://localhost/mcp", {
      method: "POST",
      body: "{}",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    });
    await request.text();
    const response = await handler.fetch(request);
    assert.equal(response.status, 500);
    assert.match(reported.join(), /body of the request was read before/);
    await handler.close();
  });
});
