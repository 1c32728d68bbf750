import type { Kernel } from "@fettle/kernel";
import {
  createMcpHandler,
  isJSONRPCErrorResponse,
  isJsonContentType,
  isLegacyRequest,
  type JSONRPCRequest,
  type McpHttpHandler,
  type Server,
} from "@modelcontextprotocol/server";
import { createShell, type ShellContext } from "../createShell.js";
import { deprecationHeaders } from "../deprecationHeaders.js";
import { givenUpAnswer } from "../givenUpAnswer.js";
import { GRACE_MS } from "../graceMs.js";
import { initializeResult, isOlderRevision } from "../handshake.js";
import { inOwnWords, type Offers, offersOf } from "../methods.js";
import { questionsOf } from "../questions/questions.js";
import { idOf, isNotification, isRequest, screenAnswer, screenMessage } from "../screenMessage.js";
import { isListen, listen } from "../subscriptions/listen.js";
import { ResourceWatches } from "../subscriptions/resourceWatches.js";
import { ToolLists } from "../toolLists.js";
import { WIRE_CODE } from "../wireError.js";
import { type Answer, jsonAnswer, refusal, type TextAnswer, withHeaders } from "./answer.js";
import type { HttpDefaults } from "./httpDefaults.js";
import type { HttpRequest } from "./httpRequest.js";
import { LegacySessions } from "./legacySessions.js";
import { withParameterHeaders } from "./parameterHeaders.js";
import { isStream, whenDone } from "./whenDone.js";

/** A request of 2026-07-28 that waits for its answer. */
interface ModernCall {
  readonly message: JSONRPCRequest;
  /** The server that was made for it. */
  server?: Server;
  /** Headers that its answer gets when it goes out as plain JSON. */
  headers?: Readonly<Record<string, string>>;
}

/** How long the answers to calls that were given up may take to go out, in milliseconds. */
const GIVE_UP_MS = 200;

/** Both protocol eras at one address: each request says by itself which one it is of. */
export class McpEndpoint {
  readonly #settings: HttpDefaults;
  readonly #lists: ToolLists;
  readonly #watches: ResourceWatches;
  readonly #sessions: LegacySessions;
  readonly #modern: McpHttpHandler;
  readonly #stopListening: () => void;
  readonly #report: (error: unknown) => void;
  readonly #modernCalls = new Map<HttpRequest, ModernCall>();
  /** The same, by what the SDK knows of a request. */
  readonly #callOf = new WeakMap<Request, ModernCall>();
  readonly #offers: Offers;
  /** Tells every stream of 2026-07-28 that is subscribed to the resource. */
  readonly #tellUpdated = (uri: string): void => this.#modern.notify.resourceUpdated(uri);
  #calls = 0;
  #idle: (() => void)[] = [];
  #draining = false;

