import {
  type Handler,
  type HandlerResult,
  isHandlerQuestion,
  isHandlerResult,
  logLevelOf,
  type Maybe,
  type Outcome,
  type ThrownToolError,
  type Tool,
  type ToolError,
  type ToolRef,
} from "@fettle/contract";
import { isRecord } from "../isRecord.js";
import { isRepeatable } from "../loadedTool.js";
import { thrown } from "../thrown.js";
import { isToolErrorThrown, toolErrorOf } from "../thrownToolError.js";
import { toJson } from "../toJson.js";
import { unsoundContent } from "../unsoundContent.js";
import { unsoundQuestion } from "../unsoundQuestion.js";
import { blankArguments } from "./blankArguments.js";
import type { CallState } from "./callState.js";
import { asLogged, failure } from "./failure.js";
import type { Frame, Step } from "./frame.js";
import { RunContext } from "./handlerContext.js";
import { isPromise } from "./isPromise.js";

/** The innermost step: runs the handler and turns what it returns or throws into an outcome. */
export function handlerStep(tool: Tool, handler: Handler, env: Readonly<Record<string, string | undefined>>): Step {
  const ref: ToolRef = Object.freeze({ name: tool.name, version: tool.version });
  const repeatable = isRepeatable(tool);
  const succeeded = (frame: Frame, value: unknown): Outcome => {
    try {
      // An error that was returned is meant to be thrown, and its cause must not leave as data.
      return isToolErrorThrown(value) ? failed(frame, value) : toOutcome(frame.state, ref, value);
    } catch (error) {
      return failed(frame, error);
    }
  };
  const failed = (frame: Frame, error: unknown): Outcome => {
    const { state } = frame;
    // What follows an abort is its echo; the outcome says why the call was given up.
    if (state.cause && (frame.signal === undefined || frame.signal.aborted)) return givenUp(state, ref, repeatable);
    if (frame.signal?.aborted === true) return cancelledBy(state, ref);
    const made = isToolErrorThrown(error) ? toolErrorOf(error, { repeatable }) : undefined;
    if (made !== undefined && "toolError" in made) return toError(frame, ref, made.toolError, error as ThrownToolError);
    state.log.error(`the handler of ${ref.name} threw${made === undefined ? "" : ` a tool error that can't be sent: ${made.problem}`}`, {
      call_id: state.id,
      tool: ref.name,
      version: ref.version,
      ...thrown(error, blankGiven(frame)),
    });
    return asLogged(
      failure(
        state,
        "handler-threw",
        {
          what: `${ref.name} failed because of a fault in the server, not because of the arguments.`,
          fix: `Tell the operator of this server the call id ${state.id}: the log has the details.`,
          details: { call_id: state.id },
        },
        ref,
      ),
    );
  };
  return (frame) => {
    // A call that was given up on the way here doesn't start: nothing has happened, and nothing shall.
    if (frame.signal === undefined && (frame.state.cause || frame.state.ask.signal?.aborted)) {
      frame.state.abort("cancelled");
      return givenUp(frame.state, ref, repeatable);
    }
    let returned: Promise<unknown>;
    try {
      const value: Maybe<unknown> = handler(frame.args, new RunContext(frame, ref, env));
      if (!isPromise(value)) return succeeded(frame, value);
      // A real promise: a thenable of somebody's own may call back twice, or call back and throw.
      returned = Promise.resolve(value);
    } catch (error) {
      return failed(frame, error);
    }
    frame.state.watch();
    const running = returned.then(
      (value) => succeeded(frame, value),
      (error: unknown) => failed(frame, error),
    );
    return raceSignal(running, frame.signal ?? frame.state.signal, () =>
      frame.signal === undefined || frame.state.cause ? givenUp(frame.state, ref, repeatable) : cancelledBy(frame.state, ref),
    );
  };
}

/** A handler that ignores its signal is left behind: the caller gets an answer all the same. */
function raceSignal(running: Promise<Outcome>, signal: AbortSignal, onAbort: () => Outcome): Promise<Outcome> {
  return new Promise((resolve) => {
    const abort = (): void => resolve(onAbort());
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    void running.then((outcome) => {
      signal.removeEventListener("abort", abort);
      resolve(outcome);
    });
  });
}

const cancelledBy = (state: CallState, ref: ToolRef): Outcome =>
  failure(state, "cancelled", { what: `The call of ${ref.name} was stopped before it ended.` }, ref);

/** The outcome of a call that was cancelled, ran out of time, or was cut off by a shutdown. */
export function givenUp(state: CallState, ref: ToolRef, repeatable: boolean): Outcome {
  const fate = repeatable ? "" : " It may have taken effect: look before calling again.";
  if (state.cause === "deadline") {
    const seconds = Math.round(state.timeoutMs / 100) / 10;
    return failure(
      state,
      "deadline-exceeded",
      {
        what: `${ref.name} did not answer within its time limit of ${seconds} s.${fate}`,
        why: "The work takes longer than the limit, or something it waits for hangs.",
        fix: "Ask for less at once, if the arguments allow it.",
        details: { timeout_ms: state.timeoutMs },
        retry: repeatable,
      },
      ref,
    );
  }
  if (state.cause === "closing") return failure(state, "closing", { what: `The server shut down before ${ref.name} ended.${fate}`, retry: repeatable }, ref);
  return failure(state, "cancelled", { what: `The call of ${ref.name} was cancelled.${fate}` }, ref);
}

