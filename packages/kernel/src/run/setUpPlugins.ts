import type { Call, Capabilities, Host, JsonObject, Logger, Plugin, PluginRun } from "@fettle/contract";
import type { Platform } from "../platform.js";
import { strayMember } from "../strayMember.js";
import { thrown } from "../thrown.js";
import { withinLimit } from "../withinLimit.js";
import { blankArguments } from "./blankArguments.js";
import type { RunningPlugin } from "./resolveTool.js";

/** Time for one plugin's set-up, in milliseconds: it may connect to something. */
const SETUP_LIMIT_MS = 30_000;
/** Time for one plugin to dispose of what it holds, in milliseconds: a shutdown has ten seconds in all. */
const DISPOSE_LIMIT_MS = 1_000;

/** `Host.logThrown`. */
function logThrown(log: Logger, { ask, args, callId, tool }: Call, message: string, error: unknown, fields: JsonObject = {}): void {
  const about = { call_id: callId, ...(tool && { tool: tool.name, version: tool.version }) };
  log.error(message, { ...about, ...fields, ...thrown(error, blankArguments([ask.name, ask.args, args])) });
}

/** Which plugin couldn't be set up, and why. */
export class SetUpFailed extends Error {
  readonly plugin: string;
  /** What to do, where it isn't in the log. */
  readonly hint: string | undefined;
  constructor(plugin: string, message: string, { cause, hint }: { cause?: unknown; hint?: string } = {}) {
    super(message, { cause });
    this.plugin = plugin;
    this.hint = hint;
  }
}

/**
 * Sets plugins up in config order.
 *
 * @throws SetUpFailed at the first that throws, hangs or gives nonsense, after those before it were disposed of in reverse order
 */
export async function setUpPlugins(
  platform: Platform,
  plugins: readonly Plugin<unknown>[],
  kernel: Pick<Host, "call" | "run" | "catalog" | "invalidateLists">,
  dataDirOf: (plugin: string) => string,
): Promise<{ readonly running: readonly RunningPlugin[]; dispose(): Promise<void> }> {
  const running: RunningPlugin[] = [];
  const capabilities = new Map<keyof Capabilities, unknown>();
  const dispose = async (): Promise<void> => {
    for (const { plugin, run } of [...running].reverse()) {
      try {
        await withinLimit(platform.clock, DISPOSE_LIMIT_MS, () => run.dispose?.());
      } catch (error) {
        platform.log.error(`plugin ${plugin.name} failed in dispose`, { plugin: plugin.name, hook: "dispose", ...thrown(error) });
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
      logThrown: (call, message, error, fields) => logThrown(platform.log, call, message, error, fields),
      dataDir: dataDirOf(plugin.name),
    };
    try {
      const run: PluginRun<unknown> = (await withinLimit(platform.clock, SETUP_LIMIT_MS, () => plugin.setup?.(host))) ?? {};
      if (typeof run !== "object") throw new TypeError(`it gave a ${typeof run}, and a running plugin is an object`);
      running.push({ plugin, run });
    } catch (error) {
      platform.log.error(`plugin ${plugin.name} threw in setup`, { plugin: plugin.name, hook: "setup", ...thrown(error) });
      await dispose();
      const why = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
      throw new SetUpFailed(plugin.name, `The plugin ${plugin.name} threw in setup: ${why}`, { cause: error });
    }
    const stray = strayMember("run", running.at(-1)?.run ?? {});
    if (stray) {
      await dispose();
      throw new SetUpFailed(plugin.name, `The plugin ${plugin.name}: ${stray.message}`, { hint: stray.hint });
    }
  }
  return { running, dispose };
}
