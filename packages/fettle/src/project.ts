import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Logger } from "@fettle/contract";
import { type LoadedConfig, loadConfig, type Platform } from "@fettle/kernel";
import { type NodePlatform, nodePlatform } from "@fettle/kernel/node";
import { watchedImports } from "./endProcess.js";
import type { Terminal } from "./terminal.js";
import { UsageError } from "./usageError.js";

const CONFIG_NAME = "fettle.config.yaml";

/** A config with the platform that it is loaded on. */
export interface Project {
  readonly config: LoadedConfig;
  readonly platform: Platform;
}

/** How the CLI names a project. */
interface ProjectOptions {
  /** The config file; default ./fettle.config.yaml where there is one. */
  readonly config?: string;
}

/** This machine, for the kernel. */
export function openPlatform({ env }: Pick<Terminal, "env">, log: Logger): NodePlatform {
  // Plugins are looked for from the config's folder first, then from here: the CLI brings the first-party ones.
  const machine = nodePlatform({ log, env, fallbackFrom: import.meta.url });
  return { ...machine, modules: watchedImports(machine.modules) };
}

/** The file that a project's config is or would be in. */
export function configFileOf(options: ProjectOptions, cwd: string): string {
  return options.config === undefined ? join(cwd, CONFIG_NAME) : resolve(cwd, options.config);
}

/**
 * Finds and reads the project's config: the file named, else ./fettle.config.yaml, else defaults for this folder: every spec below it, recovery and validation on.
 *
 * @throws LoadFailed when the config isn't valid
 */
export async function findConfig(options: ProjectOptions, { cwd }: Pick<Terminal, "cwd">, platform: Platform): Promise<LoadedConfig> {
  const file = configFileOf(options, cwd);
  if (options.config !== undefined || existsSync(file)) return loadConfig({ file, platform });
  return { config: { plugins: [{ use: "@fettle/plugin-recovery" }, { use: "@fettle/plugin-validation" }] }, file: undefined, folder: cwd };
}

/**
 * The project's config with this machine.
 *
 * @throws LoadFailed when the config isn't valid
 */
export async function openProject(options: ProjectOptions, terminal: Pick<Terminal, "cwd" | "env">, log: Logger): Promise<Project> {
  const platform = openPlatform(terminal, log);
  return { config: await findConfig(options, terminal, platform), platform };
}

/**
 * The project's config file and its folder, for verbs that need one.
 *
 * @throws UsageError when there is none
 */
export function requireConfig({ config: { file, folder } }: Project): { readonly file: string; readonly folder: string } {
  if (file !== undefined) return { file, folder };
  throw new UsageError(
    `There is no ${CONFIG_NAME} in ${folder}.`,
    "Go to a project's folder, name its config with --config FILE, or make a project with fettle init.",
  );
}

/**
 * Refuses a folder that is no project: without a config and without a spec, somebody is in the wrong place.
 *
 * @throws UsageError when there is no config and nothing was found
 */
export function requireSpecs({ config }: Project, found: number): void {
  if (config.file !== undefined || found > 0) return;
  throw new UsageError(
    `There is no ${CONFIG_NAME} in ${config.folder}, and no *.tool.yaml below it.`,
    "Go to a project's folder, or name its config with --config FILE.",
  );
}
