import type { Json, JsonObject } from "./json.js";
import type { ToolRef } from "./tool.js";
import type { ToolError } from "./toolError.js";

/** Hints for the host about a content block, as MCP defines them. */
export interface ContentAnnotations {
  readonly audience?: readonly ("user" | "assistant")[];
  /** 0 to 1. */
  readonly priority?: number;
  /** ISO 8601. */
  readonly lastModified?: string;
}

interface ContentExtras {
  readonly annotations?: ContentAnnotations;
  readonly _meta?: JsonObject;
}

/** The contents of a resource: text, or base64 in `blob`. */
export type ResourceContents = { readonly uri: string; readonly mimeType?: string; readonly _meta?: JsonObject } & (
  | { readonly text: string }
  | { readonly blob: string }
);

/** One block of a result, as MCP defines them. `data` and `blob` are base64. */
export type Content = ContentExtras &
  (
    | { readonly type: "text"; readonly text: string }
    | { readonly type: "image"; readonly data: string; readonly mimeType: string }
    | { readonly type: "audio"; readonly data: string; readonly mimeType: string }
    | {
        readonly type: "resource_link";
        readonly uri: string;
        readonly name: string;
        readonly title?: string;
        readonly description?: string;
        readonly mimeType?: string;
        readonly size?: number;
      }
    | { readonly type: "resource"; readonly resource: ResourceContents }
  );

/** Asks the user (elicitation) or the host's model (sampling), or for the host's roots. `params` are the method's, as MCP defines them. */
export type InputRequest =
  | { readonly method: "elicitation/create"; readonly params: JsonObject }
  | { readonly method: "sampling/createMessage"; readonly params: JsonObject }
  | { readonly method: "roots/list"; readonly params?: JsonObject };

/** What plugins tell observers, keyed `plugin.key`. Never sent to the client. */
export type Notes = Readonly<Record<string, Json>>;

/** What a call ends in: data, an error, or a question to the user. */
export type Outcome = {
  /** Which tool answered; undefined when none was resolved. */
  readonly tool?: ToolRef;
  /** What should reach the client: becomes the result's `_meta`. */
  readonly meta?: JsonObject;
  readonly notes: Notes;
} & (
  | { readonly kind: "ok"; readonly data?: Json; readonly content?: readonly Content[] }
  | {
      readonly kind: "error";
      readonly error: ToolError;
      /** Whoever made the outcome has logged it, with what caused it: nobody further out logs it again. Never sent. */
      readonly logged?: true;
    }
  | { readonly kind: "input_required"; readonly requests: Readonly<Record<string, InputRequest>>; readonly state?: string }
);

const RESULT: unique symbol = Symbol.for("fettle.result") as never;
const NEED_INPUT: unique symbol = Symbol.for("fettle.need-input") as never;

/** What `result(...)` makes. */
export interface HandlerResult {
  readonly [RESULT]: true;
  readonly content?: readonly Content[];
  readonly data?: Json;
  readonly meta?: JsonObject;
}

/** What `needInput(...)` makes. */
export interface HandlerQuestion {
  readonly [NEED_INPUT]: true;
  readonly requests: Readonly<Record<string, InputRequest>>;
  readonly state?: string;
}

/**
 * A handler's result with content blocks beside or in place of data.
 *
 * @example return result({ content: [{ type: "image", data: png.toString("base64"), mimeType: "image/png" }], data: { width, height } });
 */
export function result(parts: { readonly content?: readonly Content[]; readonly data?: Json; readonly meta?: JsonObject }): HandlerResult {
  return { [RESULT]: true, ...parts };
}

/**
 * Ends this round with questions. The handler is called again with the answers in `ctx.inputs` and `state` in `ctx.inputState`.
 *
 * @example
 * if (!ctx.inputs?.confirm) return needInput({ requests: { confirm: { method: "elicitation/create", params: { message: "Delete it?", requestedSchema } } } });
 */
export function needInput(question: { readonly requests: Readonly<Record<string, InputRequest>>; readonly state?: string }): HandlerQuestion {
  return { [NEED_INPUT]: true, ...question };
}

/** Whether a handler returned `result(...)`, also of another copy of this package. */
export function isHandlerResult(value: unknown): value is HandlerResult {
  return typeof value === "object" && value !== null && (value as { [RESULT]?: unknown })[RESULT] === true;
}

/** Whether a handler returned `needInput(...)`, also of another copy of this package. */
export function isHandlerQuestion(value: unknown): value is HandlerQuestion {
  return typeof value === "object" && value !== null && (value as { [NEED_INPUT]?: unknown })[NEED_INPUT] === true;
}
