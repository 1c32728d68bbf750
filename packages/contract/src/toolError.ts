import type { JsonObject } from "./json.js";
import type { Outcome } from "./outcome.js";

/** The seven error types. Each says who can do something about it. */
export const ERROR_TYPES = [
  "input_error",
  "state_error",
  "resource_error",
  "permission_error",
  "rate_limit_error",
  "external_error",
  "internal_error",
] as const;

/**
 * - `input_error`: the arguments are wrong; mend them and call again
 * - `state_error`: the arguments are fine, but something isn't in the state that the call needs
 * - `resource_error`: something that the call names doesn't exist or can't be read
 * - `permission_error`: the caller may not do this
 * - `rate_limit_error`: too many calls; wait
 * - `external_error`: something outside of the server failed
 * - `internal_error`: a fault of the server
 */
export type ErrorType = (typeof ERROR_TYPES)[number];

/** An error as observers and clients see it. One shape from throw to wire (`_meta["dev.fettle/error"]`). */
export interface ToolError {
  readonly error_type: ErrorType;
  readonly error_code: string;
  readonly what_went_wrong: string;
  readonly why_it_happened: string;
  readonly how_to_fix: readonly string[];
  readonly details: JsonObject;
  readonly retry_recommended: boolean;
  readonly retry_after_seconds?: number;
  readonly alternative_tools: readonly string[];
  readonly related_docs: readonly string[];
}

/** What an author says of an error. */
export interface ErrorOptions {
  /** What went wrong, in a sentence that names the thing: "There is no branch called mian." */
  readonly what: string;
  /** The likely cause. */
  readonly why?: string;
  /** What to do, step by step. */
  readonly fix?: string | readonly string[];
  /** Facts for programs. Sent to the client: no secrets. */
  readonly details?: JsonObject;
  /**
   * Whether the same call may succeed later. Default: rate limits yes; external errors of tools that are read_only or idempotent; others where
   * `retryAfterSeconds` says when.
   */
  readonly retry?: boolean;
  /** When to retry, in seconds: 0 or more. What is no such number is left out. */
  readonly retryAfterSeconds?: number;
  readonly alternativeTools?: readonly string[];
  readonly relatedDocs?: readonly string[];
  /** The error behind it. Logged, never sent. */
  readonly cause?: unknown;
}

/** What the retry default depends on. */
export interface RetryFacts {
  /** The tool is read_only or is_idempotent. */
  readonly repeatable: boolean;
}

/** What `inputError(...)` and its siblings make: throw it in a handler, or return its `outcome()` in a layer. */
export class ThrownToolError extends Error {
  readonly errorType: ErrorType;
  readonly code: string;
  /** What the author said, without the cause, which is the error's own: what holds these options can't send it by mistake. */
  readonly options: Omit<ErrorOptions, "cause">;
  /** Marks the error across copies of this package, where `instanceof` fails. */
  readonly isFettleToolError: true = true;

  constructor(errorType: ErrorType, code: string, options: ErrorOptions) {
    // Plain JavaScript may hand anything over. What is wrong is said by whoever sends the error, who knows whose it is.
    const given = typeof options === "object" && options !== null ? options : ({} as ErrorOptions);
    const { cause } = given;
    super(given.what, cause === undefined ? undefined : { cause });
    this.name = "ToolError";
    this.errorType = errorType;
    this.code = code;
    this.options = cause === undefined ? given : withoutCause(given);
  }

  /** The wire shape. Without facts about the tool an external error advises no retry. */
  toToolError(facts?: RetryFacts): ToolError {
    return makeToolError(this.errorType, this.code, this.options, facts);
  }

  /** The error as an outcome, for layers that answer without calling `next`. */
  outcome(facts?: RetryFacts): Outcome {
    return { kind: "error", error: this.toToolError(facts), notes: {} };
  }

  /** What JSON has of it: the wire shape, so that what caused it doesn't leave by way of a result or a log. */
  toJSON(): ToolError {
    return this.toToolError();
  }
}

