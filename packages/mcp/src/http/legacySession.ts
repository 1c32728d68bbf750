import { setImmediate } from "node:timers/promises";
import type { Caller } from "@fettle/contract";
import type { Kernel } from "@fettle/kernel";
import type { JSONRPCNotification, JSONRPCRequest, Server } from "@modelcontextprotocol/server";
import { callerOf } from "../callerOf.js";
import type { GivenUpCause } from "../givenUpAnswer.js";
import { isOlderRevision } from "../handshake.js";
import { LogLevel } from "../logLevel.js";
import { idClash, type OpenRequests } from "../openRequests.js";
import { COMPLETE, QuickLane } from "../quickLane.js";
import { type Handshake, isNotification, isRequest, screenBatch, screenMessage } from "../screenMessage.js";
import type { ToolLists } from "../toolLists.js";
import type { WireError } from "../wireError.js";
import { type Answer, eventAnswer, jsonAnswer, refusal, type TextAnswer } from "./answer.js";
import type { SessionFacts } from "./completeLane.js";
import type { HttpRequest } from "./httpRequest.js";
import type { ReplayStore } from "./replayStore.js";
import { takesBoth, unfitForSession } from "./sessionRefusals.js";
import type { SessionTransport } from "./sessionTransport.js";
import { isStream, whenDone } from "./whenDone.js";

export interface SessionSurroundings {
  readonly kernel: Kernel;
  readonly lists: ToolLists;
  readonly report: (error: unknown) => void;
  readonly debug: ((message: string) => void) | undefined;
  /** Makes what serves a session beyond plain answers. */
  live(session: SessionFacts): Promise<Live>;
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

/**
 * One session of the older era. Plain requests are answered by its {@link QuickLane}; an SDK transport and a thin server are made for it when it is asked for more,
 * since they are most of what a session costs.
 */
export class LegacySession {
  readonly id: string;
  readonly owner: Caller;
  /** The requests that wait for their answers. */
  readonly requests: OpenRequests = new Map();
  readonly #surroundings: SessionSurroundings;
  readonly #handshake: Handshake;
  readonly #level = new LogLevel();
  readonly #quick: QuickLane;
  readonly #timer: NodeJS.Timeout;
  /** Called once, when the session has ended. */
  readonly #onend: () => void;
  /** Requests, streams among them, that are not done. */
  #open = 0;
  #live: Live | undefined;
  #waking: Promise<Live> | undefined;
  #ended = false;

  /** @param idleMs time without any open request after which it ends, in milliseconds */
  constructor(id: string, owner: Caller, handshake: Handshake, idleMs: number, surroundings: SessionSurroundings, onend: () => void) {
    const { kernel, lists, report, debug } = surroundings;
    this.id = id;
    this.owner = owner;
    this.#surroundings = surroundings;
    this.#handshake = handshake;
    this.#quick = new QuickLane({ kernel, lists, report, debug, capabilities: handshake.params.capabilities, level: this.#level });
    this.#onend = onend;
    // A cleared timer can't be set again, so one that finds its session in use is.
    this.#timer = setTimeout(() => (this.isBusy ? this.#timer.refresh() : void this.end()), idleMs).unref();
  }

  /** The SDK's side, where something needed it. */
  get live(): Live | undefined {
    return this.#live;
  }

  /** Whether somebody waits for something: a client that is connected, or a call that goes on without its client and ends at its deadline at the latest. */
  get isBusy(): boolean {
    if (this.#open > 0) return true;
    for (const { method } of this.requests.values()) if (BOUNDED.has(method)) return true;
    return false;
  }

  /** Answers one request. `body` is the parsed body of a POST. */
  async handle(request: HttpRequest, body: unknown): Promise<Answer> {
    const sleeps = this.#waking === undefined;
    if (sleeps && isInitialized(request, body)) {
      this.#timer.refresh();
      return ACCEPTED;
    }
    const unfit = unfitForSession(request, body);
    if (unfit !== undefined) return unfit;
    const clash = this.#takenId(body);
    if (clash !== undefined) return jsonAnswer(400, clash);
    if (isRequest(body) && this.#quick.takes(body)) return this.#quickly(request, body);
    if (request.method === "DELETE") {
      await this.end();
      return { status: 200, headers: {}, text: "" };
    }
    for (const message of messagesOf(body)) if (isCancel(message)) this.#giveUpQuick("cancelled", message.params?.["requestId"] ?? null);
    return sleeps && isCancel(body) ? ACCEPTED : this.#completely(request, body);
  }

  /** Answers every request that still waits with the error that the server shut down. */
  async giveUp(): Promise<void> {
    this.#giveUpQuick("closing");
    await this.#live?.transport.giveUp("closing");
  }

  /** Answers every request that still waits with the error that the session was ended, and ends it. */
  async end(): Promise<void> {
    this.#over();
    this.#giveUpQuick("session-ended");
    if (this.#waking !== undefined && this.#live === undefined) {
      await this.#waking.catch(() => {});
      // What it was woken for comes first.
      await setImmediate();
    }
    await this.#live?.transport.giveUp("session-ended");
    await this.#live?.server.close().catch(this.#surroundings.report);
  }

  #giveUpQuick(cause: GivenUpCause, id?: unknown): void {
    for (const request of this.#quick.giveUp(cause, id)) this.requests.delete(request.id);
  }

  #over(): void {
    clearTimeout(this.#timer);
    if (this.#ended) return;
    this.#ended = true;
    this.#onend();
  }

  /** Says that a request is done. */
  #done(): void {
    this.#open -= 1;
    if (!this.#ended) this.#timer.refresh();
  }

  /** Answers a request without the SDK, as long as it needs none of it. */
  async #quickly(request: HttpRequest, message: JSONRPCRequest): Promise<Answer> {
    this.#open += 1;
    this.requests.set(message.id, message);
    try {
      const headers = request.headers();
      const answer = await this.#quick.answer(message, {
        caller: (params) => callerOf(this.#surroundings.kernel, { transport: "http", headers, sessionId: this.id }, params),
        patienceMs: QUICK_MS,
      });
      if (answer === COMPLETE) return await this.#completely(request, message);
      this.#takeOff([message]);
      return eventAnswer(answer, this.id);
    } finally {
      this.#done();
    }
  }

  /** Answers what came with all that the SDK does. */
  async #completely(request: HttpRequest, body: unknown): Promise<Answer> {
    const requests = requestsOf(body);
    // From now on their ids are taken.
    for (const each of requests) this.requests.set(each.id, each);
    let streams = false;
    try {
      const answer = await this.#serveLive(request, body, requests);
      streams = isStream(answer);
      return answer;
    } finally {
      if (!streams) {
        // Nobody will answer them, or ask for what has begun.
        for (const { id } of this.#takeOff(requests)) this.#quick.forget(id);
      }
    }
  }

  /** Takes requests off the list, but for those whose id is another's by now. Returns those that it took off. */
  #takeOff(requests: readonly JSONRPCRequest[]): readonly JSONRPCRequest[] {
    const own = requests.filter((each) => (this.requests.get(each.id) ?? each) === each);
    for (const { id } of own) this.requests.delete(id);
    return own;
  }

