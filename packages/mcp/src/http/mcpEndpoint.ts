import type { Kernel } from "@fettle/kernel";
import { createMcpHandler, isJsonContentType, isLegacyRequest, type McpHttpHandler } from "@modelcontextprotocol/server";
import { createShell, type ShellContext } from "../createShell.js";
import { deprecationHeaders } from "../deprecationHeaders.js";
import { idOf, isRequest, screenMessage } from "../screenMessage.js";
import { ToolLists } from "../toolLists.js";
import { WIRE_CODE } from "../wireError.js";
import type { ReadBody } from "./body.js";
import type { HttpDefaults } from "./httpDefaults.js";
import { jsonResponse, refusal } from "./jsonResponse.js";
import { LegacySessions } from "./legacySessions.js";
import { isStream, whenDone } from "./whenDone.js";

/** Both protocol eras at one address: each request says by itself which one it is of. */
export class McpEndpoint {
  readonly #settings: HttpDefaults;
  readonly #lists: ToolLists;
  readonly #sessions: LegacySessions;
  readonly #modern: McpHttpHandler;
  readonly #stopListening: () => void;
  /** Headers that an answer gets when it goes out as plain JSON. */
  readonly #headers = new WeakMap<Request, Readonly<Record<string, string>>>();
  #calls = 0;
  #idle: (() => void)[] = [];
  #draining = false;

  constructor(kernel: Kernel, settings: HttpDefaults, report: (error: unknown) => void) {
    this.#settings = settings;
    this.#lists = new ToolLists(kernel);
    const context: ShellContext = {
      transport: "http",
      lists: this.#lists,
      report,
      onMeta: (request, meta) => this.#headers.set(request, deprecationHeaders(meta)),
    };
    const createServer = (): ReturnType<typeof createShell> => createShell(kernel, context);
    this.#sessions = new LegacySessions({ createServer, idleMs: settings.session_idle_ms, maxSessions: settings.max_sessions, report });
    this.#modern = createMcpHandler(createServer, { legacy: "reject", onerror: report });
    this.#stopListening = kernel.onListChanged(() => {
      this.#sessions.toolsChanged();
      this.#modern.notify.toolsChanged();
    });
  }

  /** Answers one request. */
  async handle(request: Request, readBody: ReadBody): Promise<Response> {
    if (request.method === "GET" || request.method === "DELETE") return this.#draining ? shuttingDown(null) : this.#sessions.handle(request, undefined);
    if (request.method !== "POST") return refusal(405, `${request.method} is not served at this address.`, { headers: { allow: "GET, POST, DELETE" } });
    if (!isJsonContentType(request.headers.get("content-type"))) return refusal(415, "The Content-Type of a message is application/json.");
    const read = await readBody(this.#settings.max_body_bytes);
    if (read === "too-large")
      return refusal(413, `The body of a request may have at most ${this.#settings.max_body_bytes} bytes (http.max_body_bytes in fettle.config.yaml).`);
    const body = parsed(read);
    if (body === undefined) return refusal(400, "The body of this request is not JSON.", { code: WIRE_CODE.parseError });
    const wrong = Array.isArray(body) ? undefined : screenMessage(body);
    if (wrong !== undefined) return jsonResponse(wrong.error.code === WIRE_CODE.invalidParams ? 200 : 400, wrong);
    // Answers and notifications are let in to the end: calls in flight may wait for them.
    if (this.#draining && (Array.isArray(body) || isRequest(body))) return shuttingDown(idOf(body));
    if (!isCall(body)) return this.#route(request, body);
    this.#calls += 1;
    const done = (): void => {
      this.#calls -= 1;
      if (this.#calls === 0) for (const wake of this.#idle.splice(0)) wake();
    };
    try {
      return whenDone(await this.#route(request, body), request.signal, done);
    } catch (error) {
      done();
      throw error;
    }
  }

  /** Takes no new calls and sessions, and waits until those in flight have ended, `ms` milliseconds at most. */
  async drain(ms: number): Promise<void> {
    this.#draining = true;
    if (this.#calls === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#idle.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /** Ends all sessions and streams, and aborts the calls that are still in flight. */
  async close(): Promise<void> {
    this.#draining = true;
    this.#stopListening();
    this.#lists.close();
    await Promise.all([this.#sessions.close(), this.#modern.close()]);
  }

  async #route(request: Request, body: unknown): Promise<Response> {
    if (await isLegacyRequest(request, body)) return this.#sessions.handle(request, body);
    const response = await this.#modern.fetch(request, { parsedBody: body });
    const headers = this.#headers.get(request);
    // A stream's headers are gone before the call ends.
    if (headers !== undefined && !isStream(response)) for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
    return response;
  }
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

/** Whether a body asks for work that a shutdown waits for. Subscriptions don't end by themselves. */
function isCall(body: unknown): boolean {
  if (Array.isArray(body)) return body.some(isCall);
  return isRequest(body) && body.method !== "subscriptions/listen";
}

function shuttingDown(id: string | number | null): Response {
  return refusal(503, "This server is shutting down. Try again in a moment.", { id, headers: { "retry-after": "1", connection: "close" } });
}
