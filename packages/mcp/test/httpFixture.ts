import { connect } from "node:net";
import type { TestBench, TestKernelOptions } from "@fettle/testkit";
import { createHttpServer, type HttpOptions, type HttpServer } from "../src/index.js";
import { fixtureKernel } from "./fixtureTools.js";

/** A running HTTP server with the fixture tools. */
export interface HttpFixture {
  readonly url: string;
  readonly port: number;
  readonly server: HttpServer;
  readonly bench: TestBench;
  readonly errors: readonly string[];
  stop(): Promise<void>;
}

export async function startHttp(http: HttpOptions["http"] = {}, options: TestKernelOptions = {}): Promise<HttpFixture> {
  const bench = await fixtureKernel(options);
  const errors: string[] = [];
  const server = createHttpServer(bench.kernel, { http, onerror: (error) => errors.push(error.message) });
  const { url } = await server.listen({ port: 0 });
  return {
    url,
    port: Number(new URL(url).port),
    server,
    bench,
    errors,
    stop: async () => {
      await server.close({ drainMs: 50 });
      await bench.kernel.close({ drainMs: 0 });
    },
  };
}

export const JSON_HEADERS = { "content-type": "application/json", accept: "application/json, text/event-stream" };

/** One message of the older era, in a session where one is given. */
export function post(url: string, message: unknown, headers: Readonly<Record<string, string>> = {}, signal?: AbortSignal): Promise<Response> {
  const body = typeof message === "string" ? message : JSON.stringify(message);
  return fetch(`${url}/mcp`, { method: "POST", headers: { ...JSON_HEADERS, ...headers }, body, ...(signal && { signal }) });
}

export const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } },
};

/** Opens a session of the older era: the headers that its requests carry. */
export async function openSession(url: string, protocolVersion = "2025-11-25"): Promise<Record<string, string>> {
  const response = await post(url, { ...INITIALIZE, params: { ...INITIALIZE.params, protocolVersion } });
  await response.text();
  const session = response.headers.get("mcp-session-id");
  if (session === null) throw new Error(`initialize gave no session: ${response.status}`);
  return { "mcp-session-id": session, "mcp-protocol-version": protocolVersion };
}

const MODERN = "2026-07-28";

/** One request of revision 2026-07-28. */
export function postModern(url: string, method: string, params: Readonly<Record<string, unknown>> = {}, signal?: AbortSignal): Promise<Response> {
  const { _meta: meta, ...rest } = params;
  const envelope = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientInfo": { name: "t", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const named = params["name"] ?? params["uri"];
  const headers = { "mcp-protocol-version": MODERN, "mcp-method": method, ...(typeof named === "string" && { "mcp-name": named }) };
  return post(url, { jsonrpc: "2.0", id: 1, method, params: { ...rest, _meta: { ...envelope, ...(typeof meta === "object" && meta) } } }, headers, signal);
}

/** The JSON-RPC answer in a response, plain or in a stream of events: the last message. */
export async function answerIn(response: Response): Promise<{ result?: Record<string, unknown>; error?: { code: number; message: string } }> {
  const text = await response.text();
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) return JSON.parse(text);
  const events = text.split("\n").filter((line) => line.startsWith("data: {"));
  return JSON.parse(events.at(-1)?.slice("data: ".length) ?? "null");
}

/** Sends bytes as they are and gives what comes back until the server closes, or until it is `enough`. `end`: nothing more will be sent. */
export function rawExchange(port: number, bytes: string, { end = false, enough }: { readonly end?: boolean; readonly enough?: RegExp } = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    let received = "";
    const timer = setTimeout(() => socket.destroy(new Error(`the server kept the connection open after ${received}`)), 60_000);
    socket.on("data", (chunk) => {
      received += chunk;
      if (enough?.test(received)) socket.destroy();
    });
    socket.on("error", (error) => {
      // A server may reset a connection whose bytes it doesn't want.
      if (!("code" in error)) reject(error);
    });
    socket.on("close", () => {
      clearTimeout(timer);
      resolve(received);
    });
    if (end) socket.end(bytes);
    else socket.write(bytes);
  });
}
