import type { Ask, Call, CallChange, Caller, Json, JsonObject, Logger, Tool } from "@fettle/contract";
import type { CallState } from "./callState.js";

/** What one ring hands to the next: the call's state, and what rings outside changed. */
export interface Frame {
  readonly state: CallState;
  readonly tool: Tool | undefined;
  readonly args: JsonObject;
  /** Set by a ring that runs the rest under a signal of its own. */
  readonly signal: AbortSignal | undefined;
  readonly idempotencyKey: string | undefined;
  readonly fence: number | undefined;
}

/** A step of a composed call. It never throws and never rejects. */
export type Step = (frame: Frame) => import("@fettle/contract").Maybe<import("@fettle/contract").Outcome>;

export function changed(frame: Frame, change: CallChange): Frame {
  return {
    state: frame.state,
    tool: frame.tool,
    args: change.args ?? frame.args,
    signal: change.signal ?? frame.signal,
    idempotencyKey: change.idempotencyKey ?? frame.idempotencyKey,
    fence: change.fence ?? frame.fence,
  };
}

/** A call as one plugin's ring sees it: read-only and closed. */
export class RingCall implements Call {
  readonly #frame: Frame;
  readonly #plugin: string;
  /** The tool with this plugin's section. */
  readonly tool: Tool | undefined;

  constructor(frame: Frame, plugin: string, tool: Tool | undefined) {
    this.#frame = frame;
    this.#plugin = plugin;
    this.tool = tool;
    Object.freeze(this);
  }

  /** The frame behind a call that a plugin hands back to the host. */
  static frameOf(call: Call): Frame {
    if (!(call instanceof RingCall)) throw new TypeError("host.run and host.call take the call that the layer was given");
    return call.#frame;
  }

  get ask(): Ask {
    return this.#frame.state.ask;
  }
  get args(): JsonObject {
    return this.#frame.args;
  }
  get section(): unknown {
    return this.tool?.section;
  }
  get caller(): Caller {
    return this.#frame.state.caller;
  }
  get callId(): string {
    return this.#frame.state.id;
  }
  get parentId(): string | undefined {
    return this.#frame.state.parentId;
  }
  get signal(): AbortSignal {
    return this.#frame.signal ?? this.#frame.state.signal;
  }
  get deadline(): number {
    return this.#frame.state.deadline;
  }
  get log(): Logger {
    return this.#frame.state.log;
  }
  get idempotencyKey(): string | undefined {
    return this.#frame.idempotencyKey;
  }
  get fence(): number | undefined {
    return this.#frame.fence;
  }
  /** A getter, so that `({ note }) => ...` works as `call.note` does. */
  get note(): (key: string, value: Json) => void {
    const { notes } = this.#frame.state;
    const plugin = this.#plugin;
    return (key, value) => {
      notes[`${plugin}.${key}`] = value;
    };
  }
}
