import assert from "node:assert/strict";
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { afterEach, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Client as Client2, StreamableHTTPClientTransport as Http2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as Stdio2 } from "@modelcontextprotocol/client/stdio";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as Http1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const example = (name: string): string => fileURLToPath(new URL(`../../examples/${name}`, import.meta.url));
const INFO = { name: "examples", version: "1.0.0" };
const DAYS = { name: "days_between", arguments: { from: "2026-01-01", to: "2026-03-01" } };
const WRONG = { name: "days_between", arguments: { from: "2026-01-01", to: "tomorrow" } };
const { NODE_OPTIONS: _, ...env } = process.env;

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) if (child.exitCode === null) child.kill("SIGKILL");
});

/** Starts an example on a free port and waits for the address that it prints. */
async function start(name: string): Promise<{ readonly child: ChildProcess; readonly url: URL }> {
  const child = spawn(process.execPath, [example(name), "0"], { cwd: "/", env, stdio: ["ignore", "pipe", "inherit"] });
  started.push(child);
  let printed = "";
  for await (const chunk of child.stdout) {
    printed += chunk;
    if (printed.includes("\n")) break;
  }
  return { child, url: new URL(printed.trim()) };
}

for (const name of ["node-http.mjs", "hono.mjs", "express.mjs"]) {
  test(`examples/${name} serves MCP in both eras beside its own page, and ends in order`, async () => {
    const { child, url } = await start(name);
    assert.equal(await (await fetch(new URL("/", url))).text(), "A page of my own.\n");
    assert.equal((await fetch(new URL("/elsewhere", url))).status, 404);

    const older = new Client1(INFO);
    // biome-ignore lint/suspicious/noExplicitAny: the 1.x transports don't fit their own interface under exactOptionalPropertyTypes
    await older.connect(new Http1(url) as any);
    const newer = new Client2(INFO, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
    await newer.connect(new Http2(url));
    for (const client of [older, newer]) {
      assert.deepEqual((await client.callTool(DAYS)).structuredContent, { days: 59 });
      const wrong = await client.callTool(WRONG);
      assert.equal(wrong.isError, true);
      assert.match(JSON.stringify(wrong.content), /to must match format date/);
    }
    // A page on another site, in the browser of somebody on this machine.
    assert.equal((await fetch(url, { method: "POST", headers: { origin: "https://example.com" } })).status, 403);

    child.kill("SIGTERM");
    const [code] = await once(child, "exit");
    assert.equal(code, 0);
    await Promise.all([older.close(), newer.close()]);
  });
}

for (const name of ["node-http.mjs", "hono.mjs", "express.mjs"]) {
  test(`examples/${name} says so when its port is taken, and ends with 1`, async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    const { port } = taken.address() as AddressInfo;
    try {
      const failed = promisify(execFile)(process.execPath, [example(name), String(port)], { cwd: "/", env });
      await assert.rejects(failed, { code: 1, stdout: "", stderr: /Error: listen EADDRINUSE: address already in use 127\.0\.0\.1:\d+\n/ });
    } finally {
      taken.close();
    }
  });
}

test("examples/stdio.mjs keeps stdout for the protocol, and ends when its client goes", async () => {
  const transport = new Stdio2({ command: process.execPath, args: [example("stdio.mjs")], cwd: "/", stderr: "pipe" });
  let stderr = "";
  transport.stderr?.on("data", (chunk) => {
    stderr += chunk;
  });
  const client = new Client2(INFO);
  await client.connect(transport);
  assert.deepEqual((await client.callTool(DAYS)).structuredContent, { days: 59 });
  await client.close();
  assert.equal(stderr, "serving 1 tool\n");
});

test("examples/calls.mjs shows what its calls end in", async () => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [example("calls.mjs")], { cwd: "/", env });
  assert.equal(stderr, "");
  assert.equal(
    stdout,
    `counted: greet ok
{ text: 'Hello, Ada!' }
counted: greet error
No greeting in tlh.
counted: greet error
greet was not run: 1 problem with its arguments.
- unknown argument whom. Did you mean who? Allowed here: who, language
counted: greet ok
{ text: 'nuqneH, Ada!' }
`,
  );
});
