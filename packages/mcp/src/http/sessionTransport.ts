import { type JSONRPCMessage, type JSONRPCRequest, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { type GivenUpCause, givenUpAnswer } from "../givenUpAnswer.js";
import { type Offers, withMethodNamed } from "../methods.js";
import type { OpenRequests } from "../openRequests.js";

export interface SessionTransportOptions {
  readonly id: string;
  readonly offers: Offers;
  report(error: unknown): void;
}

/** The SDK's transport of one session, which also knows the requests that wait for an answer, so that none is left without. */
export class SessionTransport extends WebStandardStreamableHTTPServerTransport {
  readonly open: OpenRequests = new Map();
  /** Those that came in a batch: their answers share one stream. */
  readonly #batched = new WeakSet<JSONRPCRequest>();
  readonly #options: SessionTransportOptions;

  constructor(options: SessionTransportOptions) {
    // Called once a DELETE is accepted, before its streams are closed.
    super({ sessionIdGenerator: () => options.id, onsessionclosed: () => this.giveUp("session-ended") });
    this.#options = options;
  }

  /** Notes the requests of one POST. Returns what takes off those that are left, for when its answer has gone out or nobody waits for it. */
  begin(requests: readonly JSONRPCRequest[], inBatch: boolean): () => void {
    for (const request of requests) {
      this.open.set(request.id, request);
      if (inBatch) this.#batched.add(request);
    }
    return () => {
      for (const request of requests) if (this.open.get(request.id) === request) this.open.delete(request.id);
    };
  }

  override async send(message: JSONRPCMessage, options?: Parameters<WebStandardStreamableHTTPServerTransport["send"]>[1]): Promise<void> {
    if ("method" in message || message.id === undefined) return super.send(message, options);
    const request = this.open.get(message.id);
    this.open.delete(message.id);
    // Without a request it was given up and has its answer.
    if (request !== undefined) await super.send(withMethodNamed(message, request.method, this.#options.offers), options);
  }

  /** Answers every request that still waits with the error that it was given up. */
  async giveUp(cause: GivenUpCause): Promise<void> {
    for (const request of [...this.open.values()]) await this.send(givenUpAnswer(request, cause)).catch(this.#options.report);
  }

  /**
   * Ends a request that its client cancelled. The SDK answers it with nothing and leaves its stream open: two sockets that nobody uses. In a
   * batch the stream is the others' too and ends when all are answered, so there it gets an answer.
   */
  async cancelled(id: unknown): Promise<void> {
    if (typeof id !== "string" && typeof id !== "number") return;
    const request = this.open.get(id);
    if (request === undefined) return;
    if (this.#batched.has(request)) return this.send(givenUpAnswer(request, "cancelled")).catch(this.#options.report);
    this.open.delete(id);
    this.closeSSEStream(id);
  }
}
