import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { ECHO, type Started, specText, type TempProject, tempProject, tool } from "../../test/tempProject.js";

const CONFIG = { "fettle.config.yaml": "tools: [.]\n" };

async function served(project: TempProject, ...args: string[]): Promise<Started & { readonly url: string }> {
  const started = project.start(["serve", "--http", "--port", "0", ...args]);
  const [, url = ""] = await started.seen(/(http:\/\/127\.0\.0\.1:\d+)\/mcp/);
  return { ...started, url };
}

/** One request of the older era without a session is refused, so each is preceded by its handshake. */
async function callOverHttp(url: string, name: string, args: object, signal?: AbortSignal): Promise<{ status: number; body: string }> {
  const post = (message: object, session?: string): Promise<Response> =>
    fetch(`${url}/mcp`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...(session && { "mcp-session-id": session }) },
      body: JSON.stringify({ jsonrpc: "2.0", ...message }),
      ...(signal && { signal }),
    });
  const hello = await post({
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
  });
  await hello.text();
  const session = hello.headers.get("mcp-session-id") ?? undefined;
  await (await post({ method: "notifications/initialized" }, session)).text();
  const answer = await post({ id: 2, method: "tools/call", params: { name, arguments: args } }, session);
  return { status: answer.status, body: await answer.text() };
}

interface Peer {
  send(message: object): void;
  answer(id: number): Promise<{ result?: { content?: { text: string }[]; tools?: { name: string }[] }; method?: string }>;
}

