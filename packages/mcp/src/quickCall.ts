import type { Caller, Content, JsonObject, Outcome } from "@fettle/contract";
import type { Kernel } from "@fettle/kernel";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { isJsonObject } from "./isJsonObject.js";
import type { LogLevel } from "./logLevel.js";
import { type ClientCapabilities, clientCapabilities } from "./questions/clientCapabilities.js";
import { badProgress, toAsk } from "./toAsk.js";
import { isPlainText, toCallToolResult } from "./toCallToolResult.js";
import { unknownTool } from "./unknownTool.js";
import type { WireContext } from "./wireContext.js";

/** What a quick call needs of its session. */
export interface QuickCallSurroundings {
  readonly kernel: Kernel;
  /** Of the handshake. */
  readonly capabilities: ClientCapabilities;
  readonly level: LogLevel;
  /** Tells the client something of a request. Default by the SDK, with which the request goes on then. */
  readonly notify?: WireContext["mcpReq"]["notify"];
  readonly debug: ((message: string) => void) | undefined;
}

/** Most notices of one call that wait for the SDK. They are of no use afterwards, so that the rest is left out. */
const MOST_WAITING = 500;

/**
 * The first round of a `tools/call` of the older era that began without the SDK. What it wants to tell the client while it runs waits for the SDK's
 * context: it asks for that, and {@link goOn} gives it.
 */
export class QuickCall {
  /** Called when the call wants to tell its client something. */
  readonly #onneed: () => void;
  readonly #run: () => Promise<Outcome>;
  #outcome: Promise<Outcome> | undefined;
  /** What waits to be handed on to the SDK's context. */
  #told: Promise<unknown>[] = [];
  /** The SDK's context, once nothing waits for it any more. */
  #ctx: WireContext | undefined;
  readonly #kernel: Kernel;
  readonly #controller = new AbortController();
  /** The SDK's context, once something waits for it or it is there. */
  #wire: Promise<WireContext> | undefined;
  #attach: ((ctx: WireContext) => void) | undefined;

  constructor(params: JsonObject, caller: Caller, { kernel, capabilities, level, debug, notify }: QuickCallSurroundings, onneed: () => void) {
    this.#onneed = onneed;
    this.#kernel = kernel;
    const tell = async <T>(how: (ctx: WireContext) => T | Promise<T>): Promise<T> => {
      if (this.#ctx !== undefined) return how(this.#ctx);
      if (this.#told.length >= MOST_WAITING) throw new Error("Left out a notice: more of them than can wait were given while the SDK was loaded.");
      this.#onneed();
      this.#wire ??= new Promise((resolve) => {
        this.#attach = resolve;
      });
      const told = this.#wire.then(how);
      this.#told.push(told.catch(() => {}));
      return told;
    };
    const ctx: WireContext = {
      mcpReq: {
        signal: this.#controller.signal,
        requestState: () => undefined,
        notify: notify ?? ((notification) => tell(({ mcpReq }) => mcpReq.notify(notification))),
        send: (...request) => tell(({ mcpReq }) => mcpReq.send(...request)),
      },
      http: { closeSSE: () => void tell(({ http }) => http?.closeSSE?.()) },
    };
    const { ask, over } = toAsk(
      params,
      ctx,
      caller,
      () => clientCapabilities(capabilities, ctx),
      level.sender(ctx),
      badProgress(kernel, params["name"], debug),
    );
    this.#run = async () => {
      try {
        return await kernel.call(ask);
      } finally {
        over();
      }
    };
  }

  /** How the round ends. It begins when this is first asked for. */
  get outcome(): Promise<Outcome> {
    this.#outcome ??= this.#run();
    return this.#outcome;
  }

  /** Goes on with the SDK's context. Resolves to how the round ends, once all is told that was to be told before. */
  async goOn(ctx: WireContext): Promise<Outcome> {
    const { signal } = ctx.mcpReq;
    signal.addEventListener("abort", () => this.abort(), { once: true });
    if (signal.aborted) this.abort();
    if (this.#attach === undefined) this.#wire = Promise.resolve(ctx);
    else this.#attach(ctx);
    await Promise.all(this.#told);
    this.#told = [];
    this.#ctx = ctx;
    return this.outcome;
  }

  abort(): void {
    this.#controller.abort();
  }

  /**
   * The result of an outcome that can be sent as it is, as nearly all can; undefined where the SDK has to look at it: a question, blocks other than plain
   * text, data that the older era has in another form.
   *
   * @throws ProtocolError -32602 when no tool has that name
   */
  plainResult(outcome: Outcome, report: (error: unknown) => void): CallToolResult | undefined {
    if (outcome.kind === "error" && outcome.error.error_code === "kernel/unknown-tool") throw unknownTool(outcome);
    if (outcome.kind === "input_required") return undefined;
    if (outcome.kind === "ok" && !(isPlain(outcome.content) && this.#isObject(outcome))) return undefined;
    return toCallToolResult(outcome, { report, project: (result) => result, toBlock: () => undefined });
  }

  /** Whether the data of an outcome, if any, is an object that its tool says is one. */
  #isObject({ data, tool }: Extract<Outcome, { kind: "ok" }>): boolean {
    if (data === undefined) return true;
    const schema = tool && this.#kernel.catalog().get(tool.name, tool.version)?.spec.output;
    return isJsonObject(data) && (schema === undefined || schema["type"] === "object");
  }
}

function isPlain(content: readonly Content[] = []): boolean {
  return content.every(isPlainText);
}
