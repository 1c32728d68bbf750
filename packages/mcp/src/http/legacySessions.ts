import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Caller, ListName } from "@fettle/contract";
import { type InitializeRequest, type InitializeResult, isInitializeRequest, type JSONRPCRequest, type Server } from "@modelcontextprotocol/server";
import { announceLists } from "../announceLists.js";
import { isOlderRevision } from "../handshake.js";
import type { Offers } from "../methods.js";
import { idClash } from "../openRequests.js";
import { unsoundAnswer } from "../questions/unsoundAnswer.js";
import { isNotification, isRequest, screenBatch, screenMessage } from "../screenMessage.js";
import { WIRE_CODE, type WireError } from "../wireError.js";
import { type Answer, jsonAnswer, refusal, type TextAnswer } from "./answer.js";
import type { HttpRequest } from "./httpRequest.js";
import { ReplayStore } from "./replayStore.js";
import { needsSession, notAcceptable, takesBoth, unfitForSession } from "./sessionRefusals.js";
import { SessionTransport } from "./sessionTransport.js";
import { isStream, whenDone } from "./whenDone.js";

export interface LegacySessionOptions {
  createServer(): Server;
  /** The answer to a handshake that wants this revision. */
  initialize(wanted: string): InitializeResult;
  /** Time without any open request after which a session is closed, in milliseconds. */
  readonly idleMs: number;
  /** Most sessions at once. Beyond it the one that was idle longest makes room. */
  readonly maxSessions: number;
  readonly offers: Offers;
  /** Most bytes that are kept of one session's streams, for clients that come back; 0 keeps nothing. */
  readonly replayBytes: number;
  /** Who sends a request. A session is served only to whoever opened it. */
  callerOf(request: HttpRequest): Promise<Caller>;
  report(error: unknown): void;
}

interface Session {
  readonly id: string;
  readonly owner: Caller;
  readonly handshake: JSONRPCRequest;
  readonly timer: NodeJS.Timeout;
  /** Requests, streams among them, that are not done. */
  open: number;
  /** What serves it, from its first request on: most of what a session costs. */
  live: Live | undefined;
  waking: Promise<Live> | undefined;
}

interface Live {
  readonly server: Server;
  readonly transport: SessionTransport;
  readonly replay: ReplayStore | undefined;
}

/** The last revision with batches; the next one forbade them. */
const LAST_WITH_BATCHES = "2025-03-26";

/** How often a shutdown looks whether all requests are answered, in milliseconds. */
const LOOK_MS = 20;

/** The one revision of this era whose streams can't be resumed. */
const NOT_RESUMABLE = "2024-11-05";

/**
 * The sessions of protocol revisions 2024-11-05 to 2025-11-25. The handshake is answered here, and leaves a small record; an SDK transport and a
 * thin server are made for a session when it is asked for more.
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
    if (id === null) return isRequest(body) && isInitializeRequest(body) ? this.#open(request, body) : needsSession(body);
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
      return { status: 202, headers: {}, text: "" };
    }
    const unfit = unfitForSession(request, body);
    if (unfit !== undefined) return unfit;
    const live = await this.#wake(session);
    const { transport, replay } = live;
    const wrong = (Array.isArray(body) ? refusedBatch(live, body) : undefined) ?? takenId(live, body);
    if (wrong !== undefined) return jsonAnswer(400, wrong);
    const lastEventId = request.method === "GET" ? request.header("last-event-id") : null;
    const lost = lastEventId === null ? undefined : cannotResume(live, lastEventId);
    if (lost !== undefined) return lost;
    const resumed = lastEventId === null ? undefined : replay?.streamOf(lastEventId);
    const response = await this.#serve(session, live, request, body, resumed);
    for (const message of messagesOf(body)) {
      if (isNotification(message) && message.method === "notifications/cancelled") await transport.cancelled(message.params?.["requestId"]);
    }
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
    await Promise.all(this.#live().map(({ transport }) => transport.giveUp("closing")));
  }

  /** Resolves when no request waits for its answer, also none whose client is away or came back for it; after `ms` milliseconds at the latest. */
  async answered(ms: number): Promise<void> {
    const end = performance.now() + ms;
    const waits = (): boolean => this.#live().some(({ transport }) => transport.open.size > 0);
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

  async #open(request: HttpRequest, handshake: JSONRPCRequest & InitializeRequest): Promise<TextAnswer> {
    const owner = await this.#options.callerOf(request);
    if (!takesBoth(request)) return notAcceptable();
    const { maxSessions, idleMs, initialize } = this.#options;
    if (this.#sessions.size >= maxSessions && !(await this.#makeRoom())) {
      return refusal(503, `All ${maxSessions} sessions of this server are in use. Try again later.`, { headers: { "retry-after": "5" } });
    }
    const id = randomUUID();
    // A cleared timer can't be set again, so one that finds its session in use is.
    const timer = setTimeout(() => (isBusy(session) ? timer.refresh() : void this.#end(session)), idleMs).unref();
    const session: Session = { id, owner, handshake, timer, open: 0, live: undefined, waking: undefined };
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
    const { id, timer, handshake } = session;
    const { createServer, offers, report, replayBytes } = this.#options;
    const server = createServer();
    const replay = replayBytes > 0 && handshake.params?.["protocolVersion"] !== NOT_RESUMABLE ? new ReplayStore(replayBytes) : undefined;
    const transport = new SessionTransport({ id, offers, report, replay });
    transport.onclose = () => {
      clearTimeout(timer);
      this.#sessions.delete(id);
      replay?.clear();
    };
    transport.onerror = report;
    const live = { server, transport, replay };
    session.live = live;
    await server.connect(transport);
    await transport.takeUp(handshake);
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
    await session.live?.server.close().catch(this.#options.report);
  }
}

/** Whether a POST says that the handshake is over. The SDK only takes note of it. */
function isInitialized(request: HttpRequest, body: unknown): boolean {
  const version = request.header("mcp-protocol-version");
  return isNotification(body) && body.method === "notifications/initialized" && takesBoth(request) && (version === null || isOlderRevision(version));
}

/** The requests that plugins and handlers answer within a time limit. */
const BOUNDED = new Set(["tools/call", "prompts/get", "resources/read", "completion/complete"]);

/** Whether somebody waits for something: a client that is connected, or a call that goes on without its client and ends at its deadline at the latest. */
function isBusy({ open, live }: Session): boolean {
  if (open > 0) return true;
  for (const { method } of live?.transport.open.values() ?? []) if (BOUNDED.has(method)) return true;
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

function takenId({ transport }: Live, body: unknown): WireError | undefined {
  for (const request of requestsOf(body)) {
    const wrong = idClash(transport.open, request);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

/** Why a batch isn't taken: the revision has none, or one of its messages is wrong. */
function refusedBatch({ server }: Live, batch: readonly unknown[]): WireError | undefined {
  const version = server.getNegotiatedProtocolVersion();
  return version === undefined || version > LAST_WITH_BATCHES ? screenMessage(batch) : screenBatch(batch);
}
