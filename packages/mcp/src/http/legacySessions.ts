import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Caller, JsonObject, ListName } from "@fettle/contract";
import type { Kernel } from "@fettle/kernel";
import type { InitializeResult, JSONRPCNotification, JSONRPCRequest, Server } from "@modelcontextprotocol/server";
import { announceLists } from "../announceLists.js";
import { isOlderRevision } from "../handshake.js";
import { isJsonObject } from "../isJsonObject.js";
import { LogLevel } from "../logLevel.js";
import { idClash, type OpenRequests } from "../openRequests.js";
import { unsoundAnswer } from "../questions/unsoundAnswer.js";
import { COMPLETE, QuickLane } from "../quickLane.js";
import { type Handshake, isHandshake, isNotification, isRequest, screenBatch, screenMessage } from "../screenMessage.js";
import type { ToolLists } from "../toolLists.js";
import { WIRE_CODE, type WireError } from "../wireError.js";
import { type Answer, eventAnswer, jsonAnswer, refusal, type TextAnswer } from "./answer.js";
import type { SessionFacts } from "./completeLane.js";
import type { HttpDefaults } from "./httpDefaults.js";
import type { HttpRequest } from "./httpRequest.js";
import type { ReplayStore } from "./replayStore.js";
import { needsSession, notAcceptable, takesBoth, unfitForSession } from "./sessionRefusals.js";
import type { SessionTransport } from "./sessionTransport.js";
import { isStream, whenDone } from "./whenDone.js";

export interface LegacySessionOptions {
  readonly kernel: Kernel;
  readonly settings: Pick<HttpDefaults, "session_idle_ms" | "max_sessions">;
  readonly lists: ToolLists;
  readonly report: (error: unknown) => void;
  readonly debug: ((message: string) => void) | undefined;
  /** The answer to a handshake that wants this revision. */
  initialize(wanted: string): InitializeResult;
  /** Who sends a request. A session is served only to whoever opened it. */
  callerOf(request: HttpRequest): Promise<Caller>;
  /** Makes what serves a session beyond plain answers. */
  live(session: SessionFacts): Promise<Live>;
}

interface Session {
  readonly id: string;
  readonly owner: Caller;
  readonly handshake: Handshake;
  readonly timer: NodeJS.Timeout;
  /** Those that wait for their answers. */
  readonly requests: OpenRequests;
  readonly level: LogLevel;
  readonly quick: QuickLane;
  /** Requests, streams among them, that are not done. */
  open: number;
  /** What serves it beyond plain answers, from its first request on that needs more: most of what a session costs. */
  live: Live | undefined;
  waking: Promise<Live> | undefined;
}

/** The SDK's side of a session. */
export interface Live {
  readonly server: Server;
  readonly transport: SessionTransport;
  readonly replay: ReplayStore | undefined;
}

/** The last revision with batches; the next one forbade them. */
const LAST_WITH_BATCHES = "2025-03-26";

/**
 * How long a call may take until its answer becomes a stream that its client can come back to, in milliseconds. What is answered sooner goes out whole; what
 * takes longer may outlive its connection.
 */
const QUICK_MS = 50;

/** How often a shutdown looks whether all requests are answered, in milliseconds. */
const LOOK_MS = 20;

/**
 * The sessions of protocol revisions 2024-11-05 to 2025-11-25. The handshake is answered here, and leaves a small record; plain requests are answered by the
 * session's {@link QuickLane}; an SDK transport and a thin server are made for a session when it is asked for more.
 */
export class LegacySessions {
  readonly #options: LegacySessionOptions;
  /** By id; the one that was used last is last. */
  readonly #sessions = new Map<string, Session>();

  constructor(options: LegacySessionOptions) {
    this.#options = options;
  }

  /** Answers one request of the older era. `body` is the parsed body of a POST. */
  async handle(request: HttpRequest, body: unknown): Promise<Answer> {
    const id = request.header("mcp-session-id");
    if (id === null) return isRequest(body) && isHandshake(body) ? this.#open(request, body) : needsSession(body);
    const session = await this.#find(id, request);
    if (session === undefined) {
      // Of a session of somebody else nobody learns that it exists.
      return refusal(404, "There is no such session: it ended, or the server was restarted. Send initialize, without a session id, to open a new one.", {
        code: WIRE_CODE.sessionNotFound,
      });
    }
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    if (session.waking === undefined && isInitialized(request, body)) {
      session.timer.refresh();
      return ACCEPTED;
    }
    const unfit = unfitForSession(request, body);
    if (unfit !== undefined) return unfit;
    const clash = takenId(session, body);
    if (clash !== undefined) return jsonAnswer(400, clash);
    if (isRequest(body) && session.quick.takes(body)) return this.#quickly(session, request, body);
    if (session.waking === undefined && request.method === "DELETE") {
      await this.#end(session);
      return { status: 200, headers: {}, text: "" };
    }
    if (isCancel(body)) {
      session.quick.giveUp("cancelled", body.params?.["requestId"] ?? null);
      if (session.waking === undefined) return ACCEPTED;
    }
    return this.#completely(session, request, body);
  }

