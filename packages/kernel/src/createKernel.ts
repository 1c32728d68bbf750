import type { Ask, Caller, Diagnostic, Host, ListName, Logger, Outcome } from "@fettle/contract";
import { createSchemaEngine } from "@fettle/schema";
import type { Kernel, KernelOptions, ReloadResult } from "./kernel.js";
import { LoadFailed } from "./load/loadFailed.js";
import { describe } from "./load/loadFunction.js";
import { type LoadedPlugins, loadPlugins } from "./load/loadPlugins.js";
import { type LoadedTools, loadTools } from "./load/loadTools.js";
import { join } from "./load/paths.js";
import { specCodes } from "./load/specCodes.js";
import { askHealth } from "./run/askHealth.js";
import { CallState } from "./run/callState.js";
import { collectContributions } from "./run/contributions.js";
import { failure } from "./run/failure.js";
import { ANONYMOUS, identifyCaller } from "./run/identifyCaller.js";
import { createPipeline, type Pipeline } from "./run/pipeline.js";
import { runContribution } from "./run/runContribution.js";
import { SetUpFailed, setUpPlugins } from "./run/setUpPlugins.js";
import { showsSameTools } from "./shownTools.js";
import { thrown } from "./thrown.js";
import { unlessAborted } from "./unlessAborted.js";

const DEFAULT_TIMEOUT_MS = 60_000;
const DEFAULT_DRAIN_MS = 8_000;
/** How long the calls that a shutdown aborts have to answer, in milliseconds. */
const CUT_OFF_MS = 500;

/**
 * Loads a config's plugins and specs and makes them callable.
 *
 * @throws LoadFailed when a plugin is wrong, or `strict` is on and a spec has an error; it carries every finding
 * @example
 * const kernel = await createKernel({ config: await loadConfig({ file, platform }), platform });
 * const outcome = await kernel.call({ name: "git_log", args: { limit: 2 } });
 */
