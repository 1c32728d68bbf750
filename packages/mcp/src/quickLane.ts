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
  /** Undefined until it is known who calls. */
  call: QuickCall | undefined;
  /** Whether the complete lane goes on with it, which finds it here. */
  handedOver: boolean;
  /** Whether it was answered, or given up. */
  over: boolean;
  /** Ends the wait for the answer; once. */
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

  /** Whether a screened request can be answered here. Not one whose id the complete lane is to find another call by. */
  takes({ id, method, params = {} }: JSONRPCRequest): boolean {
    const plain = Object.hasOwn(PLAIN, method) ? PLAIN[method] : undefined;
    if (plain === undefined || this.#running.has(id)) return false;
    for (const key in params) if (!plain.has(key)) return false;
    for (const key in params._meta) if (key.startsWith(PROTOCOL_META)) return false;
    return true;
  }

  /** Answers a request that {@link takes} said yes to, or says that the complete lane has to. */
  answer(message: JSONRPCRequest, request: QuickRequest): Promise<JSONRPCResponse | typeof COMPLETE> {
    const { id, method } = message;
    if (method === "ping") return Promise.resolve({ jsonrpc: "2.0", id, result: {} });
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      const running: Running = {
        message,
        call: undefined,
        handedOver: false,
        over: false,
        end: (answer) => {
          if (running.over) return;
          clearTimeout(timer);
          running.over = true;
          // A call that was handed over is found here until somebody asks for it.
          if (!running.handedOver && this.#running.get(id) === running) this.#running.delete(id);
          resolve(answer);
        },
      };
      // From now on it can be given up, also while it isn't known yet who calls.
      this.#running.set(id, running);
      if (method === "tools/call" && request.patienceMs !== undefined) timer = setTimeout(() => handOver(running), request.patienceMs);
      this.#run(running, request).catch((error: unknown) => {
        if (!running.over) running.end(this.#error(id, error));
      });
    });
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

  /** Ends one request, if it is one of those here, with the answer that it was given up; or all of them. Returns those that were ended. */
  giveUp(cause: GivenUpCause, id?: unknown): readonly JSONRPCRequest[] {
    const ended: JSONRPCRequest[] = [];
    for (const [each, running] of this.#running) {
      if (id !== undefined && each !== id) continue;
      running.call?.abort();
      if (running.handedOver) continue;
      running.end(givenUpAnswer(running.message, cause));
      ended.push(running.message);
    }
    return ended;
  }

  async #run(running: Running, request: QuickRequest): Promise<void> {
    const { id, method } = running.message;
    const params = (running.message.params ?? {}) as JsonObject;
    const caller = await request.caller(params);
    // Given up on the way here: nothing has happened, and nothing shall. Handed over: the complete lane runs it.
    if (running.over) return;
    if (method === "tools/list") {
      const page = await this.#options.lists.page(caller, params["cursor"]);
      // The older era has output schemas of objects alone; the SDK knows how to show it others.
      const plain = page.tools.every(({ outputSchema }) => outputSchema === undefined || outputSchema["type"] === "object");
      return running.end(plain ? { jsonrpc: "2.0", id, result: { ...page } } : COMPLETE);
    }
    const call = new QuickCall(params, caller, this.#options, () => handOver(running));
    running.call = call;
    const outcome = await call.outcome;
    if (running.over) return;
    const result = call.plainResult(outcome, this.#options.report);
    if (result === undefined) handOver(running);
    else running.end({ jsonrpc: "2.0", id, result });
  }

  #error(id: string | number, error: unknown): JSONRPCErrorResponse {
    const { code, message, data } = toProtocolError(error, this.#options.report);
    return { jsonrpc: "2.0", id, error: { code, message, ...(data !== undefined && { data }) } };
  }
}

/** Lets the complete lane go on with a call, which finds it where it has begun, and else begins it. */
function handOver(running: Running): void {
  if (running.over) return;
  running.handedOver = running.call !== undefined;
  running.end(COMPLETE);
}
