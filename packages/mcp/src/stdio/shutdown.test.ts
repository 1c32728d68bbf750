import assert from "node:assert/strict";
import { PassThrough, Writable } from "node:stream";
import { describe, test } from "node:test";
import { aborted, fixtureKernel, waiting } from "../../test/fixtureTools.js";
import { type Connection, call, initialize, openStdio } from "../../test/stdioConnection.js";
import { until } from "../../test/until.js";
import { type StdioOptions, serveStdio } from "./serveStdio.js";

const { kernel } = await fixtureKernel();
const open = (options?: StdioOptions, served = kernel): Promise<Connection> => openStdio(served, options);

describe("the end", () => {
  test("stdin that ends lets the calls in flight answer, also a last line without a line end", async () => {
    const connection = await open();
    connection.send(initialize(1));
    connection.send(call(2, "pause", { ms: 100 }));
    connection.stdin.end(JSON.stringify(call("last", "echo", { a: 1 })));
    await connection.server.closed;
    assert.deepEqual(connection.answers.map(({ id }) => id).sort(), [1, 2, "last"].sort());
  });

  for (const tool of ["wait", "hang"]) {
    test(`a call of ${tool} that is in flight when the drain ends is answered, and a new one is refused while it drains`, async () => {
      const { kernel: own } = await fixtureKernel();
      const connection = await open({ drainMs: 300 }, own);
      connection.send(initialize(1));
      connection.send(call(2, tool, { name: "stdio answers" }));
      connection.send(call(3, "pause", { ms: 150 }));
      await connection.answerTo(1);
      const start = Date.now();
      const closing = Promise.all([connection.server.close(), own.close({ drainMs: 300 })]);
      connection.send(call(4, "echo"));
      assert.match((await connection.answerTo(4)).error?.message ?? "", /shutting down and takes no new requests/);
      assert.deepEqual((await connection.answerTo(3)).result?.["structuredContent"], { slept: 150 });
      await closing;
      assert.ok(Date.now() - start < 30_000, `it took ${Date.now() - start} ms`);
      const answers = connection.answers.filter(({ id }) => id === 2);
      assert.equal(answers.length, 1);
      assert.match(JSON.stringify(answers[0]?.result?.["_meta"]), /"error_code":"kernel\/closing"/);
    });
  }

  test("a call that doesn't end is aborted when the time is over", async () => {
    const connection = await open({ drainMs: 100 });
    connection.send(initialize(1));
    connection.send(call(2, "wait", { name: "stdio drains" }));
    await connection.answerTo(1);
    const start = Date.now();
    connection.stdin.end();
    await connection.server.closed;
    assert.ok(Date.now() - start < 30_000);
    await until(() => aborted.includes("stdio drains"));
    assert.match(JSON.stringify((await connection.answerTo(2)).result), /"error_code":"kernel\/closing"/);
  });

  test("a cancelled call is not waited for", async () => {
    const connection = await open({ drainMs: 120_000 });
    connection.send(initialize(1));
    connection.send(call(2, "wait", { name: "stdio cancels" }));
    connection.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 2 } });
    connection.stdin.end();
    const start = Date.now();
    await connection.server.closed;
    assert.ok(Date.now() - start < 60_000);
  });

  test("a reader that goes away ends the connection and aborts the calls", async () => {
    const stdin = new PassThrough();
    let broken = false;
    const stdout = new Writable({ write: (_chunk, _encoding, done) => (broken ? done(Object.assign(new Error("write EPIPE"), { code: "EPIPE" })) : done()) });
    const errors: string[] = [];
    const server = serveStdio(kernel, { stdin, stdout, onerror: (error) => errors.push(error.message) });
    for (const message of [initialize(1), call(2, "wait", { name: "reader left" })]) stdin.write(`${JSON.stringify(message)}\n`);
    await until(() => waiting.includes("reader left"));
    broken = true;
    stdin.write(`${JSON.stringify(call(3, "echo"))}\n`);
    await server.closed;
    await until(() => aborted.includes("reader left"));
    assert.ok(errors.some((message) => message.includes("EPIPE")));
  });

  test("stdin that was over before it began ends the connection", async () => {
    const stdin = new PassThrough();
    stdin.end();
    stdin.resume();
    await new Promise((resolve) => stdin.once("close", resolve));
    await serveStdio(kernel, { stdin, stdout: new PassThrough() }).closed;
  });
});
