// The embedding API: a kernel inside of a program of one's own. Apart from `fettle`, since it loads the kernel and the MCP SDK.
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Logger } from "@fettle/contract";
import { configFromCode, createKernel, type Kernel, loadConfig, type PluginInput } from "@fettle/kernel";
import { nodePlatform } from "@fettle/kernel/node";
import { nearestWord } from "@fettle/schema";
import type { FettleConfig } from "@fettle/spec-types";
import { createLog } from "./log.js";
import { paintFor } from "./paint.js";

export type { Ask, Caller, Diagnostic, Logger, Outcome, ToolError } from "@fettle/contract";
export { type Kernel, LoadFailed, type PluginInput, type ReloadResult } from "@fettle/kernel";
export {
  createFetchHandler,
  createHttpServer,
  createNodeHandler,
  type FetchHandler,
  type HttpOptions,
  type HttpServer,
  ListenError,
  type NodeHandler,
  protectStdout,
  type StdioOptions,
  type StdioServer,
  serveStdio,
} from "@fettle/mcp";
export type { FettleConfig } from "@fettle/spec-types";

/** A config made in code. */
export interface CodeConfig {
  /** As fettle.config.yaml says it; `${NAME}` isn't expanded. */
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
 * @param source path or file URL of a config, or a config made in code
 * @throws LoadFailed when the config or a plugin is wrong, or a spec is and `strict` is on; its `diagnostics` say what and where
 * @throws TypeError when the arguments aren't what they should be, such as an unknown option
 * @example
 * const kernel = await openKernel("./fettle.config.yaml");
 * const outcome = await kernel.call({ name: "git_log", args: { limit: 2 } });
 * await kernel.close();
 */
export async function openKernel(source: string | URL | CodeConfig, options: OpenOptions = {}): Promise<Kernel> {
  refuseUnknown("openKernel", options, ["plugins", "strict", "log", "env"]);
  const { plugins, strict, env = process.env } = options;
  const platform = nodePlatform({ log: options.log ?? stderrLog(), env, fallbackFrom: import.meta.url });
  const config = isCodeConfig(source)
    ? configFromCode(source.config, source.folder ?? process.cwd())
    : await loadConfig({ file: source instanceof URL ? fileURLToPath(source) : resolve(source), platform });
  return createKernel({ config, platform, ...(plugins && { plugins }), ...(strict !== undefined && { strict }) });
}

/** Programs in JavaScript have no compiler that says so. */
function isCodeConfig(source: string | URL | CodeConfig): source is CodeConfig {
  if (typeof source === "string" || source instanceof URL) return false;
  if (typeof source === "object" && source !== null && typeof source.config === "object" && source.config !== null) {
    refuseUnknown("The config made in code", source, ["config", "folder"]);
    return true;
  }
  throw new TypeError('openKernel needs a config: its path, "./fettle.config.yaml", or { config: { tools: ["./tools"] } }.');
}

function refuseUnknown(who: string, options: object, known: readonly string[]): void {
  for (const key of Object.keys(options)) {
    if (known.includes(key)) continue;
    const near = nearestWord(key, known);
    throw new TypeError(`${who} has no option ${key}. ${near ? `Did you mean ${near}? ` : ""}Known: ${known.join(", ")}.`);
  }
}

function stderrLog(): Logger {
  const { stderr, env } = process;
  const errIsTty = stderr.isTTY === true;
  return createLog({ err: (text) => void stderr.write(text), errIsTty, errPaint: paintFor(errIsTty, env), env }, "warn");
}
