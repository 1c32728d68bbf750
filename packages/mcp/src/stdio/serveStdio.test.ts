import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { fixtureKernel } from "../../test/fixtureTools.js";
import { type Connection, call, initialize, openStdio } from "../../test/stdioConnection.js";
import { spawnFixture } from "../../test/stdioFixture.js";
import { until } from "../../test/until.js";
import type { StdioOptions } from "./serveStdio.js";

const { kernel } = await fixtureKernel();
const open = (options?: StdioOptions): Promise<Connection> => openStdio(kernel, options);

describe("a line that is no message gets an answer, and the server goes on", () => {
  const cases: readonly [title: string, line: string, code: number, words: RegExp, id?: number][] = [
    ["not JSON", "hello", -32700, /not JSON/],
    ["half a message", '{"jsonrpc":"2.0","id":1,"meth', -32700, /not JSON/],
    ["a batch", '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600, /batch/],
    ["an empty batch", "[]", -32600, /batch/],
    ["a number", "42", -32600, /object, not a number/],
    ["null", "null", -32600, /object, not null/],
    ["another JSON-RPC version", '{"jsonrpc":"1.0","id":7,"method":"ping"}', -32600, /"2\.0"/, 7],
    ["no method and no result", '{"jsonrpc":"2.0","id":7}', -32600, /has a method/, 7],
    ["a method that is no string", '{"jsonrpc":"2.0","id":7,"method":5}', -32600, /method of a message is a string/, 7],
    ["an id that is no id", '{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600, /string or an integer/],
    ["an id past what JSON numbers keep", '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}', -32600, /between -9007199254740991 and 9007199254740991/],
    [
      "params that are a list",
      '{"jsonrpc":"2.0","id":7,"method":"tools/list","params":[1]}',
      -32602,
      /params of tools\/list must be an object, got an array/,
      7,
    ],
    ["_meta that is no object", '{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"_meta":1}}', -32602, /_meta must be an object/, 7],
    ["a progress token that is none", '{"jsonrpc":"2.0","id":7,"method":"ping","params":{"_meta":{"progressToken":{}}}}', -32602, /progressToken/, 7],
    ["a call without a name", '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{}}', -32602, /params\.name/, 7],
    [
      "arguments as text",
      '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo","arguments":"{}"}}',
      -32602,
      /got a string\. Send the JSON object itself/,
      7,
    ],
    [
      "arguments as a list",
      '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo","arguments":[]}}',
      -32602,
      /must be an object, got an array/,
      7,
    ],
    [
      "a key that is no string",
      '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo","idempotencyKey":5}}',
      -32602,
      /idempotencyKey must be a string/,
      7,
    ],
    [
      "a version that is no string",
      '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo","_meta":{"dev.fettle/tool-version":2}}}',
      -32602,
      /tool-version"\] must be a string, got a number/,
      7,
    ],
    ["a handshake that lacks half", '{"jsonrpc":"2.0","id":7,"method":"initialize","params":{}}', -32602, /protocolVersion.*capabilities.*clientInfo/, 7],
    ["a member that no message has", '{"jsonrpc":"2.0","id":7,"method":"ping","extra":1}', -32600, /members that none has/, 7],
  ];
  for (const [title, line, code, words, id] of cases) {
    test(title, async () => {
      const connection = await open();
      connection.stdin.write(`${line}\n`);
      await until(() => connection.answers.length > 0);
      const [answer] = connection.answers;
      assert.equal(answer?.error?.code, code);
      assert.match(answer?.error?.message ?? "", words);
      assert.equal(answer?.id, id ?? null);
      connection.send(initialize(99));
      assert.ok((await connection.answerTo(99)).result);
      await connection.server.close();
    });
  }

  test("an answer that is none is ignored: answering it could go on for ever", async () => {
    const connection = await open();
    connection.stdin.write('{"jsonrpc":"2.0","result":{}}\n{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"?"}}\n\n   \n');
    connection.send(initialize(1));
    await connection.answerTo(1);
    assert.equal(connection.answers.length, 1);
    await connection.server.close();
  });

  test("an unknown method", async () => {
    const connection = await open();
    connection.send(initialize(1));
    connection.send({ jsonrpc: "2.0", id: 2, method: "tools/destroy" });
    assert.deepEqual((await connection.answerTo(2)).error, {
      code: -32601,
      message: "This server has no method tools/destroy. It serves tools/list, tools/call.",
    });
    await connection.server.close();
  });

  for (const [era, meta] of [
    ["the older era", undefined],
    ["2026-07-28", { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} }],
  ] as const) {
    test(`a request whose id is taken by one in flight is refused, and the first is answered, in ${era}`, async () => {
      const connection = await open();
      if (meta === undefined) connection.send(initialize(1));
      const send = (name: string, args: unknown): void =>
        connection.send({ jsonrpc: "2.0", id: 2, method: "tools/call", params: { name, arguments: args, ...(meta && { _meta: meta }) } });
      send("pause", { ms: 150 });
      send("echo", {});
      await until(() => connection.answers.filter(({ id }) => id === 2).length === 2);
      const [refused, answered] = connection.answers.filter(({ id }) => id === 2);
      assert.equal(refused?.error?.code, -32600);
      assert.match(refused?.error?.message ?? "", /The id 2 is taken by a request that waits for its answer/);
      assert.deepEqual(answered?.result?.["structuredContent"], { slept: 150 });
      send("echo", { again: 1 });
      await until(() => connection.answers.some(({ result }) => JSON.stringify(result?.["structuredContent"]) === '{"again":1}'));
      await connection.server.close();
    });
  }

  test("a byte order mark before the first line is no part of it; before a later one it is", async () => {
    const connection = await open({ maxMessageBytes: 1_000 });
    connection.stdin.write(`\uFEFF${JSON.stringify(initialize(1))}\n`);
    assert.ok((await connection.answerTo(1)).result);
    connection.stdin.write(`\uFEFF${JSON.stringify(call(2, "echo"))}\n`);
    await until(() => connection.answers.length === 2);
    assert.equal(connection.answers[1]?.error?.code, -32700);
    await connection.server.close();
    const long = await open({ maxMessageBytes: 1_000 });
    long.stdin.write(`\uFEFF{"id":5,"a":"${"x".repeat(2_000)}"}\n`);
    assert.match((await long.answerTo(5)).error?.message ?? "", /longer than/);
    await long.server.close();
  });

  test("an unknown protocol version: the handshake is answered with one that is known, a request of the new era with -32022", async () => {
    const old = await open();
    old.send(initialize(1, "1999-01-01"));
    assert.equal((await old.answerTo(1)).result?.["protocolVersion"], "2025-11-25");
    await old.server.close();
    const modern = await open();
    modern.send({
      jsonrpc: "2.0",
      id: 2,
      method: "tools/list",
      params: { _meta: { "io.modelcontextprotocol/protocolVersion": "2099-01-01", "io.modelcontextprotocol/clientCapabilities": {} } },
    });
    assert.equal((await modern.answerTo(2)).error?.code, -32022);
    await modern.server.close();
  });
});

test("progress goes out in order and before the answer, and only where a token was given", async () => {
  const connection = await open();
  connection.send(initialize(1));
  connection.send({ jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "steps", _meta: { progressToken: "t" } } });
  await connection.answerTo(2);
  connection.send(call(3, "steps"));
  await connection.answerTo(3);
  assert.deepEqual(
    connection.answers.slice(1).map(({ method, id }) => method ?? id),
    ["notifications/progress", "notifications/progress", "notifications/progress", 2, 3],
  );
  await connection.server.close();
});

