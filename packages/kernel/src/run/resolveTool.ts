import type { Ask, Catalog, Maybe, Plugin, PluginRun, Resolution, ResolveAsk, ResolveNext } from "@fettle/contract";
import { nearestWord } from "@fettle/schema";
import type { CallState } from "./callState.js";
import { failure, pluginFault, pluginThrew } from "./failure.js";
import { isPromise } from "./isPromise.js";
import { unsoundPart } from "./unsoundPart.js";

/** A plugin and what its set-up gave: the kernel's view of something that runs. */
export interface RunningPlugin {
  readonly plugin: Plugin<unknown>;
  readonly run: PluginRun<unknown>;
}

/** Finds the tool for a call: through the plugins that resolve, down to the kernel's own rule. */
export type Resolver = (state: CallState, ask: Ask) => Maybe<Resolution>;

export function composeResolver(running: readonly RunningPlugin[], catalog: Catalog): Resolver {
  return running
    .filter(({ run }) => run.resolveTool)
    .reduceRight<Resolver>(
      (inner, entry) => wrap(entry, inner, catalog),
      (state, ask) => resolveExactly(state, catalog, ask),
    );
}

function wrap({ plugin, run }: RunningPlugin, inner: Resolver, catalog: Catalog): Resolver {
  const resolve = run.resolveTool?.bind(run);
  if (!resolve) return inner;
  return (state, ask) => {
    const next: ResolveNext = (change) => inner(state, change ? { ...ask, ...change } : ask);
    const own: ResolveAsk = {
      ...ask,
      caller: state.caller,
      note: (key, value) => {
        state.notes[`${plugin.name}.${key}`] = value;
      },
    };
    const threw = (error: unknown): Resolution => ({ refused: pluginThrew(state, plugin, "resolveTool", error) });
    const checked = (resolution: Resolution): Resolution => {
      if (isResolution(resolution, catalog)) return resolution;
      return {
        refused: pluginFault(
          state,
          "resolver-failed",
          { plugin: plugin.name, hook: "resolveTool" },
          "resolved the call to something that is no tool of the catalog",
        ),
      };
    };
    try {
      const resolution = resolve(own, next);
      return isPromise(resolution) ? Promise.resolve(resolution).then(checked).catch(threw) : checked(resolution);
    } catch (error) {
      return threw(error);
    }
  };
}

function isResolution(value: Resolution | undefined | null, catalog: Catalog): boolean {
  if (typeof value !== "object" || value === null) return false;
  if ("refused" in value) return unsoundPart(value.refused, undefined) === undefined;
  return typeof value.tool === "object" && value.tool !== null && catalog.get(value.tool.name, value.tool.version) !== undefined;
}

/** The kernel's own rule: the exact name; the exact version where one is asked for, else the highest stable one. */
function resolveExactly(state: CallState, catalog: Catalog, ask: Ask): Resolution {
  const tool = catalog.get(ask.name, ask.version);
  if (tool) return { tool };
  const versions = catalog.versions(ask.name);
  if (versions.length === 0) return { refused: unknownTool(state, catalog, ask.name) };
  const served = versions.map(({ version }) => version);
  const what = ask.version === undefined ? `${ask.name} has no stable version.` : `${ask.name} is not served in that version.`;
  return { refused: failure(state, "no-such-version", { what, fix: `Ask for exactly one of: ${served.join(", ")}.`, details: { versions: served } }) };
}

/** The asked name itself is left out: it may be anything, and outcomes are stored and logged. */
function unknownTool(state: CallState, catalog: Catalog, name: string) {
  const names = [...new Set(catalog.tools.map((tool) => tool.name))];
  const nearest = nearestWord(name.slice(0, 200), names);
  return failure(state, "unknown-tool", {
    what: "There is no tool of that name.",
    why: nearest ? "The name is misspelt, or the tool is not part of this server." : "The tool is not part of this server.",
    fix: nearest
      ? `Call ${nearest} if that is what was meant.`
      : names.length > 0 && names.length <= 20
        ? `Call one of: ${names.join(", ")}.`
        : "List the tools and call one of them.",
    details: { nearest: nearest ? [nearest] : [] },
  });
}
