import type { Catalog, Diagnostic } from "@fettle/contract";
import { createSchemaEngine } from "@fettle/schema";
import type { LoadedConfig, PluginInput } from "./kernel.js";
import { loadPlugins } from "./load/loadPlugins.js";
import { loadTools } from "./load/loadTools.js";
import type { SpecVersion } from "./load/specVersions.js";
import type { Platform } from "./platform.js";

export interface CheckOptions {
  readonly config: LoadedConfig;
  readonly platform: Platform;
  readonly plugins?: readonly PluginInput[];
  /** Spec files or folders in place of the config's `tools`. */
  readonly paths?: readonly string[];
  /** Whether handlers are loaded. Default true. */
  readonly handlers?: boolean;
  /** The spec versions that are read. Default those of this release. */
  readonly specVersions?: ReadonlyMap<number, SpecVersion>;
}

export interface Checked {
  readonly diagnostics: readonly Diagnostic[];
  /** The tools that would be served. */
  readonly catalog: Catalog;
  /** Texts of the files that diagnostics point into, by file. */
  readonly sources: ReadonlyMap<string, string>;
  /** Spec files that were looked at. */
  readonly files: readonly string[];
}

/** Everything that `fettle check` does: loads plugins, specs and handlers, checks them, and sets nothing up. Examples are held against their schemas too. */
export async function checkSpecs(options: CheckOptions): Promise<Checked> {
  const { config, platform } = options;
  const engine = createSchemaEngine({ problems: 200 });
  const { plugins, diagnostics } = await loadPlugins(platform, engine, config, options.plugins ?? []);
  const loaded = await loadTools({
    platform,
    engine,
    config,
    plugins,
    generation: 0,
    thorough: true,
    ...(options.paths && { paths: options.paths }),
    ...(options.handlers !== undefined && { handlers: options.handlers }),
    ...(options.specVersions && { specVersions: options.specVersions }),
  });
  const sources = config.document ? new Map([...loaded.sources, [config.document.file, config.document.text]]) : loaded.sources;
  return { diagnostics: [...diagnostics, ...loaded.diagnostics], catalog: loaded.catalog, sources, files: loaded.files };
}
