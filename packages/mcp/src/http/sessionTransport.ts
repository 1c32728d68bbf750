import { type JSONRPCMessage, type JSONRPCRequest, type JSONRPCResponse, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { type GivenUpCause, givenUpAnswer } from "../givenUpAnswer.js";
import { inOwnWords, type Offers } from "../methods.js";
import type { OpenRequests } from "../openRequests.js";
import type { ReplayStore } from "./replayStore.js";

/** How many streams that were answered and went out whole are kept of a session; the oldest go first. */
const MOST_READ_OUT = 16;

/** When a client whose stream was closed comes back, in milliseconds: what it is told to do. */
const RETRY_MS = 1_000;

export interface SessionTransportOptions {
  readonly id: string;
  readonly offers: Offers;
  /** The requests of the session that wait for their answers. */
  readonly open: OpenRequests;
  /** Keeps the events of streams that the client may come back for; undefined where it can't. */
  readonly replay: ReplayStore | undefined;
  report(error: unknown): void;
}

/** The SDK's transport of one session, which also knows the requests that wait for an answer, so that none is left without. */
export class SessionTransport extends WebStandardStreamableHTTPServerTransport {
  readonly open: OpenRequests;
  /** Those that came in a batch: their answers share one stream. */
  readonly #batched = new WeakSet<JSONRPCRequest>();
  readonly #options: SessionTransportOptions;
  /** The streams of requests that were answered. */
  readonly #streams = new WeakMap<JSONRPCRequest, string>();
  /** Whether the client ever listened to what belongs to no request. */
  #listened = false;
  /** Told of the answer to the handshake when the session is taken up. */
  #tookUp: (() => void) | undefined;
  /** Streams that were answered and went out whole, oldest first. */
  readonly #readOut = new Set<string>();

  constructor(options: SessionTransportOptions) {
    super({
      sessionIdGenerator: () => options.id,
      ...(options.replay && { eventStore: options.replay, retryInterval: RETRY_MS }),
    });
    this.#options = options;
    this.open = options.open;
  }

  /** Whether clients that went away can come back for what they missed. */
  get resumable(): boolean {
    return this.#options.replay !== undefined;
  }

  /** Takes up a session whose handshake was answered already: the server hears of it, and what it says to it goes nowhere. */
  async takeUp(handshake: JSONRPCRequest): Promise<void> {
    this.sessionId = this.#options.id;
    this["_initialized"] = true;
    await new Promise<void>((resolve) => {
      this.#tookUp = resolve;
      this.onmessage?.(handshake);
    });
    this.#tookUp = undefined;
  }

  override close(): Promise<void> {
    this.#tookUp?.();
    return super.close();
  }

  /**
   * Says that a stream went out whole: that of these requests, or one that was resumed. It is kept for a while all the same: the client may have
   * lost its end on the way, also where it sent something else since.
   */
  wentOut([first]: readonly JSONRPCRequest[], resumed: string | undefined): void {
    const stream = resumed ?? (first && this.#streams.get(first));
    if (stream !== undefined && ![...this["_requestToStreamMapping"].values()].includes(stream)) this.#readOut.add(stream);
    for (const oldest of this.#readOut) {
      if (this.#readOut.size <= MOST_READ_OUT) break;
      this.#readOut.delete(oldest);
      this.#options.replay?.free(oldest);
    }
  }

  /** Notes that some requests came in a batch. */
  batched(requests: readonly JSONRPCRequest[]): void {
    for (const request of requests) this.#batched.add(request);
  }

  override handleRequest(...args: Parameters<WebStandardStreamableHTTPServerTransport["handleRequest"]>): Promise<Response> {
    if (args[0].method === "GET") this.#listened = true;
    // A client that opens its stream again has lost the one before, also where that connection never said so.
    if (opensStream(args[0])) this.closeStandaloneSSEStream();
    return super.handleRequest(...args);
  }

  override async send(message: JSONRPCMessage, options?: Parameters<WebStandardStreamableHTTPServerTransport["send"]>[1]): Promise<void> {
    // What no stream was ever opened for isn't kept either: nobody has an event id to come back with.
    if ("method" in message && options?.relatedRequestId === undefined && !this.#listened) return;
    if ("method" in message || message.id === undefined) return super.send(message, options);
    if (this.#tookUp !== undefined) return this.#tookUp();
    const request = this.open.get(message.id);
    this.open.delete(message.id);
    // Without a request it was given up and has its answer.
    if (request === undefined) return;
    const stream = this["_requestToStreamMapping"].get(message.id);
    if (stream !== undefined) this.#streams.set(request, stream);
    await super.send(inOwnWords(message, request, this.#options.offers), options);
  }

  /** Answers every request that still waits with the error that it was given up. */
  async giveUp(cause: GivenUpCause): Promise<void> {
    for (const request of [...this.open.values()]) await this.send(givenUpAnswer(request, cause)).catch(this.#options.report);
  }

  /**
   * Ends a request that its client cancelled. The SDK answers it with nothing and leaves its stream open: two sockets that nobody uses. In a
   * batch the stream is the others' too and ends when all are answered, so there it gets an answer. So it does where streams can be resumed:
   * clients come back to one that ended without a result, also for a call that they cancelled.
   */
  async cancelled(id: unknown): Promise<void> {
    if (typeof id !== "string" && typeof id !== "number") return;
    const request = this.open.get(id);
    if (request === undefined) return;
    if (this.#batched.has(request)) return this.send(givenUpAnswer(request, "cancelled")).catch(this.#options.report);
    if (this.resumable) return this.send(asResult(givenUpAnswer(request, "cancelled"))).catch(this.#options.report);
    this.open.delete(id);
    this.closeSSEStream(id);
    this.forget(id);
  }

  /** Forgets a request that will not be answered. The SDK would remember its stream as long as the session lives. */
  forget(id: string | number): void {
    const streams = this["_requestToStreamMapping"];
    const stream = streams.get(id);
    streams.delete(id);
    if (stream !== undefined && ![...streams.values()].includes(stream)) this.#options.replay?.free(stream);
  }
}

/** Whether a request asks for the stream of what belongs to no request, from now on. */
function opensStream({ method, headers }: Request): boolean {
  return method === "GET" && !headers.has("last-event-id") && (headers.get("accept") ?? "").includes("text/event-stream");
}

/** An error as a result: clients of SDK 1.x come back for more to a stream that ended with an error. */
function asResult(answer: JSONRPCResponse): JSONRPCResponse {
  if (!("error" in answer)) return answer;
  return { jsonrpc: "2.0", id: answer.id ?? "", result: { _meta: { "dev.fettle/error": { message: answer.error.message } } } };
}
