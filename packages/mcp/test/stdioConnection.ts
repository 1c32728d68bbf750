import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import type { TestBench } from "@fettle/testkit";
import { type StdioOptions, type StdioServer, serveStdio } from "../src/index.js";
import { until } from "./until.js";

/** One line that the server wrote. */
export interface Answer {
  readonly jsonrpc: "2.0";
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** A server on streams, and what it wrote. */
export interface Connection {
  readonly server: StdioServer;
  readonly errors: readonly string[];
  readonly answers: readonly Answer[];
  readonly stdin: PassThrough;
  readonly stdout: PassThrough;
  send(message: unknown): void;
  answerTo(id: string | number): Promise<Answer>;
}

/** Serves a kernel over stdio in this process. */
export async function openStdio(kernel: TestBench["kernel"], options: StdioOptions = {}): Promise<Connection> {
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  const errors: string[] = [];
  const answers: Answer[] = [];
  let rest = "";
  stdout.on("data", (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) answers.push(JSON.parse(line));
  });
  const server = serveStdio(kernel, { stdin, stdout, onerror: (error) => errors.push(error.message), ...options });
  return {
    server,
    errors,
    answers,
    stdin,
    stdout,
    send: (message) => stdin.write(`${JSON.stringify(message)}\n`),
    answerTo: async (id) => {
      await until(() => answers.some((answer) => answer.id === id));
      const answer = answers.find((candidate) => candidate.id === id);
      assert.ok(answer);
      return answer;
    },
  };
}

/** The handshake of the older era. */
export const initialize = (id: number, protocolVersion = "2025-11-25"): unknown => ({
  jsonrpc: "2.0",
  id,
  method: "initialize",
  params: { protocolVersion, capabilities: {}, clientInfo: { name: "t", version: "1" } },
});
export const call = (id: number | string, name: string, args: unknown = {}): unknown => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: args },
});
