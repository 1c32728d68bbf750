import { ERROR_TYPES, type Layer, type Maybe, type Next, type Outcome, type Position, type Tool } from "@fettle/contract";
import { failure, pluginThrew } from "./failure.js";
import { changed, type Frame, RingCall, type Step } from "./frame.js";
import { isPromise } from "./isPromise.js";

/** One ring to be: a plugin's layer, and the tool as that plugin sees it. */
export interface RingPlan {
  readonly position: Position;
  readonly plugin: string;
  readonly layer: Layer;
  /** Undefined at observe and answer. */
  readonly tool: Tool | undefined;
}

/** Wraps rings around a step, the first one outermost. With no rings it is the step itself. */
export function composeRings(rings: readonly RingPlan[], core: Step): Step {
  return rings.reduceRight<Step>((inner, ring) => wrap(ring, inner), core);
}

function wrap({ plugin, layer, tool }: RingPlan, inner: Step): Step {
  return (frame) => {
    const { state } = frame;
    let running = false;
    const next: Next = (change) => {
      if (running) {
        return failure(
          state,
          "next-overlap",
          {
            what: `The call failed because of a fault in the server: the plugin ${plugin} called next() while an earlier next() was running.`,
            details: { plugin, hook: "layer", call_id: state.id },
          },
          frame.tool,
        );
      }
      const outcome = inner(change ? changed(frame, change) : frame);
      if (!isPromise(outcome)) return outcome;
      running = true;
      return outcome.then((settled) => {
        running = false;
        return settled;
      });
    };
    let answer: Maybe<Outcome>;
    try {
      answer = layer(new RingCall(frame, plugin, tool), next);
    } catch (error) {
      return pluginThrew(state, { name: plugin }, "layer", error, frame.tool);
    }
    if (!isPromise(answer)) return checked(answer, frame, plugin);
    return Promise.resolve(answer).then(
      (outcome) => checked(outcome, frame, plugin),
      (error) => pluginThrew(state, { name: plugin }, "layer", error, frame.tool),
    );
  };
}

/** Sees to it that what a layer gave is an outcome, and that it carries this call's notes and tool. */
function checked(outcome: Outcome, frame: Frame, plugin: string): Outcome {
  const { state, tool } = frame;
  if (!isOutcome(outcome)) {
    state.log.error(`plugin ${plugin} answered with something that is no outcome`, { call_id: state.id, plugin, hook: "layer" });
    return failure(
      state,
      "bad-outcome",
      {
        what: `The call failed because of a fault in the server: the plugin ${plugin} answered with something that is no outcome.`,
        details: { plugin, hook: "layer", call_id: state.id },
      },
      tool,
    );
  }
  if (outcome.notes === state.notes && (outcome.tool || !tool)) return outcome;
  return { ...outcome, notes: state.notes, ...(!outcome.tool && tool && { tool: { name: tool.name, version: tool.version } }) };
}

function isOutcome(value: unknown): value is Outcome {
  if (typeof value !== "object" || value === null) return false;
  const { kind, error, requests } = value as { kind?: unknown; error?: { error_type?: unknown } | null; requests?: unknown };
  if (kind === "ok") return true;
  if (kind === "error") return typeof error === "object" && error !== null && (ERROR_TYPES as readonly unknown[]).includes(error.error_type);
  return kind === "input_required" && typeof requests === "object" && requests !== null;
}
