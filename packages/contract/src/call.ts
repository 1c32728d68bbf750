import type { Json, JsonObject, Maybe } from "./json.js";
import type { Logger } from "./log.js";
import type { InputRequest, Outcome } from "./outcome.js";
import type { Tool, ToolRef } from "./tool.js";

/** Who calls. */
export interface Caller {
  readonly tenant: string;
  readonly principal: string;
  readonly scopes: readonly string[];
}

/** What is known of a request when its caller is identified. */
export interface IdentifyRequest {
  readonly transport: "stdio" | "http" | "embedded";
  /** HTTP headers by lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The request's `_meta`. */
  readonly meta: JsonObject;
  readonly sessionId?: string;
}

/** What a client asked for, before any tool is resolved. */
export interface Ask {
  /** The name as asked; it may be of no tool, so never log or store it verbatim. */
  readonly name: string;
  readonly args: JsonObject;
  /** A version or range, where one was asked for. */
  readonly version?: string;
  readonly idempotencyKey?: string;
  /** The request's `_meta`. */
  readonly meta?: JsonObject;
  readonly caller?: Caller;
  /** Aborted when the caller cancels or goes away. */
  readonly signal?: AbortSignal;
  /** Answers to an earlier `needInput`, and its state. */
  readonly inputs?: Readonly<Record<string, JsonObject>>;
  readonly inputState?: string;
  /** Whether the client can be asked so: `ctx.canAsk` of the handler. Nobody can be asked where it is left out. */
  readonly canAsk?: (method: InputRequest["method"], mode?: "form" | "url") => boolean;
  /** Lets the client's stream go while the call works on: `ctx.closeStream` of the handler. */
  readonly closeStream?: () => void;
  /** Receives the handler's progress. */
  readonly onProgress?: (done: number, total?: number, text?: string) => void;
  /** Receives the handler's log lines, besides the server's log. */
  readonly onLog?: (level: "debug" | "info" | "warning" | "error", message: string, fields?: JsonObject) => void;
}

/** A call on its way through the rings: read-only and closed. Plugins keep state of a call in locals of their layer. */
export interface Call<S = unknown> {
  /** What was asked for. */
  readonly ask: Ask;
  /** The resolved tool; undefined at `observe` and `answer`. */
  readonly tool: Tool<S> | undefined;
  readonly args: JsonObject;
  /** This plugin's section of the tool's spec. */
  readonly section: S | undefined;
  readonly caller: Caller;
  readonly callId: string;
  /** Id of the call that made this one, where a tool called a tool. */
  readonly parentId: string | undefined;
  /** Aborted when the caller cancels or goes away, or the deadline passes. */
  readonly signal: AbortSignal;
  /** When the call is given up, in milliseconds since 1970. Infinity at `observe` and `answer`, where no tool is known. */
  readonly deadline: number;
  readonly log: Logger;
  readonly idempotencyKey: string | undefined;
  readonly fence: number | undefined;
  /** Tells observers something: `note("hit", true)` of plugin `cache` is read as `outcome.notes["cache.hit"]`. */
  note(key: string, value: Json): void;
}

/** What a layer may change for the rings inside of it. */
export interface CallChange {
  readonly args?: JsonObject;
  readonly signal?: AbortSignal;
  readonly idempotencyKey?: string;
  readonly fence?: number;
}

/** Runs the rings inside. Never rejects. One at a time; again after it settled is a retry. */
export type Next = (change?: CallChange) => Maybe<Outcome>;

/** One ring around the handler. */
export type Layer<S = unknown> = (call: Call<S>, next: Next) => Maybe<Outcome>;

/** An ask on its way to a tool. */
export interface ResolveAsk extends Ask {
  readonly caller: Caller;
  /** As `call.note`. */
  note(key: string, value: Json): void;
}

/** What an ask is resolved to: a tool of the catalog, or the reason why there is none. */
export type Resolution = { readonly tool: ToolRef; readonly meta?: JsonObject } | { readonly refused: Outcome };

/** Asks the resolvers inside, ending in the kernel's: the exact name, highest stable version. */
export type ResolveNext = (change?: Partial<Pick<Ask, "name" | "version">>) => Maybe<Resolution>;