function toOutcome(state: CallState, tool: ToolRef, value: unknown): Outcome {
  if (typeof value === "string") return { kind: "ok", content: [{ type: "text", text: value }], notes: state.notes, tool };
  if (isHandlerQuestion(value)) {
    const wrong = unsoundQuestion(value);
    if (wrong !== undefined) return badResult(state, tool, wrong.path, wrong.problem);
    return { kind: "input_required", requests: value.requests, ...(value.state !== undefined && { state: value.state }), notes: state.notes, tool };
  }
  if (isHandlerResult(value)) return fromResult(state, tool, value);
  if (value === undefined) return noResult(state, tool);
  const json = toJson(value);
  return json.ok ? { kind: "ok", data: json.value, notes: state.notes, tool } : badResult(state, tool, json.path, json.problem);
}

/** The outcome of a handler that returned `result(...)`: content beside or in place of data. */
function fromResult(state: CallState, tool: ToolRef, { content, meta, data }: HandlerResult): Outcome {
  if (content === undefined && data === undefined) return noResult(state, tool);
  const unsound = content === undefined ? undefined : unsoundContent(content);
  if (unsound !== undefined) return badResult(state, tool, unsound.path, unsound.problem);
  if (meta !== undefined && !isRecord(meta)) return badResult(state, tool, "meta", "it must be an object");
  for (const [name, part] of Object.entries({ content, meta })) {
    const json = part === undefined ? undefined : toJson(part, name);
    if (json?.ok === false) return badResult(state, tool, json.path, json.problem);
  }
  if (isToolErrorThrown(data)) throw data;
  const json = data === undefined ? undefined : toJson(data);
  if (json?.ok === false) return badResult(state, tool, json.path, json.problem);
  return { kind: "ok", ...(json && { data: json.value }), ...(content && { content }), ...(meta && { meta }), notes: state.notes, tool };
}

/**
 * The error that a handler threw on purpose. What caused it goes to the log. Details that JSON can't carry and a wait that is no number are left out, and the
 * log says so: they would take the whole answer down.
 */
function toError(frame: Frame, tool: ToolRef, toolError: ToolError, { cause: behind, options }: ThrownToolError): Outcome {
  const { state } = frame;
  const details = toJson(toolError.details);
  const sound = details.ok && isRecord(details.value);
  const outcome: Outcome = { kind: "error", error: sound ? toolError : { ...toolError, details: {} }, notes: state.notes, tool };
  const about = { call_id: state.id, tool: tool.name, version: tool.version, error_type: toolError.error_type, tool_error: toolError.error_code };
  const cause = behind === undefined ? {} : thrown(behind, blankGiven(frame));
  const leftOut = [
    ...(details.ok ? (sound ? [] : ["details, since they are no object"]) : [`details, since at ${details.path}, ${details.problem}`]),
    ...(options?.retryAfterSeconds === undefined || toolError.retry_after_seconds !== undefined ? [] : ["retryAfterSeconds, since it is no number from 0 on"]),
  ];
  if (leftOut.length > 0) {
    state.log.error(`${tool.name} failed: ${toolError.error_code}, sent without a part that can't be sent`, { ...about, left_out: leftOut, ...cause });
    return asLogged(outcome);
  }
  if (behind === undefined) return outcome;
  state.log[logLevelOf(toolError.error_type)](`${tool.name} failed: ${toolError.error_code}`, { ...about, ...cause });
  return asLogged(outcome);
}

/** Blanks what the handler was given: its arguments, and what its user answered. */
function blankGiven({ args, state }: Frame): (text: string) => string {
  return blankArguments([args, state.ask.inputs]);
}

const blame = "This is a fault of the server, not of your call; sending other arguments won't mend it.";

function noResult(state: CallState, tool: ToolRef): Outcome {
  state.log.error(`the handler of ${tool.name} returned nothing`, { call_id: state.id, tool: tool.name });
  return asLogged(
    failure(state, "no-result", { what: `${tool.name} ran, but its handler returned nothing.`, fix: blame, details: { call_id: state.id } }, tool),
  );
}

function badResult(state: CallState, tool: ToolRef, path: string, problem: string): Outcome {
  state.log.error(`the handler of ${tool.name} returned something that can't be sent`, { call_id: state.id, tool: tool.name, path, problem });
  return asLogged(
    failure(
      state,
      "bad-result",
      { what: `${tool.name} ran, but its result can't be sent: at ${path}, ${problem}.`, fix: blame, details: { call_id: state.id, path } },
      tool,
    ),
  );
}
