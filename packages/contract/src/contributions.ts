import type { Caller } from "./call.js";
import type { JsonObject, Maybe } from "./json.js";
import type { Logger } from "./log.js";
import type { Content, HandlerQuestion, ResourceContents } from "./outcome.js";
import type { HandlerContext } from "./tool.js";

/** What a contribution may use while it answers. */
export interface ContributionContext {
  readonly caller: Caller;
  /** Aborted when the caller cancels or goes away, and when the time of a call is up (`timeout_ms` of the config). */
  readonly signal: AbortSignal;
  /** Answers to the `requests` of `needInput`, by their keys. */
  readonly inputs?: Readonly<Record<string, JsonObject>>;
  /** The `state` that `needInput` was given. */
  readonly inputState?: string;
  /** Whether the client can be asked so by `needInput`. */
  readonly canAsk: HandlerContext["canAsk"];
  /** Goes to the server's log, and to the client where it asked for log messages. */
  readonly log: Logger;
  /** Tells the client how far the request is, where it wants to know. `done` must not decrease. */
  progress(done: number, total?: number, text?: string): void;
}

/** How long clients of 2026-07-28 may keep an answer, and who may share it. Older clients are told nothing. */
export interface CacheHint {
  /** Milliseconds for which the answer stays fresh; 0: ask again each time. */
  readonly ttlMs: number;
  /** `public`: the same for every caller. `private`: only for the one who asked. */
  readonly scope: "public" | "private";
}

/** What a prompt gives. */
export interface PromptMessages {
  readonly description?: string;
  readonly messages: readonly { readonly role: "user" | "assistant"; readonly content: Content }[];
}

/** An MCP prompt. */
export interface Prompt {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments?: readonly { readonly name: string; readonly title?: string; readonly description?: string; readonly required?: boolean }[];
  /** The messages, or `needInput(...)`: then it is asked again with the answers in `ctx.inputs`. */
  get(args: Readonly<Record<string, string>>, ctx: ContributionContext): Maybe<PromptMessages | HandlerQuestion>;
  /** Values that an argument may have, given what was typed. */
  complete?(argument: string, typed: string, args: Readonly<Record<string, string>>): Maybe<readonly string[]>;
}

interface ResourceInfo {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** How long clients may keep what `read` gives. Default not at all. */
  readonly cache?: CacheHint;
}

/** An MCP resource at a fixed URI. */
export interface Resource extends ResourceInfo {
  readonly uri: string;
  readonly size?: number;
  /** The contents, or `needInput(...)`: then it is read again with the answers in `ctx.inputs`. */
  read(ctx: ContributionContext): Maybe<readonly ResourceContents[] | HandlerQuestion>;
  /**
   * Calls `changed` whenever the resource changes, until the returned function is called. Begun once while any client is subscribed, for all of them;
   * calls before it returned or after it was stopped reach nobody. Without it nobody can subscribe.
   */
  watch?(changed: () => void): () => void;
}

/** MCP resources behind an RFC 6570 template. */
export interface ResourceTemplate extends ResourceInfo {
  readonly uriTemplate: string;
  /**
   * As of a resource.
   *
   * @param variables what the URI has for them: percent-decoded, but for `{+name}` and `{#name}`, whose values are as the URI has them. They come from
   *   clients: a path in one may lead anywhere.
   */
  read(uri: string, variables: Readonly<Record<string, string>>, ctx: ContributionContext): Maybe<readonly ResourceContents[] | HandlerQuestion>;
  /** As of a resource, for the one at `uri`. What it throws is told to the client that subscribes. */
  watch?(uri: string, variables: Readonly<Record<string, string>>, changed: () => void): () => void;
  complete?(variable: string, typed: string, variables: Readonly<Record<string, string>>): Maybe<readonly string[]>;
}

/** An HTTP route of `fettle serve --http`, fetch-style. It is served behind the same Host and Origin checks as `/mcp`. */
export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** An exact path, or a prefix when it ends in `/*`. */
  readonly path: string;
  handle(request: {
    readonly method: string;
    readonly url: URL;
    readonly headers: Readonly<Record<string, string | undefined>>;
    readonly body: Uint8Array;
    readonly caller: Caller;
  }): Maybe<{
    readonly status: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string | Uint8Array;
  }>;
}

/** A CLI verb of a plugin: `fettle NAME ...`. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  /** Runs with the arguments after the verb; resolves to the exit code: 0 fine, 1 problems found, 2 wrong use. */
  run(args: readonly string[], io: { readonly out: (text: string) => void; readonly err: (text: string) => void; readonly options: JsonObject }): Maybe<number>;
}