/** Speaks lines of JSON-RPC with a server on stdio. */
function peer({ child, stdout }: Started): Peer {
  const messages = () =>
    stdout()
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  return {
    send: (message) => void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`),
    async answer(id) {
      for (;;) {
        const found = messages().find((message) => message.id === id);
        if (found) return found;
        await new Promise((resolve) => child.stdout.once("data", resolve));
      }
    },
  };
}

const HELLO = { id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } } };

test("on stdio nothing but the protocol reaches stdout, and the end of stdin ends the server", async (t) => {
  const noisy = `console.log("at import");
export default (args) => { console.log("in the call"); process.stdout.write("and again\\n"); return args; };
`;
  const project = await tempProject(t, { ...CONFIG, ...tool("echo", noisy), "broken.tool.yaml": "" });
  const started = project.start(["serve", "--stdio"]);
  const { send, answer } = peer(started);
  send(HELLO);
  await answer(1);
  send({ method: "notifications/initialized" });
  send({ id: 2, method: "tools/call", params: { name: "echo", arguments: { text: "hi" } } });
  assert.match((await answer(2)).result?.content?.[0]?.text ?? "", /hi/);
  started.child.stdin.end();
  const { code, stdout, stderr } = await started.ended;
  assert.equal(code, 0);
  for (const line of stdout.trim().split("\n")) assert.equal(JSON.parse(line).jsonrpc, "2.0");
  for (const said of ["at import", "in the call", "and again", "broken.tool.yaml:1:1 spec/empty-file", "serving 1 tool on stdio"])
    assert.ok(stderr.includes(said), said);
});

test("faults that nobody caught are logged, and the server goes on", async (t) => {
  const stray = `export default (args) => {
  setTimeout(() => { throw new Error("stray throw"); }, 0);
  Promise.reject(new Error("stray rejection"));
  Promise.reject("no error at all");
  return args;
};
`;
  const project = await tempProject(t, { ...CONFIG, ...tool("echo", stray) });
  const started = project.start(["serve", "--stdio"]);
  const { send, answer } = peer(started);
  send(HELLO);
  await answer(1);
  send({ method: "notifications/initialized" });
  send({ id: 2, method: "tools/call", params: { name: "echo", arguments: { text: "a" } } });
  await answer(2);
  await started.seen(/stray throw/);
  await started.seen(/stray rejection/);
  await started.seen(/no error at all/);
  send({ id: 3, method: "tools/call", params: { name: "echo", arguments: { text: "b" } } });
  assert.match((await answer(3)).result?.content?.[0]?.text ?? "", /b/);
  started.child.kill("SIGTERM");
  assert.equal((await started.ended).code, 0);
});

test("over HTTP the address goes to stderr, and SIGTERM lets the call in flight end", async (t) => {
  const slow = 'export default (args) => new Promise((resolve) => { console.error("begun"); setTimeout(() => resolve(args), 700); });\n';
  const project = await tempProject(t, { ...CONFIG, ...tool("slow", slow) });
  const server = await served(project);
  assert.equal((await fetch(`${server.url}/healthz`)).status, 200);
  assert.equal((await fetch(`${server.url}/readyz`)).status, 200);
  const answer = callOverHttp(server.url, "slow", { text: "finished" });
  await server.seen(/begun/);
  const asked = Date.now();
  server.child.kill("SIGTERM");
  const { status, body } = await answer;
  assert.equal(status, 200);
  assert.match(body, /finished/);
  const { code, stdout } = await server.ended;
  assert.deepEqual([code, stdout], [0, ""]);
  assert.ok(Date.now() - asked < 10_000);
});

test("a call that never ends is aborted when the drain is over, and the server exits with 0", async (t) => {
  const project = await tempProject(t, {
    "fettle.config.yaml": "tools: [.]\nhttp: { drain_ms: 300 }\n",
    ...tool("hangs", 'export default () => { console.error("begun"); return new Promise(() => {}); };\n'),
  });
  const server = await served(project);
  const answer = callOverHttp(server.url, "hangs", { text: "a" });
  await server.seen(/begun/);
  const asked = Date.now();
  server.child.kill("SIGINT");
  const { status, body } = await answer;
  assert.equal(status, 200);
  assert.match(body, /"isError":true/);
  assert.match(body, /"error_code":"kernel\/closing"/);
  assert.equal((await server.ended).code, 0);
  assert.ok(Date.now() - asked < 7_000, `it took ${Date.now() - asked} ms`);
});

for (const [how, stop] of [
  ["SIGTERM", ({ child }: Started) => void child.kill("SIGTERM")],
  ["the end of stdin", ({ child }: Started) => void child.stdin.end()],
] as const) {
  test(`on stdio a call that never ends is answered when the drain after ${how} is over, and the server exits with 0`, async (t) => {
    const project = await tempProject(t, {
      "fettle.config.yaml": "tools: [.]\nhttp: { drain_ms: 300 }\n",
      ...tool("hangs", 'export default () => { console.error("begun"); return new Promise(() => {}); };\n'),
    });
    const started = project.start(["serve", "--stdio"]);
    const { send, answer } = peer(started);
    send(HELLO);
    await answer(1);
    send({ id: 2, method: "tools/call", params: { name: "hangs", arguments: { text: "a" } } });
    await started.seen(/begun/);
    const asked = Date.now();
    stop(started);
    assert.match(JSON.stringify(await answer(2)), /"error_code":"kernel\/closing"/);
    assert.equal((await started.ended).code, 0);
    assert.ok(Date.now() - asked < 7_000, `it took ${Date.now() - asked} ms`);
  });
}

test("by default a server whose calls never end is gone within 10 s of SIGTERM, and has answered them", async (t) => {
  const project = await tempProject(t, {
    ...CONFIG,
    ...tool("hangs", 'export default () => { console.error("begun"); return new Promise(() => {}); };\n', "timeout_ms: 60000\n"),
  });
  const server = await served(project);
  const answer = callOverHttp(server.url, "hangs", { text: "a" });
  await server.seen(/begun/);
  const asked = Date.now();
  server.child.kill("SIGTERM");
  assert.match((await answer).body, /"error_code":"kernel\/closing"/);
  const { code, stderr } = await server.ended;
  assert.equal(code, 0);
  assert.ok(Date.now() - asked < 10_000, `it took ${Date.now() - asked} ms`);
  assert.doesNotMatch(stderr, /though something was still running/);
});

test("a second signal ends the server at once", async (t) => {
  const project = await tempProject(t, { ...CONFIG, ...tool("hangs", 'export default () => { console.error("begun"); return new Promise(() => {}); };\n') });
  const server = await served(project);
  const answer = callOverHttp(server.url, "hangs", { text: "a" }).catch(() => undefined);
  await server.seen(/begun/);
  server.child.kill("SIGTERM");
  await server.seen(/waiting for those in flight/);
  server.child.kill("SIGTERM");
  assert.equal((await server.ended).code, 1);
  await answer;
});

test("a plugin that never lets go can't keep the server from ending", async (t) => {
  const stuck = `export default { name: "stuck", options: {}, create: () => ({ name: "stuck", position: "observe", setup: () => ({ dispose: () => new Promise(() => {}) }) }) };\n`;
  const project = await tempProject(t, {
    "fettle.config.yaml": "tools: [.]\nplugins: [{ use: ./stuck.mjs }]\nhttp: { drain_ms: 100 }\n",
    "stuck.mjs": stuck,
    ...tool("echo", ECHO),
  });
  const server = await served(project);
  server.child.kill("SIGTERM");
  const { code, stderr } = await server.ended;
  assert.equal(code, 0);
  assert.match(stderr, /plugin stuck failed in dispose/);
});

test("a port in use is told with what to do", async (t) => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  t.after(() => other.close());
  const address = other.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const project = await tempProject(t, { ...CONFIG, ...tool("echo", ECHO) });
  const { code, stdout, stderr } = await project.run(["serve", "--http", "--port", String(port)]);
  assert.deepEqual([code, stdout], [2, ""]);
  assert.equal(
    stderr,
    `error: Port ${port} on 127.0.0.1 is in use by another program.\nStop that program, or choose another port, for example ${port + 1}, or 0 for any free one: --host and --port on the command line, http.host and http.port in the config, or listen({ host, port }) in code.\n`,
  );
});

test("how to serve must be said, and only what fits", async (t) => {
  const project = await tempProject(t, { ...CONFIG, ...tool("echo", ECHO) });
  const said = async (...args: string[]): Promise<string> => {
    const { code, stderr } = await project.run(["serve", ...args]);
    assert.equal(code, 2);
    return stderr.split("\n")[0] ?? "";
  };
  assert.equal(await said(), "error: Say how to serve: --stdio or --http.");
  assert.equal(await said("--stdio", "--http"), "error: Serve on one of the two: --stdio or --http.");
  assert.equal(await said("--stdio", "--port", "1"), "error: --host and --port are for --http; on --stdio there is no address.");
  assert.match(await said("--http", "--port", "70000"), /A port is a number from 0 to 65535/);
  assert.match(await said("--http", "--host", "192.0.2.1"), /192\.0\.2\.1 is not an address of this machine/);
});

test("strict refuses to start with a broken spec (1) or a broken config (2)", async (t) => {
  const project = await tempProject(t, { ...CONFIG, ...tool("echo", ECHO), "broken.tool.yaml": "" });
  const spec = await project.run(["serve", "--http", "--port", "0", "--strict"]);
  assert.equal(spec.code, 1);
  assert.match(spec.stderr, /error {2}spec\/empty-file {2}broken\.tool\.yaml:1:1\n[\s\S]*Nothing was started\./);
  await project.write("fettle.config.yaml", "tools: 7\n");
  const config = await project.run(["serve", "--http", "--port", "0"]);
  assert.equal(config.code, 2);
  assert.match(config.stderr, /config\/wrong-type/);
});

test("SIGHUP loads the tools again, tells clients, and keeps the old ones when a spec broke", async (t) => {
  const project = await tempProject(t, { ...CONFIG, ...tool("echo", ECHO) });
  const started = project.start(["serve", "--stdio"]);
  const { send, answer } = peer(started);
  send(HELLO);
  await answer(1);
  send({ method: "notifications/initialized" });

  await project.write("second.tool.yaml", specText("second"));
  await project.write("second.handler.mjs", ECHO);
  started.child.kill("SIGHUP");
  await started.seen(/loaded again: serving 2 tools/);
  send({ id: 2, method: "tools/list" });
  assert.deepEqual(
    (await answer(2)).result?.tools?.map(({ name }) => name),
    ["echo", "second"],
  );
  const told = (): number => started.stdout().split("notifications/tools/list_changed").length - 1;
  assert.equal(told(), 1);

  await project.write("broken.tool.yaml", "");
  await project.write("second.handler.mjs", 'export default () => "new";\n');
  started.child.kill("SIGHUP");
  await started.seen(/broken\.tool\.yaml:1:1 spec\/empty-file[\s\S]*loaded again: serving 2 tools/);
  send({ id: 4, method: "tools/call", params: { name: "second", arguments: { text: "a" } } });
  assert.match((await answer(4)).result?.content?.[0]?.text ?? "", /new/);

  await project.write("echo.tool.yaml", specText("echo", "catgory: x\n"));
  started.child.kill("SIGHUP");
  await started.seen(/not loaded again/);
  assert.match(started.stderr(), /echo\.tool\.yaml:21:1 spec\/unknown-key/);
  send({ id: 3, method: "tools/call", params: { name: "echo", arguments: { text: "still here" } } });
  assert.match((await answer(3)).result?.content?.[0]?.text ?? "", /still here/);
  assert.equal(told(), 1, "the list is as it was after the first reload");
  started.child.stdin.end();
  assert.equal((await started.ended).code, 0);
});

test("a client that goes away ends the server on stdio", async (t) => {
  const project = await tempProject(t, { ...CONFIG, ...tool("echo", ECHO) });
  const started = project.start(["serve", "--stdio"]);
  const { send, answer } = peer(started);
  send(HELLO);
  await answer(1);
  started.child.stdout.destroy();
  send({ id: 2, method: "tools/list" });
  assert.equal((await started.ended).code, 0);
});

test("the address is told even when the log is silent", async (t) => {
  const project = await tempProject(t, { ...CONFIG, ...tool("echo", ECHO), "broken.tool.yaml": "" });
  const started = project.start(["serve", "--http", "--port", "0"], { env: { FETTLE_LOG_LEVEL: "silent" } });
  await started.seen(/http:\/\/127\.0\.0\.1:\d+\/mcp/);
  started.child.kill("SIGTERM");
  const { code, stderr } = await started.ended;
  assert.equal(code, 0);
  assert.equal(stderr.trim().split("\n").length, 1);
});
