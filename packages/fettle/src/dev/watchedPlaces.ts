import { dirname, resolve, sep } from "node:path";
import type { LoadedConfig } from "@fettle/kernel";
import { rootsOf } from "../types/typesOnDisk.js";
import type { Watched } from "./watchFiles.js";

const HANDLER = /\.handler\.[cm]?[jt]s$/;
const MODULE = /\.([cm]?[jt]sx?|json)$/;
const GENERATED = /\.types\.ts$/;

/** What a load of a project read. All paths are absolute. */
export interface LoadedFiles {
  readonly config: LoadedConfig;
  /** The file that the config is in, or would be in. */
  readonly configFile: string;
  /** Files of modules that were loaded, or that an import stumbled over. */
  readonly modules: readonly string[];
  /** Spec files that were read. */
  readonly specs: readonly string[];
}

/** The folders to watch: those of specs as a whole, and those that other files of the project are in. */
export function placesToWatch({ config, configFile, modules, specs }: LoadedFiles): Watched {
  const deep = rootsOf(config);
  const isCovered = (file: string): boolean => deep.some((folder) => dirname(file) === folder || isPlainlyBelow(file, folder));
  const others = [configFile, ...pluginPaths(config), ...modules, ...specs].filter((file) => !isCovered(file));
  return { deep, flat: [...new Set(others.map(dirname))], read: [...modules, ...specs, ...(config.file === undefined ? [] : [config.file])] };
}

/** Plugins that the config names by a path. */
export function pluginPaths({ config, folder }: LoadedConfig): readonly string[] {
  return (config.plugins ?? []).flatMap(({ use }) => (/^\.{0,2}\//.test(use) ? [resolve(folder, use)] : []));
}

/**
 * Whether a change of a file can change what is served.
 *
 * @param isBroken whether something can't be loaded now: then any module may be the one that it lacks
 */
export function canMatter(path: string, { config, configFile, modules, specs }: LoadedFiles, isBroken: boolean): boolean {
  if (path === configFile || path.endsWith(".tool.yaml") || HANDLER.test(path)) return true;
  if (modules.includes(path) || specs.includes(path) || pluginPaths(config).includes(path)) return true;
  if (rootsOf(config).includes(path)) return true;
  return isBroken && MODULE.test(path) && !GENERATED.test(path);
}

function isPlainlyBelow(file: string, folder: string): boolean {
  if (!file.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`)) return false;
  const parts = file.slice(folder.length).split(sep);
  return parts.every((part) => !part.startsWith(".") && part !== "node_modules" && part !== "dist");
}
