import {
  type Ask,
  type Call,
  type Caller,
  type Catalog,
  type InnerPosition,
  type JsonObject,
  type Layer,
  type Listing,
  type ListQuery,
  type Maybe,
  type Outcome,
  POSITIONS,
  type Resolution,
  type ToolRef,
} from "@fettle/contract";
import { isRepeatable, type LoadedTool, toolFor } from "../loadedTool.js";
import type { Platform } from "../platform.js";
import { CallState } from "./callState.js";
import { composeRings, type RingPlan } from "./composeRings.js";
import { failure, faultLogged } from "./failure.js";
import { type Frame, RingCall, type Step } from "./frame.js";
import { isPromise } from "./isPromise.js";
import { composeList } from "./listTools.js";
import { composeResolver, type RunningPlugin } from "./resolveTool.js";
import { givenUp, handlerStep } from "./runHandler.js";

/** How long layers may go on after the deadline, in milliseconds, to finish what they do once the handler has ended. */
const GRACE_MS = 1_000;
/** The same at a shutdown, which has less time. */
const CLOSING_GRACE_MS = 400;
/** Deepest chain of tools calling tools. */
const MAX_DEPTH = 16;
const INNER: readonly InnerPosition[] = ["protect", "shape", "reuse", "execute"];

/** One tool version, composed. */
interface ComposedTool {
  readonly loaded: LoadedTool;
  readonly rings: readonly RingPlan[];
  readonly core: Step;
  readonly run: Step;
  readonly timeoutMs: number;
  readonly repeatable: boolean;
}

/** Why a catalog couldn't be composed: a plugin threw in `layer` or `handler`, or no handler was given. */
export interface ComposeFault {
  /** The plugin at fault; undefined where no plugin gave a handler. */
  readonly plugin: string | undefined;
  readonly message: string;
  readonly error?: unknown;
}

/** A catalog with everything around it composed once. Replaced as a whole by a reload; calls in flight keep theirs. */
export interface Pipeline {
  readonly catalog: Catalog;
  readonly faults: readonly ComposeFault[];
  call(ask: Ask, caller: Caller, parent?: Call): Maybe<Outcome>;
  run(ref: ToolRef, args: JsonObject, call: Call, positions: readonly InnerPosition[]): Maybe<Outcome>;
  list(query: ListQuery): Maybe<readonly Listing[]>;
  rings(ref: ToolRef): readonly RingPlan[];
  composed(ref: ToolRef): { readonly loaded: LoadedTool; readonly timeoutMs: number } | undefined;
}

export interface PipelineOptions {
  readonly platform: Platform;
  readonly catalog: Catalog;
  readonly tools: readonly LoadedTool[];
  readonly running: readonly RunningPlugin[];
  /** Time limit for tools that set none, in milliseconds. */
  readonly timeoutMs: number;
  /** Told of each call, so that the kernel can wait for it and cut it off. */
  readonly track: (state: CallState) => () => void;
}

/** Composes layers, resolvers and lists for a catalog: once, not per call. */
export function createPipeline(options: PipelineOptions): Pipeline {
  const { platform, catalog, running } = options;
  const faults: ComposeFault[] = [];
  const tools = new Map<string, ComposedTool>();
  /** The same by the tools of the catalog themselves, so that a call needn't put a key together. */
  const byTool = new Map<ToolRef, ComposedTool>();
  for (const loaded of options.tools) {
    const composed = composeTool(loaded, options, faults);
    if (!composed) continue;
    tools.set(keyOf(loaded.tool), composed);
    byTool.set(loaded.tool, composed);
  }
  const outerRings = POSITIONS.slice(0, 2).flatMap((position) => ringsAt(running, position, undefined, faults));
  const resolve = composeResolver(running, catalog);

  const enter = (frame: Frame, resolution: Resolution): Maybe<Outcome> => {
    const { state } = frame;
    if (resolution && "refused" in resolution) return { ...resolution.refused, notes: state.notes };
    const composed = resolution?.tool && (byTool.get(resolution.tool) ?? tools.get(keyOf(resolution.tool)));
    if (!composed)
      return failure(state, "resolver-failed", {
        what: "The call failed because of a fault in the server: it was resolved to a tool that isn't served.",
        details: { call_id: state.id },
      });
    state.setTimeout(composed.timeoutMs);
    const outcome = withinDeadline(state, composed, composed.run({ ...frame, tool: composed.loaded.tool }));
    const { meta } = resolution;
    if (!meta) return outcome;
    const merge = (settled: Outcome): Outcome => ({ ...settled, meta: { ...meta, ...settled.meta } });
    return isPromise(outcome) ? outcome.then(merge) : merge(outcome);
  };
  const core: Step = (frame) => {
    const resolution = resolve(frame.state, frame.state.ask);
    return isPromise(resolution) ? resolution.then((settled) => enter(frame, settled)) : enter(frame, resolution);
  };
  const whole = composeRings(outerRings, core);

  return {
    catalog,
    faults,
    call(ask, caller, parent) {
      const outer = parent && RingCall.frameOf(parent).state;
      const state = new CallState(platform, ask, caller, outer && { id: outer.id, depth: outer.depth });
      if (state.depth > MAX_DEPTH)
        return faultLogged(
          state,
          failure(state, "call-depth", {
            what: `Tools called each other more than ${MAX_DEPTH} levels deep.`,
            fix: "Call the tool that does the work directly.",
          }),
        );
      const done = options.track(state);
      const finish = (outcome: Outcome): Outcome => {
        state.end();
        done();
        return faultLogged(state, outcome);
      };
      const outcome = whole({ state, tool: undefined, args: ask.args, signal: undefined, idempotencyKey: ask.idempotencyKey, fence: undefined });
      return isPromise(outcome) ? outcome.then(finish) : finish(outcome);
    },
    run(ref, args, call, positions) {
      const frame = RingCall.frameOf(call);
      const composed = tools.get(keyOf(ref));
      if (!composed)
        return failure(frame.state, "resolver-failed", {
          what: "The call failed because of a fault in the server: a tool that isn't served was to be run.",
          details: { call_id: frame.state.id },
        });
      const rings = composed.rings.filter(({ position }) => (positions as readonly string[]).includes(position));
      return composeRings(rings, composed.core)({ ...frame, tool: composed.loaded.tool, args });
    },
    list: composeList(running, catalog, platform),
    rings: (ref) => [...outerRings, ...(tools.get(keyOf(ref))?.rings ?? [])],
    composed: (ref) => tools.get(keyOf(ref)),
  };
}