test("progress that is no finite number or doesn't rise is not sent, which is told once", async () => {
  const remarks: string[] = [];
  const connection = await open({ ondebug: (message) => remarks.push(message) });
  connection.send(initialize(1));
  connection.send({ jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "jumpy", _meta: { progressToken: "t" } } });
  await connection.answerTo(2);
  assert.deepEqual(
    connection.answers.flatMap(({ method, params }) => (method === "notifications/progress" ? [params] : [])),
    [
      { progressToken: "t", progress: 1 },
      { progressToken: "t", progress: 2 },
    ],
  );
  assert.deepEqual(remarks, ["the progress of jumpy was not sent on where it was no finite number or did not rise, as MCP wants it to"]);
  await connection.server.close();
});

setFlagsFromString("--expose-gc");
const gc = runInNewContext("gc") as () => void;

describe("a message of 100 MB", () => {
  test("is let go unread and answered under its id, and the server goes on", async () => {
    const connection = await open();
    connection.send(initialize(1));
    await connection.answerTo(1);
    const held = (): number => {
      gc();
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    };
    const before = held();
    connection.stdin.write('{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"a":"');
    for (let i = 0; i < 100; i += 1)
      if (!connection.stdin.write(Buffer.alloc(1024 * 1024, "x"))) await new Promise((resolve) => connection.stdin.once("drain", resolve));
    // Node frees buffers some time after they were collected.
    await until(() => held() - before < 50 * 1024 * 1024);
    connection.stdin.write('"}}}\n');
    const { error } = await connection.answerTo(2);
    assert.match(error?.message ?? "", /longer than 10485760 bytes/);
    connection.send(call(3, "echo", { ok: true }));
    assert.ok((await connection.answerTo(3)).result);
    await connection.server.close();
  });

  test("is answered under an id that stands last, and under none where that isn't certain", async () => {
    const connection = await open({ maxMessageBytes: 1_000 });
    const long = "x".repeat(2_000);
    connection.stdin.write(`{"method":"tools/call","params":{"a":"${long}"},"jsonrpc":"2.0","id":"five"}\n`);
    await connection.answerTo("five");
    connection.stdin.write(`{"params":{"a":"${long}","id":6}}\n`);
    await until(() => connection.answers.length === 2);
    assert.equal(connection.answers[1]?.id, null);
    await connection.server.close();
  });
});

