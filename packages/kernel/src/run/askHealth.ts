import type { Platform } from "../platform.js";
import { thrown } from "../thrown.js";
import { LimitReached, withinLimit } from "../withinLimit.js";
import type { RunningPlugin } from "./resolveTool.js";

/** Time for one plugin's health check, in milliseconds: probes of orchestrators wait about as long. */
const HEALTH_LIMIT_MS = 2_000;

/** Asks all plugins at once whether they are ready. One that throws or doesn't answer isn't. */
export async function askHealth(
  running: readonly RunningPlugin[],
  platform: Platform,
): Promise<{ readonly ready: boolean; readonly reasons: readonly string[] }> {
  const reasons = await Promise.all(
    running.map(async ({ plugin, run }) => {
      try {
        const health = await withinLimit(platform.clock, HEALTH_LIMIT_MS, () => run.health?.());
        return health && !health.ready ? `${plugin.name}: ${health.reason ?? "not ready"}` : undefined;
      } catch (error) {
        platform.log.error(`plugin ${plugin.name} failed in health`, { plugin: plugin.name, hook: "health", ...thrown(error) });
        return `${plugin.name}: its health check ${error instanceof LimitReached ? "did not answer" : "failed"}`;
      }
    }),
  );
  const given = reasons.filter((reason) => reason !== undefined);
  return { ready: given.length === 0, reasons: given };
}
