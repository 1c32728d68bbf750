import type { JSONRPCErrorResponse, JSONRPCRequest, JSONRPCResponse, Notification, Server, StandardSchemaV1 } from "@modelcontextprotocol/server";
import type { Shell } from "../createShell.js";
import { isJsonObject } from "../isJsonObject.js";
import type { OpenRequests } from "../openRequests.js";
import { toProtocolError } from "../toProtocolError.js";
import type { SendOptions, ToClient, WireContext } from "../wireContext.js";

type Requested = WireContext["mcpReq"];

/** The params of a call that need nothing of the SDK. A call with any other is handed over. */
const PLAIN_PARAMS = new Set(["name", "arguments", "_meta", "idempotencyKey"]);

/** Begins the keys of `_meta` that belong to the protocol: revision, tasks, tracing. */
const PROTOCOL_META = "io.modelcontextprotocol/";

/**
 * The quick lane of a connection of the older era: it answers plain tool calls by the shell's own code, without the SDK around it, which looks
 * at each message seven times by its schema library, makes a context and checks the result. Progress, log lines and questions go by the SDK's server as ever;
 * all other requests are the SDK's.
 */
export class QuickCalls {
  readonly #report: (error: unknown) => void;
  readonly #running = new Map<string | number, QuickRequest>();
  #shell: Shell | undefined;

  constructor(report: (error: unknown) => void) {
    this.#report = report;
  }

  /** Says which shell serves the connection, once its era is known. */
  serve(shell: Shell): void {
    this.#shell = shell;
  }

  /** Whether a screened request can be answered here. One that waits and is no call may change how calls are served, so what follows it is the SDK's too. */
  takes({ method, params }: JSONRPCRequest, open: OpenRequests): boolean {
    if (method !== "tools/call" || params === undefined || this.#shell?.server.getNegotiatedProtocolVersion() === undefined) return false;
    for (const key in params) if (!PLAIN_PARAMS.has(key)) return false;
    for (const key in params._meta) if (key.startsWith(PROTOCOL_META)) return false;
    for (const waiting of open.values()) if (waiting.method !== "tools/call") return false;
    return true;
  }

  /** Answers a request that {@link takes} said yes to. A call that was cancelled gets no answer. */
  answer({ id, params }: JSONRPCRequest, send: (answer: JSONRPCResponse) => void): void {
    const shell = this.#shell;
    if (shell === undefined || !isJsonObject(params)) return;
    const request = new QuickRequest(shell.server, id);
    this.#running.set(id, request);
    const end = (answer: JSONRPCResponse): void => {
      if (this.#running.get(id) === request) this.#running.delete(id);
      if (!request.aborted) send(answer);
    };
    shell.call(params, { mcpReq: request }).then(
      (result) => end({ jsonrpc: "2.0", id, result }),
      (error: unknown) => end({ jsonrpc: "2.0", id, error: this.#errorOf(error) }),
    );
  }

  /** Cancels a call, if it is one of those here. */
  cancel(id: unknown): void {
    if (typeof id !== "string" && typeof id !== "number") return;
    this.#running.get(id)?.abort();
    this.#running.delete(id);
  }

  /** Cancels all that run. */
  close(): void {
    for (const request of this.#running.values()) request.abort();
    this.#running.clear();
  }

  #errorOf(error: unknown): JSONRPCErrorResponse["error"] {
    const { code, message, data } = toProtocolError(error, this.#report);
    return { code, message, ...(data !== undefined && { data }) };
  }
}

/** What one quick call may need of its connection, made when it is needed. */
class QuickRequest implements Requested {
  readonly #server: Server;
  readonly #id: string | number;
  #controller: AbortController | undefined;
  #aborted = false;

  constructor(server: Server, id: string | number) {
    this.#server = server;
    this.#id = id;
  }

  get aborted(): boolean {
    return this.#aborted;
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#aborted) this.#controller.abort();
    return this.#controller.signal;
  }

  abort(): void {
    this.#aborted = true;
    this.#controller?.abort();
  }

  requestState(): undefined {}

  notify(notification: Notification): Promise<void> {
    return this.#server.notification(notification, { relatedRequestId: this.#id });
  }

  send(request: ToClient, schema: StandardSchemaV1<unknown, unknown>, options: SendOptions): Promise<unknown> {
    return this.#server.request(request, schema, { ...options, relatedRequestId: this.#id });
  }
}
