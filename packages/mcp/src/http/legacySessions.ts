import { randomUUID } from "node:crypto";
import type { ListName } from "@fettle/contract";
import { isInitializeRequest, type JSONRPCRequest, type Server } from "@modelcontextprotocol/server";
import { announceLists } from "../announceLists.js";
import type { Offers } from "../methods.js";
import { idClash } from "../openRequests.js";
import { isNotification, isRequest, screenBatch, screenMessage } from "../screenMessage.js";
import { WIRE_CODE, type WireError } from "../wireError.js";
import { jsonResponse, refusal } from "./jsonResponse.js";
import { plainAnswer } from "./plainAnswer.js";
import { SessionTransport } from "./sessionTransport.js";
import { whenDone } from "./whenDone.js";

export interface LegacySessionOptions {
  createServer(): Server;
  /** Time without any open request after which a session is closed, in milliseconds. */
  readonly idleMs: number;
  /** Most sessions at once. Beyond it the one that was idle longest makes room. */
  readonly maxSessions: number;
  readonly offers: Offers;
  report(error: unknown): void;
}

interface Session {
  readonly id: string;
  readonly server: Server;
  readonly transport: SessionTransport;
  /** Requests, streams among them, that are not done. */
  open: number;
  readonly timer: NodeJS.Timeout;
}

/** The last revision with batches; the next one forbade them. */
const LAST_WITH_BATCHES = "2025-03-26";

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
    const session = this.#sessions.get(id);
    if (session === undefined) {
      return refusal(404, "There is no such session: it ended, or the server was restarted. Send initialize, without a session id, to open a new one.", {
        code: WIRE_CODE.sessionNotFound,
      });
    }
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    const wrong = (Array.isArray(body) ? refusedBatch(session, body) : undefined) ?? takenId(session, body);
    if (wrong !== undefined) return jsonResponse(400, wrong);
    const response = await this.#serve(session, request, body);
    for (const message of messagesOf(body)) {
      if (isNotification(message) && message.method === "notifications/cancelled") await session.transport.cancelled(message.params?.["requestId"]);
    }
    return response;
  }

  /** Tells every session which lists changed. */
  listsChanged(lists: readonly ListName[]): void {
    for (const { server } of this.#sessions.values()) announceLists(server, lists).catch(this.#options.report);
  }

  /** Answers every request that still waits with the error that the server shut down. */
  async giveUp(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map(({ transport }) => transport.giveUp("closing")));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => this.#end(session)));
  }

  async #open(request: Request, body: unknown): Promise<Response> {
    if (this.#sessions.size >= this.#options.maxSessions && !(await this.#makeRoom())) {
      return refusal(503, `All ${this.#options.maxSessions} sessions of this server are in use. Try again later.`, { headers: { "retry-after": "5" } });
    }
    const id = randomUUID();
    const server = this.#options.createServer();
    const { offers, report } = this.#options;
    const transport = new SessionTransport({ id, offers, report });
    // A cleared timer can't be set again, so one that finds its session in use is.
    const timer = setTimeout(() => (session.open > 0 ? timer.refresh() : void this.#end(session)), this.#options.idleMs).unref();
    const session: Session = { id, server, transport, open: 0, timer };
    this.#sessions.set(id, session);
    transport.onclose = () => {
      clearTimeout(timer);
      this.#sessions.delete(id);
    };
    transport.onerror = report;
    await server.connect(transport);
    const response = await this.#serve(session, request, body);
    // A handshake that was refused, for its Accept header for example, opened nothing.
    if (!response.ok) await this.#end(session);
    return plainAnswer(response);
  }

  async #serve(session: Session, request: Request, body: unknown): Promise<Response> {
    const { transport, timer } = session;
    session.open += 1;
    const requests = requestsOf(body);
    const settle = transport.begin(requests, Array.isArray(body));
    const forget = this.#cancelWhenGone(session, request, requests);
    const response = await transport.handleRequest(request, body === undefined ? {} : { parsedBody: body });
    return whenDone(response, request.signal, () => {
      forget();
      settle();
      session.open -= 1;
      if (this.#sessions.has(session.id)) timer.refresh();
    });
  }

  /**
   * Cancels the calls of a request whose client goes away. The SDK does so only from 2026-07-28 on. In the older revisions a client could
   * come back for the answer, but only to a server that keeps what it sent: this one keeps nothing, so the answer would reach nobody.
   */
  #cancelWhenGone({ transport }: Session, request: Request, requests: readonly JSONRPCRequest[]): () => void {
    if (requests.length === 0) return () => {};
    const cancel = (): void => {
      for (const { id: requestId } of requests)
        transport.onmessage?.({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId, reason: "The client went away." } });
    };
    request.signal.addEventListener("abort", cancel, { once: true });
    return () => request.signal.removeEventListener("abort", cancel);
  }

  async #makeRoom(): Promise<boolean> {
    for (const session of this.#sessions.values()) {
      if (session.open > 0) continue;
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
