import type { Ask, Caller, Capabilities, Diagnostic, Host, Outcome, Plugin, PluginRun } from "@fettle/contract";
import { createSchemaEngine } from "@fettle/schema";
import type { Kernel, KernelOptions } from "./kernel.js";
import { LoadFailed } from "./load/loadFailed.js";
import { describe } from "./load/loadHandler.js";
import { loadPlugins } from "./load/loadPlugins.js";
import { type LoadedTools, loadTools } from "./load/loadTools.js";
import { join } from "./load/paths.js";
import { CallState } from "./run/callState.js";
import { failure } from "./run/failure.js";
import { createPipeline, type Pipeline } from "./run/pipeline.js";
import type { RunningPlugin } from "./run/resolveTool.js";

const DEFAULT_TIMEOUT_MS = 60_000;
const DEFAULT_DRAIN_MS = 8_000;
/** How long the calls that a shutdown aborts have to answer, in milliseconds. */
const CUT_OFF_MS = 500;
const ANONYMOUS: Caller = Object.freeze({ tenant: "default", principal: "anonymous", scopes: Object.freeze([]) });
const LOCAL_USER: Caller = Object.freeze({ tenant: "default", principal: "local", scopes: Object.freeze([]) });

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
  const { plugins, diagnostics: pluginDiagnostics } = await loadPlugins(platform, engine, config, options.plugins ?? []);
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
  const listeners = new Set<() => void>();
  const listChanged = (): void => {
    for (const listener of listeners) listener();
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

  let pipeline: Pipeline;
  const call = (ask: Ask, parent?: Parameters<Host["call"]>[1]): ReturnType<Host["call"]> => {
    const caller = ask.caller ?? parent?.caller ?? ANONYMOUS;
    if (closing) return refusedWhileClosing(platform, ask, caller);
    return pipeline.call(parent && !ask.signal ? { ...ask, signal: parent.signal } : ask, caller, parent);
  };
  const { running, dispose } = await setUp(options, plugins, {
    call,
    run: (...args) => pipeline.run(...args),
    catalog: () => pipeline?.catalog ?? loaded.catalog,
    invalidateLists: listChanged,
  });
  const compose = (tools: LoadedTools): Pipeline =>
    createPipeline({ platform, catalog: tools.catalog, tools: tools.tools, running, timeoutMs: config.config.timeout_ms ?? DEFAULT_TIMEOUT_MS, track });
  pipeline = compose(loaded);
  const faults = faultsOf(pipeline, config);
  if (faults.length > 0) {
    await dispose();
    throw new LoadFailed([...diagnostics, ...faults], sourcesOf(config, loaded));
  }

  const kernel: Kernel = {
    config,
    get diagnostics() {
      return diagnostics;
    },
    get sources() {
      return sourcesOf(config, loaded);
    },
    catalog: () => pipeline.catalog,
    async identify(request) {
      for (const { plugin, run } of running) {
        try {
          const caller = await run.identify?.(request);
          if (caller) return caller;
        } catch (error) {
          // Falling through to an anonymous caller would let somebody in whom a plugin was about to refuse.
          platform.log.error(`plugin ${plugin.name} threw in identify`, { error: describe(error) });
          throw new Error(`The plugin ${plugin.name} threw in identify: the caller is not known.`);
        }
      }
      return request.transport === "stdio" ? LOCAL_USER : ANONYMOUS;
    },
    call,
    listTools: (query) => pipeline.list(query),
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
    async reload() {
      const fresh = await load(++generation);
      const found = [...pluginDiagnostics, ...fresh.diagnostics];
      const broken = loaded.tools.some(({ tool }) => fresh.files.includes(tool.file) && !fresh.tools.some((other) => other.tool.file === tool.file));
      if (broken || fatal(found)) return { swapped: false, diagnostics: found };
      const next = compose(fresh);
      const composeFaults = faultsOf(next, config);
      if (composeFaults.length > 0) return { swapped: false, diagnostics: [...found, ...composeFaults] };
      pipeline = next;
      loaded = fresh;
      diagnostics = found;
      listChanged();
      return { swapped: true, diagnostics: found };
    },
    onListChanged(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    prompts: running.flatMap(({ run }) => run.prompts ?? []),
    resources: running.flatMap(({ run }) => run.resources ?? []),
    resourceTemplates: running.flatMap(({ run }) => run.resourceTemplates ?? []),
    routes: running.flatMap(({ run }) => run.routes ?? []),
    commands: plugins.flatMap((plugin) => plugin.commands ?? []),
    async health() {
      if (closing) return { ready: false, reasons: ["the server is shutting down"] };
      const reasons: string[] = [];
      for (const { plugin, run } of running) {
        try {
          const health = await run.health?.();
          if (health && !health.ready) reasons.push(`${plugin.name}: ${health.reason ?? "not ready"}`);
        } catch (error) {
          platform.log.error(`plugin ${plugin.name} threw in health`, { error: describe(error) });
          reasons.push(`${plugin.name}: its health check failed`);
        }
      }
      return { ready: reasons.length === 0, reasons };
    },
    close({ drainMs = DEFAULT_DRAIN_MS } = {}) {
      closing ??= (async () => {
        if (inFlight.size > 0) await drain(drainMs);
        await dispose();
      })();
      return closing;
    },
  };
  return kernel;
}

function refusedWhileClosing(platform: KernelOptions["platform"], ask: Ask, caller: Caller): Outcome {
  return failure(new CallState(platform, ask, caller), "closing", {
    what: "The server is shutting down and takes no new calls.",
    fix: "Call again in a moment.",
    retry: true,
    retryAfterSeconds: 5,
  });
}

/** Sets plugins up in config order. When one fails, those before it are disposed of in reverse order. */
async function setUp(
  options: KernelOptions,
  plugins: readonly Plugin<unknown>[],
  kernel: Pick<Host, "call" | "run" | "catalog" | "invalidateLists">,
): Promise<{ running: readonly RunningPlugin[]; dispose: () => Promise<void> }> {
  const { config, platform } = options;
  const running: RunningPlugin[] = [];
  const capabilities = new Map<keyof Capabilities, unknown>();
  const dispose = async (): Promise<void> => {
    for (const { plugin, run } of [...running].reverse()) {
      try {
        await run.dispose?.();
      } catch (error) {
        platform.log.error(`plugin ${plugin.name} threw in dispose`, { error: describe(error) });
      }
    }
  };
  for (const plugin of plugins) {
    const host: Host = {
      ...kernel,
      provide: (name, implementation) => void capabilities.set(name, implementation),
      find: (name) => capabilities.get(name) as never,
      clock: platform.clock,
      log: platform.log,
      dataDir: join(config.folder, ".fettle", plugin.name),
    };
    let run: PluginRun<unknown>;
    try {
      run = (await plugin.setup?.(host)) ?? {};
    } catch (error) {
      platform.log.error(`plugin ${plugin.name} threw in setup`, { error: describe(error) });
      await dispose();
      throw new LoadFailed([finding(config, `The plugin ${plugin.name} threw in setup: ${describe(error)}`)], new Map());
    }
    running.push({ plugin, run });
  }
  return { running, dispose };
}

function faultsOf(pipeline: Pipeline, config: KernelOptions["config"]): readonly Diagnostic[] {
  return pipeline.faults.map(({ tool, message }) => finding(config, message, tool?.file));
}

function finding(config: KernelOptions["config"], message: string, file?: string): Diagnostic {
  return {
    code: "config/plugin-failed",
    severity: "error",
    file: file ?? config.file ?? "(config in code)",
    line: 1,
    column: 1,
    message,
    hint: "This is a fault of the plugin.",
    rule: "C-PLUGIN-3",
  };
}

function sourcesOf(config: KernelOptions["config"], loaded: LoadedTools): ReadonlyMap<string, string> {
  return config.document ? new Map([...loaded.sources, [config.document.file, config.document.text]]) : loaded.sources;
}