/** `layer` is often taken for the ring itself. */
const OF_LAYERS = ". layer gives the ring of a tool, a function, or undefined for none: `layer: (tool) => (call, next) => next()`";

const keyOf = ({ name, version }: ToolRef): string => `${name}@${version}`;

function composeTool(loaded: LoadedTool, options: PipelineOptions, faults: ComposeFault[]): ComposedTool | undefined {
  const { tool } = loaded;
  const handler = loaded.handler ?? handlerFromPlugins(loaded, options.running, faults);
  if (!handler) {
    faults.push({ plugin: loaded.owner, message: `No plugin gives a handler for ${tool.name} ${tool.version}` });
    return undefined;
  }
  const rings = INNER.flatMap((position) => ringsAt(options.running, position, loaded, faults));
  const core = handlerStep(tool, handler, options.platform.env);
  return {
    loaded,
    rings,
    core,
    run: composeRings(rings, core),
    timeoutMs: tool.spec.timeout_ms ?? options.timeoutMs,
    repeatable: isRepeatable(tool),
  };
}

function handlerFromPlugins({ tool, owner, modules }: LoadedTool, running: readonly RunningPlugin[], faults: ComposeFault[]) {
  for (const { plugin, run } of running) {
    if (owner !== undefined && plugin.name !== owner) continue;
    try {
      const handler = run.handler?.(toolFor(plugin, tool, modules.get(plugin.name)));
      if (handler) return handler;
    } catch (error) {
      faults.push({ plugin: plugin.name, message: `The plugin ${plugin.name} threw in handler for ${tool.name}`, error });
    }
  }
  return undefined;
}

function ringsAt(running: readonly RunningPlugin[], position: (typeof POSITIONS)[number], loaded: LoadedTool | undefined, faults: ComposeFault[]): RingPlan[] {
  return running
    .filter(({ plugin }) => plugin.position === position)
    .flatMap(({ plugin, run }) => {
      const own = loaded && toolFor(plugin, loaded.tool, loaded.modules.get(plugin.name));
      let layer: Layer<unknown> | undefined;
      try {
        if (run.layer !== undefined && run.layer.length > 1) throw new TypeError(`it takes two parameters${OF_LAYERS}`);
        const given: unknown = run.layer?.(own);
        if (isPromise(given)) void Promise.resolve(given).catch(() => undefined);
        if (given !== undefined && typeof given !== "function") {
          throw new TypeError(`it gave ${isPromise(given) ? "a promise" : given === null ? "null" : `a value of type ${typeof given}`}${OF_LAYERS}`);
        }
        layer = given as Layer<unknown> | undefined;
      } catch (error) {
        faults.push({ plugin: plugin.name, message: `The plugin ${plugin.name} threw in layer${loaded ? ` for ${loaded.tool.name}` : ""}`, error });
        return [];
      }
      return layer ? [{ position, plugin: plugin.name, layer, tool: own }] : [];
    });
}

/** Answers at the deadline even when a layer hangs. The handler is raced on its own, so that layers can finish first. */
function withinDeadline(state: CallState, composed: ComposedTool, outcome: Maybe<Outcome>): Maybe<Outcome> {
  if (!isPromise(outcome)) return outcome;
  state.watch();
  return new Promise((resolve) => {
    let cancel: (() => void) | undefined;
    const onAbort = (): void => {
      if (state.cause === "cancelled") return;
      cancel = state.clock.after(state.cause === "closing" ? CLOSING_GRACE_MS : GRACE_MS, () =>
        resolve(givenUp(state, composed.loaded.tool, composed.repeatable)),
      );
    };
    const { signal } = state;
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
    void outcome.then((settled) => {
      signal.removeEventListener("abort", onAbort);
      cancel?.();
      resolve(settled);
    });
  });
}