/**
 * The wire shape of an error that nobody throws. A layer that refuses many calls spares the stack that `inputError(...)` and its siblings take,
 * which costs more than the rest of a refusal. Without facts about the tool an external error advises no retry.
 *
 * @example
 * return { kind: "error", error: makeToolError("input_error", "quota/spent", { what: "All calls of this minute are made." }), notes: {} };
 */
export function makeToolError(errorType: ErrorType, code: string, options: ErrorOptions, facts: RetryFacts = { repeatable: false }): ToolError {
  const { what, why, fix, details, retry, retryAfterSeconds, alternativeTools, relatedDocs } = options;
  const wait = isWait(retryAfterSeconds) ? retryAfterSeconds : undefined;
  const retryByDefault = errorType === "external_error" ? facts.repeatable : errorType === "rate_limit_error" || wait !== undefined;
  const error = {
    error_type: errorType,
    error_code: code,
    what_went_wrong: what,
    why_it_happened: why ?? "",
    how_to_fix: stepsOf(fix),
    details: details ?? {},
    retry_recommended: retry ?? retryByDefault,
    alternative_tools: alternativeTools ?? [],
    related_docs: relatedDocs ?? [],
  };
  if (wait === undefined) return error;
  // Spreading into an object takes longer than all the rest here, so that only those pay for it that say when. The order is that of the wire.
  const { alternative_tools, related_docs, ...rest } = error;
  return { ...rest, retry_after_seconds: wait, alternative_tools, related_docs };
}

function withoutCause({ cause: _, ...said }: ErrorOptions): Omit<ErrorOptions, "cause"> {
  return said;
}

/** Steps that say something. What is neither a text nor a list is left as it is, for whoever checks the error. */
function stepsOf(fix: ErrorOptions["fix"]): readonly string[] {
  if (fix === undefined || fix === null) return [];
  if (typeof fix === "string") return fix.trim() === "" ? [] : [fix];
  return Array.isArray(fix) ? fix.filter((step) => typeof step !== "string" || step.trim() !== "") : fix;
}

/** Whether a value says when to retry, in seconds. */
function isWait(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

/** How loud an error is in a log: a fault of the server wakes somebody, what a model got wrong is everyday. */
export function logLevelOf(type: ErrorType): "error" | "warn" | "info" {
  if (type === "internal_error") return "error";
  return type === "external_error" ? "warn" : "info";
}

/** Whether a thrown value came from `inputError(...)` or a sibling, also of another copy of this package. */
export function isThrownToolError(value: unknown): value is ThrownToolError {
  return value instanceof Error && (value as { isFettleToolError?: unknown }).isFettleToolError === true;
}

type Constructor = (code: string, options: ErrorOptions) => ThrownToolError;

const constructorOf =
  (type: ErrorType): Constructor =>
  (code, options) =>
    new ThrownToolError(type, code, options);

/**
 * The arguments are wrong in a way that the schema can't say.
 * @example throw inputError("git/empty-range", { what: "since is after until.", fix: "Swap since and until." });
 */
export const inputError: Constructor = constructorOf("input_error");
/** Something isn't in the state that the call needs, for example a dirty work tree. */
export const stateError: Constructor = constructorOf("state_error");
/**
 * Something that the call names doesn't exist or can't be read.
 * @example throw resourceError("git/no-such-ref", { what: `There is no branch called ${ref}.`, details: { nearest } });
 */
export const resourceError: Constructor = constructorOf("resource_error");
/** The caller may not do this. */
export const permissionError: Constructor = constructorOf("permission_error");
/** Too many calls. Say when to come back with `retryAfterSeconds`. */
export const rateLimitError: Constructor = constructorOf("rate_limit_error");
/** Something outside of the server failed. */
export const externalError: Constructor = constructorOf("external_error");
/** A fault of the server. `what` is sent to the client: no internals. */
export const internalError: Constructor = constructorOf("internal_error");
