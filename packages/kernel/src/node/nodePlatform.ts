import { randomUUID } from "node:crypto";
import type { Clock, Logger } from "@fettle/contract";
import type { Platform } from "../platform.js";
import { codeVersion, nodeCache } from "./nodeCache.js";
import { nodeFiles } from "./nodeFiles.js";
import { type NodeModules, type NodeModulesOptions, nodeModules } from "./nodeModules.js";

export interface NodePlatformOptions extends NodeModulesOptions {
  readonly log: Logger;
  /** Default the environment of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Default the system's clock. */
  readonly clock?: Clock;
  /** What specs are kept by between starts, for tests. Default the content of the code that reads them; where that runs from its sources, none are kept. */
  readonly cacheVersion?: string;
}

/** The kernel's outside on Node. */
export interface NodePlatform extends Platform {
  readonly modules: NodeModules;
}

/** The kernel's outside on Node: files, modules, clock and environment. */
export function nodePlatform(options: NodePlatformOptions): NodePlatform {
  return {
    files: nodeFiles,
    modules: nodeModules(options),
    clock: options.clock ?? systemClock,
    log: options.log,
    cache: nodeCache(async () => options.cacheVersion ?? (await codeVersion())),
    env: options.env ?? process.env,
    newId: randomUUID,
  };
}

/** The system's clock. A pending timer keeps the process alive, as the call that it watches should. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