  constructor(kernel: Kernel, settings: HttpDefaults, report: (error: unknown) => void, debug?: (message: string) => void) {
    this.#settings = settings;
    this.#lists = new ToolLists(kernel);
    this.#watches = new ResourceWatches(kernel, report);
    this.#offers = offersOf(kernel);
    const context: ShellContext = {
      transport: "http",
      lists: this.#lists,
      watches: this.#watches,
      questions: questionsOf(kernel, report, settings),
      report,
      debug,
      onMeta: (request, meta) => {
        const call = this.#callOf.get(request);
        if (call) call.headers = deprecationHeaders(meta);
      },
    };
    const createServer = (): ReturnType<typeof createShell> => createShell(kernel, context);
    this.#report = report;
    this.#sessions = new LegacySessions({
      createServer,
      initialize: (wanted) => initializeResult(kernel, offersOf(kernel), wanted),
      idleMs: settings.session_idle_ms,
      maxSessions: settings.max_sessions,
      replayBytes: settings.replay_bytes,
      callerOf: (request) => kernel.identify({ transport: "http", headers: request.headers(), meta: {} }),
      report,
      offers: this.#offers,
    });
    this.#modern = createMcpHandler(
      ({ requestInfo }) => {
        const server = createServer();
        const call = requestInfo && this.#callOf.get(requestInfo);
        if (call) call.server = server;
        return withParameterHeaders(server, kernel, call?.message);
      },
      { legacy: "reject", onerror: report },
    );
    this.#stopListening = kernel.onListChanged((lists) => {
      this.#sessions.listsChanged(lists);
      if (lists.includes("tools")) this.#modern.notify.toolsChanged();
      if (lists.includes("prompts")) this.#modern.notify.promptsChanged();
      if (lists.includes("resources")) this.#modern.notify.resourcesChanged();
    });
  }

  /** Answers one request. */
  async handle(request: HttpRequest): Promise<Answer> {
    if (request.method === "GET" || request.method === "DELETE") return this.#draining ? shuttingDown(null) : this.#sessions.handle(request, undefined);
    if (request.method !== "POST") return refusal(405, `${request.method} is not served at this address.`, { headers: { allow: "GET, POST, DELETE" } });
    if (!isJsonContentType(request.header("content-type"))) return refusal(415, "The Content-Type of a message is application/json.");
    const read = await request.readBody(this.#settings.max_body_bytes);
    if (read === "too-large")
      return refusal(413, `The body of a request may have at most ${this.#settings.max_body_bytes} bytes (http.max_body_bytes in fettle.config.yaml).`);
    const body = parsed(read);
    if (body === undefined) return refusal(400, "The body of this request is not JSON.", { code: WIRE_CODE.parseError });
    const noAnswer = Array.isArray(body) ? undefined : screenAnswer(body);
    if (noAnswer !== undefined) await this.#sessions.unsoundAnswer(request, idOf(body));
    const wrong = Array.isArray(body) ? undefined : (screenMessage(body) ?? noAnswer);
    if (wrong !== undefined) return jsonAnswer(wrong.error.code === WIRE_CODE.invalidParams ? 200 : 400, wrong);
    // Answers and notifications are let in to the end: calls in flight may wait for them.
    if (this.#draining && (Array.isArray(body) || isRequest(body))) return shuttingDown(idOf(body));
    if (!isCall(body)) return this.#route(request, body);
    this.#calls += 1;
    const done = (): void => {
      this.#modernCalls.delete(request);
      this.#calls -= 1;
      if (this.#calls === 0) for (const wake of this.#idle.splice(0)) wake();
    };
    try {
      return whenDone(await this.#route(request, body), { client: request, done, report: this.#report });
    } catch (error) {
      done();
      throw error;
    }
  }

  /**
   * Takes no new calls and sessions, waits until those in flight have ended, `ms` milliseconds and the kernel's grace at most, and answers the
   * rest with the error `kernel/closing`.
   */
  async drain(ms: number): Promise<void> {
    this.#draining = true;
    const end = performance.now() + ms + GRACE_MS;
    await this.#idleWithin(ms + GRACE_MS);
    await this.#sessions.answered(end - performance.now());
    await this.#sessions.giveUp();
    for (const { message, server } of this.#modernCalls.values()) await server?.transport?.send(givenUpAnswer(message, "closing")).catch(() => {});
    await this.#idleWithin(GIVE_UP_MS);
  }

  #idleWithin(ms: number): Promise<void> {
    if (this.#calls === 0) return Promise.resolve();
    return new Promise((resolve) => {
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
    this.#watches.close();
  }

  async #route(request: HttpRequest, body: unknown): Promise<Answer> {
    if (Array.isArray(body) || isPlainlyOlder(request, body) || (await isLegacyRequest(request.web(), body))) return this.#sessions.handle(request, body);
    if (isRequest(body) && isListen(body)) return this.#listen(request, body);
    const web = request.web();
    if (!isRequest(body)) return this.#modern.fetch(web, { parsedBody: body });
    const call: ModernCall = { message: body };
    this.#modernCalls.set(request, call);
    this.#callOf.set(web, call);
    const answer = await this.#ownWords(await this.#modern.fetch(web, { parsedBody: body }), body);
    // A stream's headers are gone before the call ends.
    return call.headers === undefined || isStream(answer) ? answer : withHeaders(answer, call.headers);
  }

  async #listen(request: HttpRequest, body: JSONRPCRequest): Promise<Answer> {
    const { message, end } = listen(body, this.#watches, this.#tellUpdated);
    try {
      return whenDone(await this.#modern.fetch(request.web(), { parsedBody: message }), { client: request, done: end, report: this.#report });
    } catch (error) {
      end();
      throw error;
    }
  }

  /** An unknown method is answered with 404 and the SDK's bare words, an unknown revision with 400. */
  async #ownWords(response: Response, body: JSONRPCRequest): Promise<Answer> {
    if ((response.status !== 404 && response.status !== 400) || isStream(response)) return response;
    const answer: unknown = await response.json();
    return jsonAnswer(response.status, isJSONRPCErrorResponse(answer) ? inOwnWords(answer, body, this.#offers) : answer);
  }
}

const UTF8 = new TextDecoder("utf-8", { fatal: true });

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(UTF8.decode(bytes));
  } catch {
    return undefined;
  }
}

/** Whether a screened message is of the older era at first sight. The SDK's own look runs its schema library four times. */
function isPlainlyOlder(request: HttpRequest, body: unknown): boolean {
  const version = request.header("mcp-protocol-version");
  return (isRequest(body) || isNotification(body)) && body.params?._meta === undefined && (version === null || isOlderRevision(version));
}

/** Whether a body asks for work that a shutdown waits for. Subscriptions don't end by themselves. */
function isCall(body: unknown): boolean {
  if (Array.isArray(body)) return body.some(isCall);
  return isRequest(body) && !isListen(body);
}

function shuttingDown(id: string | number | null): TextAnswer {
  return refusal(503, "This server is shutting down. Try again in a moment.", { id, headers: { "retry-after": "1", connection: "close" } });
}
