import type { Diagnostic } from "@fettle/contract";
import { createKernel, type Kernel, type LoadedConfig, LoadFailed, loadConfig } from "@fettle/kernel";
import { findConfig } from "../project.js";
import type { Terminal } from "../terminal.js";
import type { DevModules } from "./devModules.js";
import { type LiveKernel, liveKernel } from "./liveKernel.js";
import { canMatter, type LoadedFiles, placesToWatch, pluginPaths } from "./watchedPlaces.js";
import type { Watched } from "./watchFiles.js";

/** What a load came to. */
export interface Loaded {
  /** Whether what was changed is served now; else the last good tools still are. */
  readonly swapped: boolean;
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: ReadonlyMap<string, string>;
  /** Sections of the config that were changed, and count from the next start. */
  readonly restart: readonly string[];
}

export interface DevSessionOptions {
  readonly config?: string;
  readonly configFile: string;
  readonly modules: DevModules;
  readonly terminal: Pick<Terminal, "cwd">;
  /** The config that the session starts with. */
  readonly first: LoadedConfig;
}

/** Settings that the transport reads when it is made. */
const AT_START = ["http", "wire"] as const;

/** A project that is served while it is worked on: reloads what was changed, and keeps what works. */
export class DevSession {
  readonly #options: DevSessionOptions;
  readonly #live: LiveKernel;
  readonly #first: LoadedConfig;
  /** Spec files that were read, also those of a load that failed. */
  #specs: readonly string[] = [];
  /** Files of the modules that are served: one that is gone now may come back. */
  #served: readonly string[];

  private constructor(options: DevSessionOptions, first: Kernel) {
    this.#options = options;
    this.#first = first.config;
    this.#live = liveKernel(first);
    this.#served = options.modules.platform.modules.files();
    this.#learn(first.sources);
  }

  /** @throws LoadFailed when there is nothing to begin with: the config or a plugin is wrong, or a spec is and the config says strict */
  static async open(options: DevSessionOptions): Promise<DevSession> {
    options.modules.expectPlugins(pluginPaths(options.first));
    return new DevSession(options, await createKernel({ config: options.first, platform: options.modules.platform }));
  }

  /** What is served, whatever is loaded later. */
  get kernel(): Kernel {
    return this.#live.kernel;
  }

  places(): Watched {
    return placesToWatch(this.#files());
  }

  /** Whether a change of that file can change what is served. */
  canMatter(path: string, isBroken: boolean): boolean {
    return canMatter(path, this.#files(), isBroken);
  }

  /**
   * Loads what was changed. A change of the config or of a plugin makes a new kernel, which is served in place of the old one.
   *
   * @param signal leaves the load behind: it changes nothing any more
   * @throws the reason of the signal once that is aborted
   */
  async load(changed: ReadonlySet<string>, signal: AbortSignal): Promise<Loaded> {
    const { configFile, modules } = this.#options;
    modules.nextGeneration();
    const plugins = modules.pluginFiles();
    const anew = [...changed].some((path) => path === configFile || plugins.has(path));
    const loaded = await (anew ? this.#replace(signal) : this.#reload(signal));
    if (loaded.swapped) this.#served = modules.platform.modules.files();
    return loaded;
  }

  async #reload(signal: AbortSignal): Promise<Loaded> {
    const { kernel } = this;
    const { swapped, diagnostics, sources } = await kernel.reload({ signal });
    this.#learn(sources);
    return { swapped, diagnostics, sources, restart: [] };
  }

  async #replace(signal: AbortSignal): Promise<Loaded> {
    const { modules } = this.#options;
    const { platform } = modules;
    try {
      const config = await this.#config();
      modules.expectPlugins(pluginPaths(config));
      const kernel = await kernelUnlessAborted(createKernel({ config, platform }), signal);
      const isBroken = (found: Diagnostic): boolean => found.severity === "error" && this.kernel.catalog().tools.some(({ file }) => file === found.file);
      this.#learn(kernel.sources);
      if (kernel.diagnostics.some(isBroken)) {
        await kernel.close();
        return { swapped: false, diagnostics: kernel.diagnostics, sources: kernel.sources, restart: [] };
      }
      this.#live.replace(kernel);
      const restart = AT_START.filter((name) => JSON.stringify(config.config[name]) !== JSON.stringify(this.#first.config[name]));
      return { swapped: true, diagnostics: kernel.diagnostics, sources: kernel.sources, restart };
    } catch (error) {
      if (!(error instanceof LoadFailed)) throw error;
      return { swapped: false, diagnostics: error.diagnostics, sources: error.sources, restart: [] };
    }
  }

  /** A config that was there and is gone is a problem, and no project without one. */
  #config(): Promise<LoadedConfig> {
    const { modules, configFile, terminal } = this.#options;
    if (this.kernel.config.file !== undefined) return loadConfig({ file: configFile, platform: modules.platform });
    return findConfig(this.#options, terminal, modules.platform);
  }

  #learn(sources: ReadonlyMap<string, string>): void {
    this.#specs = [...sources.keys()];
  }

  #files(): LoadedFiles {
    const { configFile, modules } = this.#options;
    const files = new Set([...this.#served, ...modules.platform.modules.files()]);
    return { config: this.kernel.config, configFile, modules: [...files], specs: this.#specs };
  }
}

/** A kernel, unless the signal is aborted before it is there: then it is closed as soon as it is. */
async function kernelUnlessAborted(made: Promise<Kernel>, signal: AbortSignal): Promise<Kernel> {
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([made, aborted]);
  } catch (error) {
    if (signal.aborted) made.then((kernel) => kernel.close()).catch(() => undefined);
    throw error;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
