import type { ToolSpec } from "@fettle/spec-types";
import type { Caller } from "./call.js";
import type { Json, JsonObject, Maybe } from "./json.js";
import type { Logger } from "./log.js";
import type { HandlerQuestion, HandlerResult, InputRequest } from "./outcome.js";

/** The identity of a tool. */
export interface ToolRef {
  readonly name: string;
  readonly version: string;
}

/** A spec and its handler, checked. `S` is the type of the plugin's own section in the spec. */
export interface Tool<S = unknown> extends ToolRef {
  /** The spec as authored, frozen. */
  readonly spec: ToolSpec;
  /** The asking plugin's section of the spec; undefined when the spec has none. */
  readonly section: S | undefined;
  /**
   * What the modules export that the asking plugin's section names, by their references: see `Plugin.modules`. Empty until they are loaded,
   * so also in `checkTool` and `checkCatalog`.
   */
  readonly modules: ReadonlyMap<string, ModuleFunction>;
  /** Path of the spec file, as given. */
  readonly file: string;
}

/** A function that a module exports. Whoever names the module knows what it takes and gives. */
export type ModuleFunction = (...args: never[]) => unknown;

/** What a handler may use. Signals, ids and clocks are made when they are first read. */
export interface HandlerContext {
  /** Aborted when the caller cancels or goes away, or the deadline passes. */
  readonly signal: AbortSignal;
  /** When the call is given up, in milliseconds since 1970. */
  readonly deadline: number;
  /** Goes to the server's log, and to the client where it asked for log messages. */
  readonly log: Logger;
  /** Unique for this call. */
  readonly callId: string;
  readonly caller: Caller;
  readonly tool: ToolRef;
  /** The server's environment variables. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Tells the client how far the call is. `done` must not decrease. */
  progress(done: number, total?: number, text?: string): void;
  /** The caller's idempotency key, for passing on to whatever does the work. */
  readonly idempotencyKey: string | undefined;
  /** Grows with each attempt at the same key: storage that refuses lower fences is safe from a stale worker. */
  readonly fence: number | undefined;
  /** Answers to the `requests` of `needInput`, by their keys. */
  readonly inputs: Readonly<Record<string, JsonObject>> | undefined;
  /** The `state` that `needInput` was given. */
  readonly inputState: string | undefined;
  /**
   * Whether whoever calls can be asked so by `needInput`. False for callers that can't be asked at all, such as `fettle call`.
   * `mode` is that of an elicitation: a form (the default), or an address to visit.
   * @example if (!ctx.canAsk("elicitation/create")) throw stateError("git/unconfirmed", { what: "Nobody can be asked.", fix: "Pass confirm: true." });
   */
  canAsk(method: InputRequest["method"], mode?: "form" | "url"): boolean;
  /**
   * Lets the client's stream go while the call works on, so that a long call keeps no connection open. The client comes back for the answer
   * where its transport has streams that can be resumed (Streamable HTTP of 2025-11-25 and before); everywhere else nothing happens.
   */
  closeStream(): void;
}

/** What a handler may return: JSON data, a text, `result(...)` or `needInput(...)`. */
export type HandlerReturn = Json | object | HandlerResult | HandlerQuestion;

/** The function that does a tool's work. It throws `inputError(...)` and its siblings; anything else thrown is an internal_error whose message stays in the log. */
export type Handler<A = JsonObject, R = HandlerReturn> = (args: A, ctx: HandlerContext) => Maybe<R>;
