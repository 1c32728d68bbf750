import type { Readable, Writable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import type { JSONRPCMessage, JSONRPCRequest, Transport } from "@modelcontextprotocol/server";
import { givenUpAnswer } from "../givenUpAnswer.js";
import { inOwnWords, type Offers } from "../methods.js";
import { idClash, type OpenRequests } from "../openRequests.js";
import { unsoundAnswer } from "../questions/unsoundAnswer.js";
import { COMPLETE } from "../quickLane.js";
import { idOf, isAnswer, isNotification, isRequest, screenMessage } from "../screenMessage.js";
import { isListen, type Listening } from "../subscriptions/listen.js";
import { WIRE_CODE, type WireError, wireError } from "../wireError.js";
import { LineSplitter } from "./lineSplitter.js";
import { LineWriter } from "./lineWriter.js";
import type { QuickStart } from "./quickStart.js";

export interface StdioTransportOptions {
  readonly stdin: Readable;
  readonly stdout: Writable;
  /** Longest message in bytes. */
  readonly maxMessageBytes: number;
  readonly offers: Offers;
  /** Answers what needs nothing of the SDK; undefined lets the SDK answer everything. */
  readonly quick: QuickStart | undefined;
  /** Connects the transport to the SDK. Called once, when something needs it. */
  complete(): Promise<void>;
}

/**
 * One message a line, as the SDK's own stdio transport, but a line that is no message gets an answer (that one is silent), a message past all
 * measure doesn't end the connection (that one closes), and when stdin ends the calls in flight may still answer (that one aborts them).
 */
export class StdioTransport implements Transport {
  onclose: Transport["onclose"];
  onerror: Transport["onerror"];
  onmessage: Transport["onmessage"];
  /** Begins what a `subscriptions/listen` asks for. */
  listen: (message: JSONRPCRequest) => Listening = (message) => ({ message, end: () => {} });
  /** Whether the connection has ended. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Called once when the connection has ended. */
  onclosed: (() => void) | undefined;
  /** Called when stdin ended. */
  onend: (() => void) | undefined;
  readonly #options: StdioTransportOptions;
  readonly #splitter: LineSplitter;
  /** Requests that wait for an answer; a subscription is one until the connection ends. */
  readonly #open: OpenRequests = new Map();
  /** Subscriptions by the ids of their requests. */
  readonly #listening = new Map<string | number, Listening>();
  #idle: (() => void)[] = [];
  /** Whether nothing was read yet: a file or a shell may begin with a byte order mark. */
  #first = true;
  #draining = false;
  /** What waits for the SDK. */
  readonly #undelivered: JSONRPCMessage[] = [];
  #connecting: Promise<void> | undefined;
  #connected = false;
  /** Told of the SDK's answer to the handshake. */
  #tookUp: (() => void) | undefined;
  #closed = false;
  readonly #writer: LineWriter;

  constructor(options: StdioTransportOptions) {
    this.#options = options;
    this.#writer = new LineWriter(options.stdout, (error) => this.#letGo(error));
    this.#splitter = new LineSplitter(options.maxMessageBytes, { line: (text) => this.#line(text), tooLong: (head, tail) => this.#tooLong(head, tail) });
  }

  /** Starts to read. The SDK's `start` comes later, or never. */
  begin(): void {
    const { stdin, stdout } = this.#options;
    stdin.on("data", this.#ondata);
    stdin.on("end", this.#onend);
    stdin.on("close", this.#onend);
    stdin.on("error", this.#onstdinerror);
    stdout.on("error", this.#onstdouterror);
    if (stdin.readableEnded || stdin.destroyed) void setImmediate().then(this.#onend);
  }

  async start(): Promise<void> {}

  async send(message: JSONRPCMessage): Promise<void> {
    if ("method" in message) return this.#write(message);
    if (this.#tookUp !== undefined) return this.#tookUp();
    const request = this.#answered(message.id);
    // Without a request it was given up and has its answer.
    if (request !== undefined) await this.#write(inOwnWords(message, request, this.#options.offers));
  }

  /** Refuses requests from now on. Answers and notifications are still read: calls in flight may wait for them. */
  refuseRequests(): void {
    this.#draining = true;
  }

  /** Resolves when every request is answered, after `ms` milliseconds at the latest. */
  drained(ms: number): Promise<void> {
    if (this.#isIdle() || this.#closed) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#idle.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /** Answers every request that still waits with the error that the server shut down. */
  giveUp(): void {
    for (const request of [...this.#open.values()].filter(isWork)) {
      this.#answered(request.id);
      this.#write(givenUpAnswer(request, "closing")).catch(this.#onfailure);
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#writer.end();
    const { stdin } = this.#options;
    stdin.off("data", this.#ondata);
    stdin.pause();
    stdin.off("end", this.#onend);
    stdin.off("close", this.#onend);
    stdin.off("error", this.#onstdinerror);
    this.#open.clear();
    this.#options.quick?.abort();
    this.#tookUp?.();
    for (const { end } of this.#listening.values()) end();
    this.#listening.clear();
    this.#wake();
    this.onclose?.();
    this.onclosed?.();
  }

  readonly #ondata = (chunk: Buffer | string): void => this.#splitter.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk);

  readonly #onend = (): void => {
    this.#splitter.end();
    this.onend?.();
  };

  readonly #onstdinerror = (error: Error): void => this.onerror?.(error);

  // Nobody reads any more: no answer can arrive.
  readonly #onstdouterror = (error: Error): void => {
    if (this.#closed) return;
    this.onerror?.(error);
    void this.close();
  };

  #line(line: string): void {
    const text = this.#withoutMark(line);
    if (text.trim() === "") return;
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      this.#refuse(wireError(null, WIRE_CODE.parseError, "This line is not JSON: a message is one JSON object on one line."));
      return;
    }
    const wrong = screenMessage(message) ?? (isRequest(message) ? this.#cannotTake(message) : undefined);
    if (wrong !== undefined) this.#refuse(wrong);
    else if (isRequest(message)) {
      // A handshake that follows something else is the SDK's, as that is.
      const quick = (message.method !== "initialize" || this.#connecting === undefined) && this.#options.quick?.takes(message, this.#open) === true;
      this.#open.set(message.id, message);
      if (quick) void this.#answerQuickly(message);
      else this.#deliver(message);
    } else if (isNotification(message)) {
      // A cancelled request gets no answer.
      if (message.method === "notifications/cancelled") this.#cancelled(message.params?.["requestId"]);
      // Nothing of what was answered here needs any other; that of the handshake is made up for when the SDK comes in.
      if (this.#isQuick()) return;
      this.#deliver(message);
    } else if (isAnswer(message)) this.#deliver(message);
    else this.#unsoundAnswer(idOf(message));
  }

  /** Whether the handshake was answered here, and nothing needed the SDK since. */
  #isQuick(): boolean {
    return this.#connecting === undefined && this.#options.quick?.handshake !== undefined;
  }

  async #answerQuickly(message: JSONRPCRequest): Promise<void> {
    const answer = await this.#options.quick?.answer(message);
    // One that was cancelled gets no answer; its id may be another's already.
    if (this.#open.get(message.id) !== message) {
      if (answer === COMPLETE) this.#options.quick?.forget(message.id);
      return;
    }
    if (answer === undefined || answer === COMPLETE) this.#deliver(message);
    else await this.send(answer).catch(this.#onfailure);
  }

  /** Hands a message to the SDK, which is loaded for the first one. */
  #deliver(message: JSONRPCMessage): void {
    if (this.#connected) {
      this.#hand(message);
      return;
    }
    this.#undelivered.push(message);
    this.#connecting ??= this.#connect().catch(this.#onfailure);
  }

  async #connect(): Promise<void> {
    await this.#options.complete();
    if (this.#closed) return;
    const handshake = this.#options.quick?.handshake;
    if (handshake !== undefined) {
      // The SDK hears of the handshake that was answered already, and what it says to it goes nowhere.
      await new Promise<void>((resolve) => {
        this.#tookUp = resolve;
        this.onmessage?.(handshake);
      });
      this.#tookUp = undefined;
      this.onmessage?.({ jsonrpc: "2.0", method: "notifications/initialized" });
    }
    for (let message = this.#undelivered.shift(); message !== undefined; message = this.#undelivered.shift()) {
      this.#hand(message);
      // One after the other, as they came: what sets something must not overtake a request that came before it.
      await setImmediate();
    }
    this.#connected = true;
  }

  #hand(message: JSONRPCMessage): void {
    this.onmessage?.(isRequest(message) && isListen(message) ? this.#listen(message) : message);
  }

  #cancelled(id: unknown): void {
    this.#answered(id);
    if (typeof id === "string" || typeof id === "number") this.#options.quick?.abort(id);
  }

  #listen(message: JSONRPCRequest): JSONRPCRequest {
    const listening = this.listen(message);
    this.#listening.set(message.id, listening);
    return listening.message;
  }

  /** An answer that is none ends the question that it is for. It gets no answer itself. */
  #unsoundAnswer(id: string | number | null): void {
    this.onerror?.(new Error("Ignored an answer that is not a JSON-RPC response."));
    if (id !== null) this.#deliver(unsoundAnswer(id));
  }

  #cannotTake(request: JSONRPCRequest): WireError | undefined {
    if (this.#draining) return wireError(request.id, WIRE_CODE.refused, "This server is shutting down and takes no new requests. Try again in a moment.");
    return idClash(this.#open, request);
  }

  #withoutMark(line: string): string {
    const first = this.#first;
    this.#first = false;
    return first && line.startsWith("\uFEFF") ? line.slice(1) : line;
  }

  #tooLong(head: string, tail: string): void {
    const text = `This message is longer than ${this.#options.maxMessageBytes} bytes and was not read.`;
    this.#refuse(wireError(idAtEdge(this.#withoutMark(head), tail), WIRE_CODE.invalidRequest, text));
  }

  #refuse(error: WireError): void {
    this.onerror?.(new Error(`Refused a message: ${error.error.message}`));
    this.#write(error).catch(this.#onfailure);
  }

  readonly #onfailure = (failure: unknown): void => this.onerror?.(failure instanceof Error ? failure : new Error(String(failure)));

  #write(message: JSONRPCMessage | WireError): Promise<void> {
    if (this.#closed || this.#options.stdout.destroyed) return Promise.reject(new Error("The connection is closed."));
    return this.#writer.write(`${JSON.stringify(message)}\n`, "method" in message);
  }

  /** Ends the connection without waiting for what is written. */
  #letGo(error: Error): void {
    if (this.#closed) return;
    this.onerror?.(error);
    void this.close();
    this.#options.stdout.destroy();
  }

  /** Takes a request off the list, and returns it. */
  #answered(id: unknown): JSONRPCRequest | undefined {
    if (typeof id !== "string" && typeof id !== "number") return undefined;
    const request = this.#open.get(id);
    this.#open.delete(id);
    this.#listening.get(id)?.end();
    this.#listening.delete(id);
    if (this.#isIdle()) this.#wake();
    return request;
  }

  #isIdle(): boolean {
    for (const request of this.#open.values()) if (isWork(request)) return false;
    return true;
  }

  #wake(): void {
    const waiting = this.#idle;
    this.#idle = [];
    for (const wake of waiting) wake();
  }
}

/** Whether a request is work that ends by itself. A subscription is answered when the connection ends. */
function isWork(request: JSONRPCRequest): boolean {
  return !isListen(request);
}

/** The id of a message of which only the ends are known: clients write it first or last. Only places where it can't be a member of params count. */
function idAtEdge(head: string, tail: string): string | number | null {
  const found =
    /^\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*("[^"\\]{1,100}"|-?\d{1,15})\s*,/.exec(head) ??
    /,\s*"id"\s*:\s*("[^"\\]{1,100}"|-?\d{1,15})\s*\}\s*$/.exec(tail);
  if (found?.[1] === undefined) return null;
  return idOf({ id: JSON.parse(found[1]) });
}