describe("as a process", () => {
  test("nothing but protocol reaches stdout, whatever a handler or a module prints", async () => {
    const child = spawnFixture();
    let out = "";
    let err = "";
    child.stdout?.on("data", (chunk) => {
      out += chunk;
    });
    child.stderr?.on("data", (chunk) => {
      err += chunk;
    });
    for (const message of [initialize(1), call(2, "chatty"), call(3, "boom")]) child.stdin?.write(`${JSON.stringify(message)}\n`);
    child.stdin?.write("rubbish\n");
    child.stdin?.end();
    // At "exit" there may still be output to read.
    const code = await new Promise((resolve) => child.once("close", resolve));
    assert.equal(code, 0);
    const lines = out.trim().split("\n");
    assert.equal(lines.length, 4);
    for (const line of lines) assert.equal(JSON.parse(line).jsonrpc, "2.0");
    for (const printed of ["printed while loading", "this line would break the protocol", "and this", "and this too"])
      assert.ok(err.includes(printed), printed);
    assert.ok(!err.includes("rubbish"), "what a client sent is not logged");
  });

  test("SIGTERM lets the call in flight answer and ends with 0", async () => {
    const child = spawnFixture();
    let out = "";
    child.stdout?.on("data", (chunk) => {
      out += chunk;
    });
    for (const message of [initialize(1), call(2, "pause", { ms: 1_000 }), call(3, "echo")]) child.stdin?.write(`${JSON.stringify(message)}\n`);
    // Lines are read in their order, so the call before this one has begun.
    await until(() => out.includes('"id":3'));
    child.kill("SIGTERM");
    const code = await new Promise((resolve) => child.once("close", resolve));
    assert.equal(code, 0);
    assert.match(out, /"slept":1000/);
  });
});
