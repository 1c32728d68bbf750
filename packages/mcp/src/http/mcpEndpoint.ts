import type { Kernel } from "@fettle/kernel";
import { GRACE_MS } from "../graceMs.js";
import { initializeResult, isOlderRevision } from "../handshake.js";
import { offersOf } from "../methods.js";
import { idOf, isNotification, isRequest, screenAnswer, screenMessage } from "../screenMessage.js";
import { isListen } from "../subscriptions/listen.js";
import { ToolLists } from "../toolLists.js";
import { WIRE_CODE } from "../wireError.js";
import { type Answer, jsonAnswer, refusal, type TextAnswer } from "./answer.js";
import type { CompleteLane, CompleteLaneOptions } from "./completeLane.js";
import type { HttpDefaults } from "./httpDefaults.js";
import type { HttpRequest } from "./httpRequest.js";
import { LegacySessions } from "./legacySessions.js";
import { whenDone } from "./whenDone.js";

/** How long the answers to calls that were given up may take to go out, in milliseconds. */
const GIVE_UP_MS = 200;

/** Both protocol eras at one address: each request says by itself which one it is of. */
export class McpEndpoint {
  readonly #options: CompleteLaneOptions;
  readonly #sessions: LegacySessions;
  readonly #stopListening: () => void;
  /** What needs the SDK, which is loaded for the first request that does. */
  #complete: Promise<CompleteLane> | undefined;
  #loaded: CompleteLane | undefined;
  #calls = 0;
  #idle: (() => void)[] = [];
  #draining = false;

  constructor(kernel: Kernel, settings: HttpDefaults, report: (error: unknown) => void, debug?: (message: string) => void) {
    const offers = offersOf(kernel);
    this.#options = { kernel, settings, lists: new ToolLists(kernel), offers, report, debug };
    this.#sessions = new LegacySessions({
      ...this.#options,
      initialize: (wanted) => initializeResult(kernel, offersOf(kernel), wanted),
      callerOf: (request) => kernel.identify({ transport: "http", headers: request.headers(), meta: {} }),
      live: async (facts) => (await this.#completeLane()).live(facts),
    });
    this.#stopListening = kernel.onListChanged((lists) => {
      this.#sessions.listsChanged(lists);
      this.#loaded?.modern.listsChanged(lists);
    });
  }

  /** Answers one request. */
  async handle(request: HttpRequest): Promise<Answer> {
    if (request.method === "GET" || request.method === "DELETE") return this.#draining ? shuttingDown(null) : this.#sessions.handle(request, undefined);
    if (request.method !== "POST") return refusal(405, `${request.method} is not served at this address.`, { headers: { allow: "GET, POST, DELETE" } });
    if (!isJson(request.header("content-type"))) return refusal(415, "The Content-Type of a message is application/json.");
    const { max_body_bytes } = this.#options.settings;
    const read = await request.readBody(max_body_bytes);
    if (read === "too-large")
      return refusal(413, `The body of a request may have at most ${max_body_bytes} bytes (http.max_body_bytes in fettle.config.yaml).`);
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
      this.#loaded?.modern.done(request);
      this.#calls -= 1;
      if (this.#calls === 0) for (const wake of this.#idle.splice(0)) wake();
    };
    try {
      return whenDone(await this.#route(request, body), { client: request, done, report: this.#options.report });
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
    await this.#loaded?.modern.giveUp();
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
    this.#options.lists.close();
    await this.#sessions.close();
    await (await this.#complete?.catch(() => undefined))?.close();
  }

  async #route(request: HttpRequest, body: unknown): Promise<Answer> {
    if (Array.isArray(body) || isPlainlyOlder(request, body)) return this.#sessions.handle(request, body);
    const complete = await this.#completeLane();
    return (await complete.isOlder(request, body)) ? this.#sessions.handle(request, body) : complete.modern.handle(request, body);
  }

  #completeLane(): Promise<CompleteLane> {
    this.#complete ??= import("./completeLane.js").then(({ CompleteLane }) => {
      this.#loaded = new CompleteLane(this.#options);
      return this.#loaded;
    });
    return this.#complete;
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

/** Whether a Content-Type says JSON, whatever parameters it has. */
function isJson(contentType: string | null): boolean {
  return contentType?.split(";", 1)[0]?.trim().toLowerCase() === "application/json";
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
