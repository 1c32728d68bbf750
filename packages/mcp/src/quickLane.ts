import type { Caller, JsonObject } from "@fettle/contract";
import type { JSONRPCErrorResponse, JSONRPCRequest, JSONRPCResponse } from "@modelcontextprotocol/server";
import { type GivenUpCause, givenUpAnswer } from "./givenUpAnswer.js";
import { QuickCall, type QuickCallSurroundings } from "./quickCall.js";
import type { ToolLists } from "./toolLists.js";
import { toProtocolError } from "./toProtocolError.js";

/** Begins the keys of `_meta` that belong to the protocol: revision, tasks, tracing. */
const PROTOCOL_META = "io.modelcontextprotocol/";

/** The requests that are answered here, and the params with which they need nothing of the SDK. */
const PLAIN: Readonly<Record<string, ReadonlySet<string>>> = {
  "tools/call": new Set(["name", "arguments", "_meta", "idempotencyKey"]),
  "tools/list": new Set(["cursor", "_meta"]),
  ping: new Set(["_meta"]),
};

export interface QuickLaneOptions extends QuickCallSurroundings {
  readonly lists: ToolLists;
  readonly report: (error: unknown) => void;
}

/** Whether requests of a method, whichever lane answers them, change nothing for those that come after. */
export function changesNothing(method: string): boolean {
  return Object.hasOwn(PLAIN, method);
}

/** How one request is answered. */
export interface QuickRequest {
  /** Who sends it. */
  caller(params: JsonObject): Promise<Caller>;
  /** After how long a call goes on in the complete lane, in milliseconds. Default never. */
  readonly patienceMs?: number;
}

/** The request is the complete lane's. */
export const COMPLETE = "complete";

interface Running {
  readonly message: JSONRPCRequest;
  readonly call: QuickCall;
  /** Whether the complete lane goes on with it, which finds it here. */
  handedOver: boolean;
  /** Ends the wait for the answer. */
  end(answer: JSONRPCResponse | typeof COMPLETE): void;
}

/**
 * Answers plain requests of a session or connection of the older era without the SDK: tool lists, pings and tool calls that tell their client nothing before they
 * end. A call that needs more goes on in the complete lane, which finds it by {@link begun}: it isn't run twice.
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

  /** Answers a request that {@link takes} said yes to, or says that the complete lane has to. */
  async answer(message: JSONRPCRequest, request: QuickRequest): Promise<JSONRPCResponse | typeof COMPLETE> {
    const { id, method } = message;
    const params = (message.params ?? {}) as JsonObject;
    try {
      if (method === "ping") return { jsonrpc: "2.0", id, result: {} };
      const caller = await request.caller(params);
      if (method === "tools/call") return await this.#call(message, params, caller, request.patienceMs);
      const page = await this.#options.lists.page(caller, params["cursor"]);
      // The older era has output schemas of objects alone; the SDK knows how to show it others.
      const plain = page.tools.every(({ outputSchema }) => outputSchema === undefined || outputSchema["type"] === "object");
      return plain ? { jsonrpc: "2.0", id, result: { ...page } } : COMPLETE;
    } catch (error) {
      return this.#error(id, error);
    }
  }

  /** The call of that id, for the complete lane to go on with. */
  begun(id: string | number): QuickCall | undefined {
    const call = this.#running.get(id)?.call;
    this.forget(id);
    return call;
  }

  /** Forgets a call that nobody will ask for. */
  forget(id: string | number): void {
    this.#running.delete(id);
  }

  /** Ends one call, if it is one of those here, with the answer that it was given up; or all of them. */
  giveUp(cause: GivenUpCause, id?: unknown): void {
    for (const [each, running] of this.#running) {
      if (id !== undefined && each !== id) continue;
      running.call.abort();
      if (running.handedOver) continue;
      this.#running.delete(each);
      running.end(givenUpAnswer(running.message, cause));
    }
  }

  #call(message: JSONRPCRequest, params: JsonObject, caller: Caller, patienceMs: number | undefined): Promise<JSONRPCResponse | typeof COMPLETE> {
    const { id } = message;
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      // Settled once: what follows changes nothing.
      const end = (answer: JSONRPCResponse | typeof COMPLETE): void => {
        clearTimeout(timer);
        resolve(answer);
      };
      const handOver = (): void => {
        running.handedOver = true;
        end(COMPLETE);
      };
      const call = new QuickCall(params, caller, this.#options, handOver);
      const running: Running = { message, call, handedOver: false, end };
      this.#running.set(id, running);
      if (patienceMs !== undefined) timer = setTimeout(handOver, patienceMs);
      const ended = (answer: () => JSONRPCResponse | undefined): void => {
        if (running.handedOver) return;
        const given = answer();
        if (given === undefined) {
          handOver();
          return;
        }
        if (this.#running.get(id) === running) this.#running.delete(id);
        end(given);
      };
      call.outcome.then(
        (outcome) =>
          ended(() => {
            try {
              const result = call.plainResult(outcome, this.#options.report);
              return result && { jsonrpc: "2.0", id, result };
            } catch (error) {
              return this.#error(id, error);
            }
          }),
        (error: unknown) => ended(() => this.#error(id, error)),
      );
    });
  }

  #error(id: string | number, error: unknown): JSONRPCErrorResponse {
    const { code, message, data } = toProtocolError(error, this.#options.report);
    return { jsonrpc: "2.0", id, error: { code, message, ...(data !== undefined && { data }) } };
  }
}
