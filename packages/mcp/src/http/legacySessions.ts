import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Caller, ListName } from "@fettle/contract";
import type { InitializeResult } from "@modelcontextprotocol/server";
import { announceLists } from "../announceLists.js";
import { unsoundAnswer } from "../questions/unsoundAnswer.js";
import { type Handshake, isHandshake, isRequest } from "../screenMessage.js";
import { WIRE_CODE } from "../wireError.js";
import { type Answer, jsonAnswer, refusal, type TextAnswer } from "./answer.js";
import type { HttpDefaults } from "./httpDefaults.js";
import type { HttpRequest } from "./httpRequest.js";
import { LegacySession, type SessionSurroundings } from "./legacySession.js";
import { needsSession, notAcceptable, takesBoth } from "./sessionRefusals.js";

export interface LegacySessionsOptions extends SessionSurroundings {
  readonly settings: Pick<HttpDefaults, "session_idle_ms" | "max_sessions">;
  /** The answer to a handshake that wants this revision. */
  initialize(wanted: string): InitializeResult;
  /** Who sends a request. A session is served only to whoever opened it. */
  callerOf(request: HttpRequest): Promise<Caller>;
}

/** How often a shutdown looks whether all requests are answered, in milliseconds. */
const LOOK_MS = 20;

/**
 * The sessions of protocol revisions 2024-11-05 to 2025-11-25. The handshake is answered here, and leaves a small record; what comes after it is the
 * session's own to answer.
 */
export class LegacySessions {
  readonly #options: LegacySessionsOptions;
  /** By id; the one that was used last is last. */
  readonly #sessions = new Map<string, LegacySession>();

  constructor(options: LegacySessionsOptions) {
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
    return session.handle(request, body);
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
    for (const { live } of this.#sessions.values()) if (live !== undefined) announceLists(live.server, lists).catch(this.#options.report);
  }

  /** Answers every request that still waits with the error that the server shut down. */
  async giveUp(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => session.giveUp()));
  }

  /** Resolves when no request waits for its answer, also none whose client is away or came back for it; after `ms` milliseconds at the latest. */
  async answered(ms: number): Promise<void> {
    const end = performance.now() + ms;
    const waits = (): boolean => [...this.#sessions.values()].some(({ requests }) => requests.size > 0);
    while (waits() && performance.now() < end) await wait(LOOK_MS);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => session.end()));
  }

  /** The session with that id, where it is of whoever sends the request. */
  async #find(id: string, request: HttpRequest): Promise<LegacySession | undefined> {
    if (!this.#sessions.has(id)) return undefined;
    const caller = await this.#options.callerOf(request);
    // Looked up after the wait: it may have ended meanwhile.
    const session = this.#sessions.get(id);
    return session !== undefined && isSame(session.owner, caller) ? session : undefined;
  }

  async #open(request: HttpRequest, handshake: Handshake): Promise<TextAnswer> {
    const owner = await this.#options.callerOf(request);
    if (!takesBoth(request)) return notAcceptable();
    const { initialize, settings, ...surroundings } = this.#options;
    const { max_sessions: maxSessions } = settings;
    if (this.#sessions.size >= maxSessions && !(await this.#makeRoom())) {
      return refusal(503, `All ${maxSessions} sessions of this server are in use. Try again later.`, { headers: { "retry-after": "5" } });
    }
    const id = randomUUID();
    this.#sessions.set(id, new LegacySession(id, owner, handshake, settings.session_idle_ms, surroundings, () => this.#sessions.delete(id)));
    const result = initialize(handshake.params.protocolVersion);
    return jsonAnswer(200, { jsonrpc: "2.0", id: handshake.id, result }, { "mcp-session-id": id });
  }

  async #makeRoom(): Promise<boolean> {
    for (const session of this.#sessions.values()) {
      if (session.isBusy) continue;
      await session.end();
      return true;
    }
    return false;
  }
}

function isSame(a: Caller, b: Caller): boolean {
  return a.tenant === b.tenant && a.principal === b.principal;
}
