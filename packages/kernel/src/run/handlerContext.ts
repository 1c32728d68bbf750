import type { Caller, HandlerContext, JsonObject, Logger, ToolRef } from "@fettle/contract";
import { clientLog } from "./clientLog.js";
import type { Frame } from "./frame.js";

/** What a handler is given. Getters, so that a handler that needs no signal or id costs none. */
export class RunContext implements HandlerContext {
  readonly #frame: Frame;
  readonly tool: ToolRef;
  readonly env: Readonly<Record<string, string | undefined>>;

  constructor(frame: Frame, tool: ToolRef, env: Readonly<Record<string, string | undefined>>) {
    this.#frame = frame;
    this.tool = tool;
    this.env = env;
  }

  get signal(): AbortSignal {
    return this.#frame.signal ?? this.#frame.state.signal;
  }
  get deadline(): number {
    return this.#frame.state.deadline;
  }
  get callId(): string {
    return this.#frame.state.id;
  }
  get caller(): Caller {
    return this.#frame.state.caller;
  }
  get idempotencyKey(): string | undefined {
    return this.#frame.idempotencyKey;
  }
  get fence(): number | undefined {
    return this.#frame.fence;
  }
  get inputs(): Readonly<Record<string, JsonObject>> | undefined {
    return this.#frame.state.ask.inputs;
  }
  get inputState(): string | undefined {
    return this.#frame.state.ask.inputState;
  }
  get canAsk(): HandlerContext["canAsk"] {
    const { ask } = this.#frame.state;
    return (method, mode) => ask.canAsk?.(method, mode) ?? false;
  }
  get closeStream(): HandlerContext["closeStream"] {
    const { ask } = this.#frame.state;
    return () => ask.closeStream?.();
  }
  get log(): Logger {
    const { state } = this.#frame;
    return clientLog(state.log, { call_id: state.id, tool: this.tool.name }, state.ask.onLog);
  }
  /** A getter like the others, so that authors may take it out of the context: `(args, { progress }) => ...`. */
  get progress(): HandlerContext["progress"] {
    const { ask } = this.#frame.state;
    return (done, total, text) => ask.onProgress?.(done, total, text);
  }
}
