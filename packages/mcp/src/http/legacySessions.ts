import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Caller, ListName } from "@fettle/contract";
import { type InitializeRequest, isInitializeRequest, type JSONRPCRequest, type Server } from "@modelcontextprotocol/server";
import { announceLists } from "../announceLists.js";
import type { Offers } from "../methods.js";
import { idClash } from "../openRequests.js";
import { unsoundAnswer } from "../questions/unsoundAnswer.js";
import { isNotification, isRequest, screenBatch, screenMessage } from "../screenMessage.js";
import { WIRE_CODE, type WireError } from "../wireError.js";
import { jsonResponse, refusal } from "./jsonResponse.js";
import { plainAnswer } from "./plainAnswer.js";
import { ReplayStore } from "./replayStore.js";
import { SessionTransport } from "./sessionTransport.js";
import { isStream, whenDone } from "./whenDone.js";

export interface LegacySessionOptions {
  createServer(): Server;
  /** Time without any open request after which a session is closed, in milliseconds. */
  readonly idleMs: number;
  /** Most sessions at once. Beyond it the one that was idle longest makes room. */
  readonly maxSessions: number;
  readonly offers: Offers;
  /** Most bytes that are kept of one session's streams, for clients that come back; 0 keeps nothing. */
  readonly replayBytes: number;
  /** Who sends a request. A session is served only to whoever opened it. */
  callerOf(request: Request): Promise<Caller>;
  report(error: unknown): void;
}

interface Session {
  readonly id: string;
  readonly server: Server;
  readonly transport: SessionTransport;
  readonly replay: ReplayStore | undefined;
  readonly owner: Caller;
  /** Requests, streams among them, that are not done. */
  open: number;
  readonly timer: NodeJS.Timeout;
}

/** The last revision with batches; the next one forbade them. */
const LAST_WITH_BATCHES = "2025-03-26";

/** How often a shutdown looks whether all requests are answered, in milliseconds. */
const LOOK_MS = 20;

/** The one revision of this era whose streams can't be resumed. */
const NOT_RESUMABLE = "2024-11-05";

/** The sessions of protocol revisions 2024-11-05 to 2025-11-25: an SDK transport and a thin server each. */
export class LegacySessions {
  readonly #options: LegacySessionOptions;
  /** By id; the one that was used last is last. */
  readonly #sessions = new Map<string, Session>();

  constructor(options: LegacySessionOptions) {
    this.#options = options;
  }

  /** Answers one request of the older era. `body` is the parsed body of a POST. */
  async handle(request: Request, body: unknown): Promise<Response> {
    const id = request.headers.get("mcp-session-id");
    if (id === null) return isInitializeRequest(body) ? this.#open(request, body) : needsSession(body);
    const session = await this.#find(id, request);
    if (session === undefined) {
      // Of a session of somebody else nobody learns that it exists.
      return refusal(404, "There is no such session: it ended, or the server was restarted. Send initialize, without a session id, to open a new one.", {
        code: WIRE_CODE.sessionNotFound,
      });
    }
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    const wrong = (Array.isArray(body) ? refusedBatch(session, body) : undefined) ?? takenId(session, body);
    if (wrong !== undefined) return jsonResponse(400, wrong);
    const lastEventId = request.method === "GET" ? request.headers.get("last-event-id") : null;
    const lost = lastEventId === null ? undefined : cannotResume(session, lastEventId);
    if (lost !== undefined) return lost;
    if (request.method === "POST") session.transport.wentOn();
    const resumed = lastEventId === null ? undefined : session.replay?.streamOf(lastEventId);
    const response = await this.#serve(session, request, body, resumed);
    for (const message of messagesOf(body)) {
      if (isNotification(message) && message.method === "notifications/cancelled") await session.transport.cancelled(message.params?.["requestId"]);
    }
    return response;
  }

  /** Ends the question of a session that got an answer which is none. */
  async unsoundAnswer(request: Request, question: string | number | null): Promise<void> {
    const id = request.headers.get("mcp-session-id");
    if (id === null || question === null) return;
    const session = await this.#find(id, request);
    session?.transport.onmessage?.(unsoundAnswer(question));
  }

  /** Tells every session which lists changed. */
  listsChanged(lists: readonly ListName[]): void {
    for (const { server } of this.#sessions.values()) announceLists(server, lists).catch(this.#options.report);
  }

  /** Answers every request that still waits with the error that the server shut down. */
  async giveUp(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map(({ transport }) => transport.giveUp("closing")));
  }

