// The embedding API: a kernel inside of a program of one's own. Apart from `fettle`, since it loads the kernel and the MCP SDK.
import type { Logger } from "@fettle/contract";
import { configFromCode, createKernel, type Kernel, loadConfig, type PluginInput } from "@fettle/kernel";
import { nodePlatform } from "@fettle/kernel/node";
import type { FettleConfig } from "@fettle/spec-types";
import { createLog } from "./log.js";
import { paintFor } from "./paint.js";

export { type Kernel, LoadFailed, type PluginInput } from "@fettle/kernel";
export { createHttpServer, type HttpServer, ListenError, protectStdout, type StdioServer, serveStdio } from "@fettle/mcp";
export type { FettleConfig } from "@fettle/spec-types";

/** A config made in code. */
export interface CodeConfig {
  readonly config: FettleConfig;
  /** The folder that relative paths are relative to. Default the working folder. */
  readonly folder?: string;
}

export interface OpenOptions {
  /** Plugins given in code, after those of the config. */
  readonly plugins?: readonly PluginInput[];
  /** Refuse to start when any spec has an error. Default the config's `strict`, else false: broken tools are left out. */
  readonly strict?: boolean;
  /** Default: warnings and errors go to stderr, as FETTLE_LOG_LEVEL says. */
  readonly log?: Logger;
  /** What configs, plugins and handlers see as the environment. Default the environment of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/**
 * Loads a config, its plugins and its tools, ready to be called or served. Close it when it is no longer needed.
 *
 * @param source path of a config file, or a config made in code
 * @throws LoadFailed when the config or a plugin is wrong, or a spec is and `strict` is on; its `diagnostics` say what and where
 * @example
 * const kernel = await openKernel("./fettle.config.yaml");
 * const outcome = await kernel.call({ name: "git_log", args: { limit: 2 } });
 * await kernel.close();
 */
export async function openKernel(source: string | CodeConfig, options: OpenOptions = {}): Promise<Kernel> {
  const { plugins, strict, env = process.env } = options;
  const platform = nodePlatform({ log: options.log ?? stderrLog(), env, fallbackFrom: import.meta.url });
  const config = typeof source === "string" ? await loadConfig({ file: source, platform }) : configFromCode(source.config, source.folder ?? process.cwd());
  return createKernel({ config, platform, ...(plugins && { plugins }), ...(strict !== undefined && { strict }) });
}

function stderrLog(): Logger {
  const { stderr, env } = process;
  const errIsTty = stderr.isTTY === true;
  return createLog({ err: (text) => void stderr.write(text), errIsTty, errPaint: paintFor(errIsTty, env), env }, "warn");
}