  /** Answers a request without the SDK, as long as it needs none of it. */
  async #quickly(session: Session, request: HttpRequest, message: JSONRPCRequest): Promise<Answer> {
    session.open += 1;
    session.requests.set(message.id, message);
    let streams = false;
    try {
      const headers = request.headers();
      const answer = await session.quick.answer(message, {
        caller: (params) => this.#options.kernel.identify({ transport: "http", headers, meta: metaIn(params), sessionId: session.id }),
        patienceMs: QUICK_MS,
      });
      if (answer !== COMPLETE) return eventAnswer(answer, session.id);
      const complete = await this.#completely(session, request, message);
      streams = isStream(complete);
      return complete;
    } finally {
      session.open -= 1;
      if (!streams) {
        // Nobody will ask for it, or answer it.
        session.quick.forget(message.id);
        session.requests.delete(message.id);
      }
      if (this.#sessions.has(session.id)) session.timer.refresh();
    }
  }

  /** Answers what came in a session with all that the SDK does. */
  async #completely(session: Session, request: HttpRequest, body: unknown): Promise<Answer> {
    const live = await this.#wake(session);
    const { transport, replay } = live;
    const wrong = Array.isArray(body) ? refusedBatch(live, body) : undefined;
    if (wrong !== undefined) return jsonAnswer(400, wrong);
    const lastEventId = request.method === "GET" ? request.header("last-event-id") : null;
    const lost = lastEventId === null ? undefined : cannotResume(live, lastEventId);
    if (lost !== undefined) return lost;
    const resumed = lastEventId === null ? undefined : replay?.streamOf(lastEventId);
    const response = await this.#serve(session, live, request, body, resumed);
    for (const message of messagesOf(body)) if (isCancel(message)) await transport.cancelled(message.params?.["requestId"]);
    return response;
  }

  /** Ends the question of a session that got an answer which is none. */
  async unsoundAnswer(request: HttpRequest, question: string | number | null): Promise<void> {
    const id = request.header("mcp-session-id");
    if (id === null || question === null) return;
    const session = await this.#find(id, request);
    session?.live?.transport.onmessage?.(unsoundAnswer(question));
  }

  /** Tells every session which lists changed. */
  listsChanged(lists: readonly ListName[]): void {
    for (const { server } of this.#live()) announceLists(server, lists).catch(this.#options.report);
  }

  /** Answers every request that still waits with the error that the server shut down. */
  async giveUp(): Promise<void> {
    for (const { quick } of this.#sessions.values()) quick.giveUp("closing");
    await Promise.all(this.#live().map(({ transport }) => transport.giveUp("closing")));
  }

  /** Resolves when no request waits for its answer, also none whose client is away or came back for it; after `ms` milliseconds at the latest. */
  async answered(ms: number): Promise<void> {
    const end = performance.now() + ms;
    const waits = (): boolean => [...this.#sessions.values()].some(({ requests }) => requests.size > 0);
    while (waits() && performance.now() < end) await wait(LOOK_MS);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => this.#end(session)));
  }

  /** The session with that id, where it is of whoever sends the request. */
  async #find(id: string, request: HttpRequest): Promise<Session | undefined> {
    if (!this.#sessions.has(id)) return undefined;
    const caller = await this.#options.callerOf(request);
    // Looked up after the wait: it may have ended meanwhile.
    const session = this.#sessions.get(id);
    return session !== undefined && isSame(session.owner, caller) ? session : undefined;
  }

  async #open(request: HttpRequest, handshake: Handshake): Promise<TextAnswer> {
    const owner = await this.#options.callerOf(request);
    if (!takesBoth(request)) return notAcceptable();
    const { initialize, settings, kernel, lists, report, debug } = this.#options;
    const { max_sessions: maxSessions, session_idle_ms: idleMs } = settings;
    if (this.#sessions.size >= maxSessions && !(await this.#makeRoom())) {
      return refusal(503, `All ${maxSessions} sessions of this server are in use. Try again later.`, { headers: { "retry-after": "5" } });
    }
    const id = randomUUID();
    // A cleared timer can't be set again, so one that finds its session in use is.
    const timer = setTimeout(() => (isBusy(session) ? timer.refresh() : void this.#end(session)), idleMs).unref();
    const level = new LogLevel();
    const quick = new QuickLane({ kernel, lists, report, debug, capabilities: handshake.params.capabilities, level });
    const session: Session = { id, owner, handshake, timer, requests: new Map(), level, quick, open: 0, live: undefined, waking: undefined };
    this.#sessions.set(id, session);
    const result = initialize(handshake.params.protocolVersion);
    return jsonAnswer(200, { jsonrpc: "2.0", id: handshake.id, result }, { "mcp-session-id": id });
  }

  #wake(session: Session): Promise<Live> {
    // One that failed is tried again by the next request: what it failed at may be mended.
    session.waking ??= this.#makeLive(session).catch((error: unknown) => {
      session.waking = undefined;
      session.live = undefined;
      throw error;
    });
    return session.waking;
  }

  async #makeLive(session: Session): Promise<Live> {
    const { id, timer, handshake, requests, level, quick } = session;
    const live = await this.#options.live({
      id,
      handshake,
      requests,
      level,
      begun: (request) => quick.begun(request),
      onclose: () => {
        clearTimeout(timer);
        this.#sessions.delete(id);
      },
    });
    session.live = live;
    // It may have ended meanwhile.
    if (!this.#sessions.has(id)) await live.server.close();
    return live;
  }

  #live(): readonly Live[] {
    return [...this.#sessions.values()].flatMap(({ live }) => live ?? []);
  }

  async #serve(session: Session, { transport }: Live, request: HttpRequest, body: unknown, resumed?: string): Promise<Answer> {
    session.open += 1;
    const requests = requestsOf(body);
    const settle = transport.begin(requests, Array.isArray(body));
    const response = await transport.handleRequest(request.web(), body === undefined ? {} : { parsedBody: body });
    const done = (whole: boolean): void => {
      if (whole) transport.wentOut(requests, resumed);
      else this.#gone(transport, requests);
      // Where the client comes back its requests go on, and wait for their answers.
      if (!transport.resumable) settle();
      session.open -= 1;
      if (this.#sessions.has(session.id)) session.timer.refresh();
    };
    if (!isStream(response)) settle();
    return whenDone(response, { client: request, done, report: this.#options.report });
  }

  /**
   * A client went away before its requests were answered. Where it can come back for the answer they go on: the protocol says that it cancelled
   * nothing. Elsewhere the answer would reach nobody, so they are cancelled.
   */
  #gone(transport: SessionTransport, requests: readonly JSONRPCRequest[]): void {
    for (const request of requests) {
      if (transport.resumable || transport.open.get(request.id) !== request) continue;
      const { id: requestId } = request;
      transport.onmessage?.({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId, reason: "The client went away." } });
      transport.forget(requestId);
    }
  }

  async #makeRoom(): Promise<boolean> {
    for (const session of this.#sessions.values()) {
      if (isBusy(session)) continue;
      await this.#end(session);
      return true;
    }
    return false;
  }

  async #end(session: Session): Promise<void> {
    clearTimeout(session.timer);
    this.#sessions.delete(session.id);
    session.quick.giveUp("session-ended");
    await session.live?.server.close().catch(this.#options.report);
  }
}