  /** Resolves when no request waits for its answer, also none whose client is away or came back for it; after `ms` milliseconds at the latest. */
  async answered(ms: number): Promise<void> {
    const end = performance.now() + ms;
    const waits = (): boolean => [...this.#sessions.values()].some(({ transport }) => transport.open.size > 0);
    while (waits() && performance.now() < end) await wait(LOOK_MS);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => this.#end(session)));
  }

  /** The session with that id, where it is of whoever sends the request. */
  async #find(id: string, request: Request): Promise<Session | undefined> {
    if (!this.#sessions.has(id)) return undefined;
    const caller = await this.#options.callerOf(request);
    // Looked up after the wait: it may have ended meanwhile.
    const session = this.#sessions.get(id);
    return session !== undefined && isSame(session.owner, caller) ? session : undefined;
  }

  async #open(request: Request, body: InitializeRequest): Promise<Response> {
    const owner = await this.#options.callerOf(request);
    if (this.#sessions.size >= this.#options.maxSessions && !(await this.#makeRoom())) {
      return refusal(503, `All ${this.#options.maxSessions} sessions of this server are in use. Try again later.`, { headers: { "retry-after": "5" } });
    }
    const id = randomUUID();
    const server = this.#options.createServer();
    const { offers, report, replayBytes } = this.#options;
    const replay = replayBytes > 0 && body.params.protocolVersion !== NOT_RESUMABLE ? new ReplayStore(replayBytes) : undefined;
    const transport = new SessionTransport({ id, offers, report, replay });
    // A cleared timer can't be set again, so one that finds its session in use is.
    const timer = setTimeout(() => (isBusy(session) ? timer.refresh() : void this.#end(session)), this.#options.idleMs).unref();
    const session: Session = { id, server, transport, replay, owner, open: 0, timer };
    this.#sessions.set(id, session);
    transport.onclose = () => {
      clearTimeout(timer);
      this.#sessions.delete(id);
      replay?.clear();
    };
    transport.onerror = report;
    await server.connect(transport);
    const response = await this.#serve(session, request, body);
    // A handshake that was refused, for its Accept header for example, opened nothing.
    if (!response.ok) await this.#end(session);
    return plainAnswer(response);
  }

  async #serve(session: Session, request: Request, body: unknown, resumed?: string): Promise<Response> {
    const { transport, timer } = session;
    session.open += 1;
    const requests = requestsOf(body);
    const settle = transport.begin(requests, Array.isArray(body));
    const response = await transport.handleRequest(request, body === undefined ? {} : { parsedBody: body });
    const done = (whole: boolean): void => {
      if (whole) transport.wentOut(requests, resumed);
      else this.#gone(session, requests);
      // Where the client comes back its requests go on, and wait for their answers.
      if (!transport.resumable) settle();
      session.open -= 1;
      if (this.#sessions.has(session.id)) timer.refresh();
    };
    if (!isStream(response)) settle();
    return whenDone(response, { signal: request.signal, done, report: this.#options.report });
  }

  /**
   * A client went away before its requests were answered. Where it can come back for the answer they go on: the protocol says that it cancelled
   * nothing. Elsewhere the answer would reach nobody, so they are cancelled.
   */
  #gone({ transport }: Session, requests: readonly JSONRPCRequest[]): void {
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
    await session.server.close().catch(this.#options.report);
  }
}

/** The requests that plugins and handlers answer within a time limit. */
const BOUNDED = new Set(["tools/call", "prompts/get", "resources/read", "completion/complete"]);

/** Whether somebody waits for something: a client that is connected, or a call that goes on without its client and ends at its deadline at the latest. */
function isBusy({ open, transport }: Session): boolean {
  if (open > 0) return true;
  for (const { method } of transport.open.values()) if (BOUNDED.has(method)) return true;
  return false;
}

function isSame(a: Caller, b: Caller): boolean {
  return a.tenant === b.tenant && a.principal === b.principal;
}

/** Why a stream can't be resumed after that event; undefined where it can. */
function cannotResume({ replay }: Session, lastEventId: string): Response | undefined {
  if (replay === undefined) {
    return refusal(400, "The streams of this session can't be resumed. Open one with GET without Last-Event-ID, and call again what was not answered.");
  }
  const wrong = replay.refusal(lastEventId);
  return wrong && refusal(wrong.status, wrong.message);
}

function needsSession(body: unknown): Response {
  if (Array.isArray(body)) return jsonResponse(400, screenMessage(body));
  return refusal(
    400,
    "This request has no Mcp-Session-Id header. Send initialize first and repeat the id that it answers with, or speak protocol revision 2026-07-28, which has no sessions.",
  );
}

function messagesOf(body: unknown): readonly unknown[] {
  return Array.isArray(body) ? body : [body];
}

function requestsOf(body: unknown): readonly JSONRPCRequest[] {
  return messagesOf(body).filter((message) => isRequest(message));
}

function takenId({ transport }: Session, body: unknown): WireError | undefined {
  for (const request of requestsOf(body)) {
    const wrong = idClash(transport.open, request);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

/** Why a batch isn't taken: the revision has none, or one of its messages is wrong. */
function refusedBatch({ server }: Session, batch: readonly unknown[]): WireError | undefined {
  const version = server.getNegotiatedProtocolVersion();
  return version === undefined || version > LAST_WITH_BATCHES ? screenMessage(batch) : screenBatch(batch);
}
