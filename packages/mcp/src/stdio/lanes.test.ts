import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { result } from "@fettle/contract";
import type { TestBench } from "@fettle/testkit";
import { fixtureKernel } from "../../test/fixtureTools.js";
import { until } from "../../test/until.js";
import { serveLanes } from "./serveStdio.js";

const MESSAGES = 2_000;

/** Numbers that are the same in each run. */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const TOOLS = ["echo", "seen", "list", "text", "media", "spaced", "unsound", "missing", "boom", "jumpy", "logs", "confirm", "old", "strict", "strict", "odd"];
const NAMES: readonly unknown[] = ["no-such-tool", "echoo", "", " ", 7, null, undefined, "x".repeat(300), "a\u0000b"];
const ARGS: readonly unknown[] = [{}, { a: 1 }, { text: "grün 🌱" }, { n: 1, s: "x" }, { n: "1" }, { s: 3, more: [] }, undefined, null, [], "{}", 4];
const METAS: readonly unknown[] = [
  {},
  { progressToken: 1 },
  { progressToken: "t" },
  { progressToken: {} },
  { progressToken: 1.5 },
  { "dev.fettle/idempotency-key": "k" },
  { "dev.fettle/idempotency-key": 1 },
  { "dev.fettle/tool-version": "1.0.0" },
  { "dev.fettle/tool-version": "9.9.9" },
  { "io.modelcontextprotocol/related-task": { taskId: "1" } },
  { "io.modelcontextprotocol/related-task": 1 },
  { "io.modelcontextprotocol/protocolVersion": "2026-07-28" },
  { other: { deep: [1] } },
  null,
  [],
  "meta",
];
const EXTRAS: readonly object[] = [
  { idempotencyKey: "alias" },
  { idempotencyKey: 1 },
  { task: { ttl: 5 } },
  { task: 1 },
  { inputResponses: {} },
  { requestState: "made-up" },
  { requestState: 1 },
  { unknown: true },
];
const OTHERS: readonly object[] = [
  { method: "ping" },
  { method: "tools/list" },
  { method: "tools/list", params: { cursor: "not-one" } },
  { method: "tools/list", params: { cursor: 5 } },
  { method: "logging/setLevel", params: { level: "debug" } },
  { method: "logging/setLevel", params: { level: "error" } },
  { method: "logging/setLevel", params: { level: "loud" } },
  { method: "server/discover" },
  { method: "resources/list" },
  { method: "no/such" },
  { method: "tools/call" },
  { method: "tools/call", params: [] },
  { method: "tools/call", params: { name: "echo" }, more: 1 },
  { method: 5 },
  {},
];
const LINES: readonly string[] = [
  "not json",
  "[]",
  "null",
  "5",
  '{"jsonrpc":"2.0","id":null,"method":"ping"}',
  '{"jsonrpc":"1.0","id":1,"method":"ping"}',
  '{"jsonrpc":"2.0","id":987654,"result":{}}',
  '{"jsonrpc":"2.0","id":987654,"result":5}',
  '{"jsonrpc":"2.0","method":"notifications/initialized"}',
  '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"nobody"}}',
  '{"jsonrpc":"2.0","method":"notifications/cancelled"}',
  '{"jsonrpc":"2.0","method":"tools/call","params":{"name":"echo"}}',
];

/** What a client may send, good, bad and odd, in the pieces that arrive at once. */
function pieces(): readonly string[] {
  const upTo = numbersFrom(20_261_201);
  const oneOf = <T>(all: readonly T[]): T => all[upTo(all.length)] as T;
  const line = (message: object): string => JSON.stringify({ jsonrpc: "2.0", ...message });
  return Array.from({ length: MESSAGES }, (_none, index) => {
    const id = upTo(3) === 0 ? `s${index}` : index + 1_000;
    const call = (name: unknown): string => {
      const meta = upTo(3) === 0 ? { _meta: oneOf(METAS) } : {};
      const extra = upTo(8) === 0 ? oneOf(EXTRAS) : {};
      return line({ id, method: "tools/call", params: { name, arguments: oneOf(ARGS), ...meta, ...extra } });
    };
    const cancel = line({ method: "notifications/cancelled", params: { requestId: id } });
    const kind = upTo(20);
    if (kind < 12) return call(oneOf(TOOLS));
    if (kind < 14) return call(oneOf(NAMES));
    if (kind < 17) return line({ id, ...oneOf(OTHERS) });
    if (kind === 17) return `${call("wait")}\n${cancel}`;
    // Two at once under one id: the second is refused.
    if (kind === 18) return `${call("echo")}\n${call("seen")}`;
    return oneOf(LINES);
  });
}

/** Everything that one connection writes, sorted: requests that are in flight together may be answered in any order. */
async function answersOf(bench: TestBench, lanes: "both" | "complete"): Promise<readonly string[]> {
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  const written: string[] = [];
  const errors: string[] = [];
  let rest = "";
  stdout.on("data", (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const message: { id?: unknown; method?: string; params?: { _meta?: unknown } } = JSON.parse(line);
      if (message.method === "elicitation/create") {
        stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: message.id, result: { action: "accept", content: { sure: true } } })}\n`);
        // The SDK numbers its requests, and puts the number into some.
        delete message.id;
        delete message.params?._meta;
      }
      written.push(canonical(message));
    }
  });
  const server = serveLanes(bench.kernel, { stdin, stdout, onerror: (error) => errors.push(error.message) }, lanes);
  const clientInfo = { name: "t", version: "1" };
  const params = { protocolVersion: "2025-11-25", capabilities: { elicitation: {} }, clientInfo };
  stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })}\n`);
  await until(() => written.length === 1);
  for (const piece of pieces()) {
    stdin.write(`${piece}\n`);
    await new Promise(setImmediate);
  }
  await server.close();
  return [...written.sort(), ...errors.sort()];
}

/** A message with its members in order, and without the ids of calls, which are new each time. */
function canonical(message: unknown): string {
  const ordered = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(ordered);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, member]) => [key, ordered(member)]),
    );
  };
  return JSON.stringify(ordered(message)).replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "CALL");
}

test("both lanes answer thousands of messages, good, bad and odd, alike", async () => {
  const object = { type: "object", properties: { n: { type: "integer" }, s: { type: "string" } }, required: ["n"], additionalProperties: false };
  // Blocks of content with members that MCP doesn't know.
  const content = [{ type: "text", text: "t", of: "the author" } as const, { type: "resource_link", uri: "file:///a", name: "a", of: "the author" } as const];
  const tools = { strict: { handler: (args: object) => args, parameters: object }, odd: () => result({ content, data: { n: 1 } }) };
  const bench = await fixtureKernel({ tools });
  const quick = await answersOf(bench, "both");
  const complete = await answersOf(bench, "complete");
  await bench.kernel.close();
  assert.ok(complete.length > MESSAGES * 0.8, `${complete.length} lines`);
  const missing = complete.filter((line) => !quick.includes(line)).slice(0, 10);
  const added = quick.filter((line) => !complete.includes(line)).slice(0, 10);
  assert.deepEqual({ added, missing }, { added: [], missing: [] });
  assert.deepEqual(quick, complete);
});