/** Whether a POST says that the handshake is over. The SDK only takes note of it. */
function isInitialized(request: HttpRequest, body: unknown): boolean {
  const version = request.header("mcp-protocol-version");
  return isNotification(body) && body.method === "notifications/initialized" && takesBoth(request) && (version === null || isOlderRevision(version));
}

function metaIn(params: JsonObject): JsonObject {
  const meta = params["_meta"];
  return isJsonObject(meta) ? meta : {};
}

const ACCEPTED: TextAnswer = { status: 202, headers: {}, text: "" };

function isCancel(message: unknown): message is JSONRPCNotification {
  return isNotification(message) && message.method === "notifications/cancelled";
}

/** The requests that plugins and handlers answer within a time limit. */
const BOUNDED = new Set(["tools/call", "prompts/get", "resources/read", "completion/complete"]);

/** Whether somebody waits for something: a client that is connected, or a call that goes on without its client and ends at its deadline at the latest. */
function isBusy({ open, requests }: Session): boolean {
  if (open > 0) return true;
  for (const { method } of requests.values()) if (BOUNDED.has(method)) return true;
  return false;
}

function isSame(a: Caller, b: Caller): boolean {
  return a.tenant === b.tenant && a.principal === b.principal;
}

/** Why a stream can't be resumed after that event; undefined where it can. */
function cannotResume({ replay }: Live, lastEventId: string): TextAnswer | undefined {
  if (replay === undefined) {
    return refusal(400, "The streams of this session can't be resumed. Open one with GET without Last-Event-ID, and call again what was not answered.");
  }
  const wrong = replay.refusal(lastEventId);
  return wrong && refusal(wrong.status, wrong.message);
}

function messagesOf(body: unknown): readonly unknown[] {
  return Array.isArray(body) ? body : [body];
}

function requestsOf(body: unknown): readonly JSONRPCRequest[] {
  return messagesOf(body).filter((message) => isRequest(message));
}

function takenId({ requests }: Session, body: unknown): WireError | undefined {
  for (const request of requestsOf(body)) {
    const wrong = idClash(requests, request);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

/** Why a batch isn't taken: the revision has none, or one of its messages is wrong. */
function refusedBatch({ server }: Live, batch: readonly unknown[]): WireError | undefined {
  const version = server.getNegotiatedProtocolVersion();
  return version === undefined || version > LAST_WITH_BATCHES ? screenMessage(batch) : screenBatch(batch);
}
