import type { Caller } from "./call.js";
import type { JsonObject, Maybe } from "./json.js";
import type { Content, ResourceContents } from "./outcome.js";

/** What a contribution may use while it answers. */
export interface ContributionContext {
  readonly caller: Caller;
  readonly signal: AbortSignal;
}

/** An MCP prompt. */
export interface Prompt {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments?: readonly { readonly name: string; readonly title?: string; readonly description?: string; readonly required?: boolean }[];
  get(
    args: Readonly<Record<string, string>>,
    ctx: ContributionContext,
  ): Maybe<{ readonly description?: string; readonly messages: readonly { readonly role: "user" | "assistant"; readonly content: Content }[] }>;
  /** Values that an argument may have, given what was typed. */
  complete?(argument: string, typed: string, args: Readonly<Record<string, string>>): Maybe<readonly string[]>;
}

interface ResourceInfo {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
}

/** An MCP resource at a fixed URI. */
export interface Resource extends ResourceInfo {
  readonly uri: string;
  readonly size?: number;
  read(ctx: ContributionContext): Maybe<readonly ResourceContents[]>;
  /** Calls `changed` whenever the resource changes, until the returned function is called. */
  watch?(changed: () => void): () => void;
}

/** MCP resources behind an RFC 6570 template. */
export interface ResourceTemplate extends ResourceInfo {
  readonly uriTemplate: string;
  read(uri: string, variables: Readonly<Record<string, string>>, ctx: ContributionContext): Maybe<readonly ResourceContents[]>;
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
