import type { Caller, JsonObject } from "@fettle/contract";
import type { Kernel } from "@fettle/kernel";
import type { JSONRPCRequest } from "@modelcontextprotocol/server";
import { type GivenUpCause, givenUpAnswer } from "../givenUpAnswer.js";
import { isJsonObject } from "../isJsonObject.js";
import { QuickCall, type QuickCallSurroundings } from "../quickCall.js";
import type { ToolLists } from "../toolLists.js";
import { toProtocolError } from "../toProtocolError.js";
import type { Answer } from "./answer.js";
import type { HttpRequest } from "./httpRequest.js";
import { isStream } from "./whenDone.js";

/**
 * How long a call may take until its answer becomes a stream that its client can come back to, in milliseconds. What is answered sooner goes out whole; what
 * takes longer may outlive its connection.
 */
const QUICK_MS = 50;

/** Begins the keys of `_meta` that belong to the protocol: revision, tasks, tracing. */
const PROTOCOL_META = "io.modelcontextprotocol/";

/** The requests that are answered here, and the params with which they need nothing of the SDK. */
const PLAIN: Readonly<Record<string, ReadonlySet<string>>> = {
  "tools/call": new Set(["name", "arguments", "_meta", "idempotencyKey"]),
  "tools/list": new Set(["cursor", "_meta"]),
  ping: new Set(["_meta"]),
};

export interface QuickLaneOptions extends QuickCallSurroundings {
  readonly kernel: Kernel;
  readonly lists: ToolLists;
  readonly sessionId: string;
  readonly report: (error: unknown) => void;
}

interface Running {
  readonly message: JSONRPCRequest;
  readonly call: QuickCall;
  /** Ends the wait for the answer. */
  end(answer: Answer): void;
}

/**
 * Answers plain requests of a session of the older era without the SDK: tool lists, pings and tool calls that end soon and tell their client nothing before.
 * A call that needs more goes on in the complete lane, which finds it here: it isn't run twice.
 */
export class QuickLane {
  readonly #options: QuickLaneOptions;
  readonly #running = new Map<string | number, Running>();

  constructor(options: QuickLaneOptions) {
    this.#options = options;
  }

  /** Whether a screened request can be answered here. */
  takes({ method, params = {} }: JSONRPCRequest): boolean {
    const plain = Object.hasOwn(PLAIN, method) ? PLAIN[method] : undefined;
    if (plain === undefined) return false;
    for (const key in params) if (!plain.has(key)) return false;
    for (const key in params._meta) if (key.startsWith(PROTOCOL_META)) return false;
    return true;
  }

  /**
   * Answers a request that {@link takes} said yes to.
   *
   * @param complete has the complete lane answer it
   */
  async answer(message: JSONRPCRequest, request: HttpRequest, complete: () => Promise<Answer>): Promise<Answer> {
    const { id, method } = message;
    const params = (message.params ?? {}) as JsonObject;
    try {
      if (method === "ping") return this.#result(id, {});
      const caller = await this.#callerOf(request, params);
      if (method === "tools/call") return await this.#call(message, params, caller, complete);
      const page = await this.#options.lists.page(caller, params["cursor"]);
      // The older era has output schemas of objects alone; the SDK knows how to show it others.
      const plain = page.tools.every(({ outputSchema }) => outputSchema === undefined || outputSchema["type"] === "object");
      return plain ? this.#result(id, page) : complete();
    } catch (error) {
      return this.#error(id, error);
    }
  }

  /** The call of that id, for the complete lane to go on with. */
  begun(id: string | number): QuickCall | undefined {
    const call = this.#running.get(id)?.call;
    this.#running.delete(id);
    return call;
  }

  /** Ends one call, if it is one of those here, with the answer that it was given up; or all of them. */
  giveUp(cause: GivenUpCause, id?: unknown): void {
    for (const [each, { message, call, end }] of this.#running) {
      if (id !== undefined && each !== id) continue;
      this.#running.delete(each);
      call.abort();
      end(this.#event(givenUpAnswer(message, cause)));
    }
  }

  #call(message: JSONRPCRequest, params: JsonObject, caller: Caller, complete: () => Promise<Answer>): Promise<Answer> {
    const { id } = message;
    return new Promise((resolve) => {
      let over = false;
      const call = new QuickCall(params, caller, this.#options, () => handOver());
      const end = (answer: Answer | Promise<Answer>): void => {
        if (over) return;
        over = true;
        clearTimeout(timer);
        resolve(answer);
      };
      const handOver = (): void => {
        if (!over) end(this.#handedOver(id, complete));
      };
      const timer = setTimeout(handOver, QUICK_MS);
      this.#running.set(id, { message, call, end });
      call.outcome.then(
        (outcome) => {
          if (over) return;
          try {
            const result = call.plainResult(outcome, this.#options.report);
            if (result === undefined) return handOver();
            this.#running.delete(id);
            end(this.#result(id, result));
          } catch (error) {
            this.#running.delete(id);
            end(this.#error(id, error));
          }
        },
        (error: unknown) => {
          this.#running.delete(id);
          end(this.#error(id, error));
        },
      );
    });
  }

  async #handedOver(id: string | number, complete: () => Promise<Answer>): Promise<Answer> {
    let streams = false;
    try {
      const answer = await complete();
      streams = isStream(answer);
      return answer;
    } finally {
      // Without a stream nobody will ask for it.
      if (!streams) this.#running.delete(id);
    }
  }

  async #callerOf(request: HttpRequest, params: JsonObject): Promise<Caller> {
    const { kernel, sessionId } = this.#options;
    const meta = params["_meta"];
    return kernel.identify({ transport: "http", headers: request.headers(), meta: isJsonObject(meta) ? meta : {}, sessionId });
  }

  #result(id: string | number, result: unknown): Answer {
    return this.#event({ jsonrpc: "2.0", id, result });
  }

  #error(id: string | number, error: unknown): Answer {
    const { code, message, data } = toProtocolError(error, this.#options.report);
    return this.#event({ jsonrpc: "2.0", id, error: { code, message, ...(data !== undefined && { data }) } });
  }

  /** An answer as a stream of one event, the form that answers have in sessions. It goes out whole, so that it has no id to come back with. */
  #event(message: object): Answer {
    const headers = { "content-type": "text/event-stream", "cache-control": "no-cache, no-transform", "mcp-session-id": this.#options.sessionId };
    return { status: 200, headers, text: `event: message\ndata: ${JSON.stringify(message)}\n\n` };
  }
}
