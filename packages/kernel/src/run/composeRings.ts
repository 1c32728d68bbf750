import type { Layer, Maybe, Next, Outcome, Position, Tool } from "@fettle/contract";
import { pluginFault, pluginThrew } from "./failure.js";
import { changed, type Frame, RingCall, type Step } from "./frame.js";
import { isPromise } from "./isPromise.js";
import { unsoundPart } from "./unsoundPart.js";

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
  const at = { plugin, hook: "layer" };
  return (frame) => {
    const { state } = frame;
    let running = false;
    let last: Outcome | undefined;
    const settle = (outcome: Outcome): Outcome => {
      running = false;
      last = outcome;
      return outcome;
    };
    const next: Next = (change) => {
      if (running) return pluginFault(state, "next-overlap", at, "called next() while an earlier next() was running", frame.tool);
      if (change?.args !== undefined && (typeof change.args !== "object" || change.args === null || Array.isArray(change.args))) {
        return pluginFault(state, "bad-change", at, "called next() with args that are no object", frame.tool);
      }
      const outcome = inner(change ? changed(frame, change) : frame);
      if (!isPromise(outcome)) return settle(outcome);
      running = true;
      return outcome.then(settle);
    };
    const checked = (answer: Outcome): Outcome => {
      const unsound = unsoundPart(answer, last);
      return unsound ? pluginFault(state, "bad-outcome", at, unsound, frame.tool) : ofThisCall(answer, frame);
    };
    const threw = (error: unknown): Outcome => pluginThrew(state, { name: plugin }, "layer", error, frame.tool, frame.args);
    try {
      const answer: Maybe<Outcome> = layer(new RingCall(frame, plugin, tool), next);
      // By way of a real promise: a thenable of somebody's own may call back twice, or call back and throw.
      return isPromise(answer) ? Promise.resolve(answer).then(checked).catch(threw) : checked(answer);
    } catch (error) {
      return threw(error);
    }
  };
}

/** The outcome with this call's notes and tool: a layer may answer with one that it made or kept. */
function ofThisCall(outcome: Outcome, { state, tool }: Frame): Outcome {
  if (outcome.notes === state.notes && (outcome.tool || !tool)) return outcome;
  if (outcome.tool || !tool) return { ...outcome, notes: state.notes };
  return { ...outcome, notes: state.notes, tool: { name: tool.name, version: tool.version } };
}