export async function createKernel(options: KernelOptions): Promise<Kernel> {
  const { config, platform } = options;
  const engine = createSchemaEngine({ problems: 200 });
  const loadedPlugins = await loadPlugins(platform, engine, config, options.plugins ?? []);
  const { plugins, diagnostics: pluginDiagnostics } = loadedPlugins;
  const load = (generation: number): Promise<LoadedTools> => loadTools({ platform, engine, config, plugins, generation });
  let loaded = await load(0);
  let generation = 0;
  let diagnostics: readonly Diagnostic[] = [...pluginDiagnostics, ...loaded.diagnostics];
  const strict = options.strict ?? config.config.strict ?? false;
  const fatal = (found: readonly Diagnostic[]): boolean => found.some(({ severity, code }) => severity === "error" && (strict || code.startsWith("config/")));
  if (fatal(diagnostics)) throw new LoadFailed(diagnostics, sourcesOf(config, loaded));

  const inFlight = new Set<CallState>();
  const drained: (() => void)[] = [];
  let closing: Promise<void> | undefined;
  let closed = false;
  const listeners = new Set<(lists: readonly ListName[]) => void>();
  const listChanged = (...lists: readonly ListName[]): void => {
    const changed = lists.length === 0 ? (["tools"] as const) : [...new Set(lists)];
    for (const listener of listeners) listener(changed);
  };
  const track = (state: CallState): (() => void) => {
    inFlight.add(state);
    return () => {
      inFlight.delete(state);
      if (inFlight.size === 0) for (const done of drained.splice(0)) done();
    };
  };

  /** Waits for the calls in flight; at the limit they are aborted and get a moment to answer, and what hangs then is left behind. */
  const drain = (drainMs: number): Promise<void> =>
    new Promise((resolve) => {
      let cancel = platform.clock.after(drainMs, () => {
        for (const state of inFlight) state.abort("closing");
        cancel = platform.clock.after(CUT_OFF_MS, resolve);
      });
      drained.push(() => {
        cancel();
        resolve();
      });
    });

  const timeoutMs = config.config.timeout_ms ?? DEFAULT_TIMEOUT_MS;
  let pipeline: Pipeline;
  const call = (ask: Ask, parent?: Parameters<Host["call"]>[1]): ReturnType<Host["call"]> => {
    if (typeof (ask as Partial<Ask> | null | undefined)?.name !== "string") return nameless(platform);
    const caller = ask.caller ?? parent?.caller ?? ANONYMOUS;
    if (closing) return refused(platform, ask, caller, closed);
    return pipeline.call(parent && !ask.signal ? { ...ask, signal: parent.signal } : ask, caller, parent);
  };
  const host = {
    call,
    run: (...args: Parameters<Host["run"]>) => pipeline.run(...args),
    catalog: () => pipeline?.catalog ?? loaded.catalog,
    invalidateLists: listChanged,
  };
  const { running, dispose } = await setUpPlugins(platform, plugins, host, (plugin) => join(config.folder, ".fettle", plugin)).catch((error: unknown) => {
    if (!(error instanceof SetUpFailed)) throw error;
    throw new LoadFailed([...diagnostics, loadedPlugins.faultOf(error.plugin, error.message, error.hint)], sourcesOf(config, loaded));
  });
  const compose = (tools: LoadedTools): Pipeline => createPipeline({ platform, catalog: tools.catalog, tools: tools.tools, running, timeoutMs, track });
  pipeline = compose(loaded);
  const faults = faultsOf(pipeline, loadedPlugins, platform.log);
  if (faults.length > 0) {
    await dispose();
    throw new LoadFailed([...diagnostics, ...faults], sourcesOf(config, loaded));
  }

  const contributions = collectContributions(running, platform.log);
  const variesList = running.some(({ run }) => run.listTools !== undefined);
  let reloading: Promise<unknown> = Promise.resolve();
  const reload = async (signal: AbortSignal | undefined): Promise<ReloadResult> => {
    if (closing) return { swapped: false, diagnostics, sources: sourcesOf(config, loaded) };
    const fresh = await unlessAborted(signal, () => load(++generation));
    const found = [...pluginDiagnostics, ...fresh.diagnostics];
    const sources = sourcesOf(config, fresh);
    const broken = loaded.tools.some(({ tool }) => lost(tool.file, fresh));
    if (closing || broken || fatal(found)) return { swapped: false, diagnostics: found, sources };
    const next = compose(fresh);
    const composeFaults = faultsOf(next, loadedPlugins, platform.log);
    if (composeFaults.length > 0) return { swapped: false, diagnostics: [...found, ...composeFaults], sources };
    const shown = { catalog: () => fresh.catalog, sources, variesList };
    const isSame = showsSameTools(kernel, shown);
    pipeline = next;
    loaded = fresh;
    diagnostics = found;
    if (!isSame) listChanged();
    return { swapped: true, diagnostics: found, sources };
  };

  const kernel: Kernel = {
    config,
    get diagnostics() {
      return diagnostics;
    },
    get sources() {
      return sourcesOf(config, loaded);
    },
    catalog: () => pipeline.catalog,
    identify: (request) => identifyCaller(running, platform, request),
    call,
    listTools: (query) => pipeline.list(query),
    variesList,
    explain(name, version) {
      const tool = pipeline.catalog.get(name, version);
      const composed = tool && pipeline.composed(tool);
      if (!tool || !composed) return undefined;
      const { handlerFile, owner } = composed.loaded;
      return {
        tool: { name: tool.name, version: tool.version },
        file: tool.file,
        handler: handlerFile ?? `plugin ${owner ?? "(unknown)"}`,
        timeoutMs: composed.timeoutMs,
        rings: pipeline.rings(tool).map(({ position, plugin }) => ({ position, plugin })),
      };
    },
    reload({ signal } = {}) {
      // One after the other: of two at once the older could end last.
      const reloaded = reloading.then(() => reload(signal));
      reloading = reloaded.catch(() => {});
      return reloaded;
    },
    onListChanged(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    contributes: contributions.contributes,
    get prompts() {
      return contributions.now("prompts");
    },
    get resources() {
      return contributions.now("resources");
    },
    get resourceTemplates() {
      return contributions.now("resourceTemplates");
    },
    ownerOf: contributions.ownerOf,
    contribute({ of, ...ask }, run) {
      const plugin = contributions.ownerOf(of) ?? "(unknown)";
      return runContribution({ clock: platform.clock, log: platform.log, newId: () => platform.newId(), plugin, timeoutMs }, ask, run);
    },
    routes: running.flatMap(({ run }) => run.routes ?? []),
    commands: plugins.flatMap((plugin) => plugin.commands ?? []),
    async health() {
      return closing ? { ready: false, reasons: ["the server is shutting down"] } : askHealth(running, platform);
    },
    close({ drainMs = DEFAULT_DRAIN_MS } = {}) {
      closing ??= (async () => {
        if (inFlight.size > 0) await drain(drainMs);
        await dispose();
        closed = true;
      })();
      return closing;
    },
  };
  return kernel;
}

/** Whether a spec that was served is there still but can't be served now: a tool that an author took away is another matter. */
function lost(file: string, fresh: LoadedTools): boolean {
  if (fresh.tools.some(({ tool }) => tool.file === file)) return false;
  const unreadable = fresh.diagnostics.filter(({ code }) => code === specCodes.code("unreadable"));
  return fresh.files.includes(file) || unreadable.some((diagnostic) => file.startsWith(`${diagnostic.file}/`));
}

/** The answer to a call that names no tool. Types keep programs from that, but not those in JavaScript. */
function nameless(platform: KernelOptions["platform"]): Outcome {
  const state = new CallState(platform, { name: "", args: {} }, ANONYMOUS);
  return failure(state, "bad-ask", {
    what: "The call names no tool.",
    fix: 'Call with the name of a tool and its arguments: call({ name: "git_log", args: {} }).',
  });
}

/** The answer to a call that comes while the kernel closes, or after. */
function refused(platform: KernelOptions["platform"], ask: Ask, caller: Caller, closed: boolean): Outcome {
  const state = new CallState(platform, ask, caller);
  if (closed) {
    const fix = "Start it again; a program that embeds it opens another kernel, and closes it after the last call.";
    return failure(state, "closing", { what: "The server was shut down and takes no calls.", fix, retry: false });
  }
  return failure(state, "closing", {
    what: "The server is shutting down and takes no new calls.",
    fix: "Call again in a moment.",
    retry: true,
    retryAfterSeconds: 5,
  });
}

/** What the plugins did wrong while the pipeline was composed; the log has the whole of what they threw. */
function faultsOf({ faults }: Pipeline, { faultOf }: LoadedPlugins, log: Logger): readonly Diagnostic[] {
  return faults.map(({ plugin = "(none)", message, error }) => {
    if (error === undefined) return faultOf(plugin, message);
    log.error(message, { plugin, ...thrown(error) });
    return faultOf(plugin, `${message}: ${describe(error)}`);
  });
}

function sourcesOf(config: KernelOptions["config"], loaded: LoadedTools): ReadonlyMap<string, string> {
  return config.document ? new Map([...loaded.sources, [config.document.file, config.document.text]]) : loaded.sources;
}