  async #serveLive(request: HttpRequest, body: unknown, requests: readonly JSONRPCRequest[]): Promise<Answer> {
    const live = await this.#wake();
    const { transport, replay } = live;
    const wrong = Array.isArray(body) ? refusedBatch(live, body) : undefined;
    if (wrong !== undefined) return jsonAnswer(400, wrong);
    const lastEventId = request.method === "GET" ? request.header("last-event-id") : null;
    const lost = lastEventId === null ? undefined : cannotResume(live, lastEventId);
    if (lost !== undefined) return lost;
    const resumed = lastEventId === null ? undefined : replay?.streamOf(lastEventId);
    const response = await this.#serve(live, request, body, requests, resumed);
    for (const message of messagesOf(body)) if (isCancel(message)) await transport.cancelled(message.params?.["requestId"]);
    return response;
  }

  #wake(): Promise<Live> {
    // One that failed is tried again by the next request: what it failed at may be mended.
    this.#waking ??= this.#makeLive().catch((error: unknown) => {
      this.#waking = undefined;
      throw error;
    });
    return this.#waking;
  }

  async #makeLive(): Promise<Live> {
    const { id, requests } = this;
    const live = await this.#surroundings.live({
      id,
      requests,
      handshake: this.#handshake,
      level: this.#level,
      begun: (request) => this.#quick.begun(request),
      onclose: () => this.#over(),
    });
    this.#live = live;
    return live;
  }

  async #serve({ transport }: Live, request: HttpRequest, body: unknown, requests: readonly JSONRPCRequest[], resumed?: string): Promise<Answer> {
    this.#open += 1;
    if (Array.isArray(body)) transport.batched(requests);
    const response = await transport.handleRequest(request.web(), body === undefined ? {} : { parsedBody: body });
    const done = (whole: boolean): void => {
      if (whole) transport.wentOut(requests, resumed);
      else this.#gone(transport, requests);
      // Where the client comes back its requests go on, and wait for their answers.
      if (!transport.resumable) this.#takeOff(requests);
      this.#done();
    };
    return whenDone(response, { client: request, done, report: this.#surroundings.report });
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

  #takenId(body: unknown): WireError | undefined {
    for (const request of requestsOf(body)) {
      const wrong = idClash(this.requests, request);
      if (wrong !== undefined) return wrong;
    }
    return undefined;
  }
}

/** Whether a POST says that the handshake is over. The SDK only takes note of it. */
function isInitialized(request: HttpRequest, body: unknown): boolean {
  const version = request.header("mcp-protocol-version");
  return isNotification(body) && body.method === "notifications/initialized" && takesBoth(request) && (version === null || isOlderRevision(version));
}

const ACCEPTED: TextAnswer = { status: 202, headers: {}, text: "" };

function isCancel(message: unknown): message is JSONRPCNotification {
  return isNotification(message) && message.method === "notifications/cancelled";
}

/** The requests that plugins and handlers answer within a time limit. */
const BOUNDED = new Set(["tools/call", "prompts/get", "resources/read", "completion/complete"]);

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

/** Why a batch isn't taken: the revision has none, or one of its messages is wrong. */
function refusedBatch({ server }: Live, batch: readonly unknown[]): WireError | undefined {
  const version = server.getNegotiatedProtocolVersion();
  return version === undefined || version > LAST_WITH_BATCHES ? screenMessage(batch) : screenBatch(batch);
}
