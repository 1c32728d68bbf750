import { attendLoad } from "../dev/attendLoad.js";
import { devModules } from "../dev/devModules.js";
import { DevSession } from "../dev/devSession.js";
import { reloader } from "../dev/reloader.js";
import { count } from "../format/count.js";
import { shownPath } from "../format/shownPath.js";
import { createLog } from "../log.js";
import { configFileOf, findConfig, openPlatform, requireSpecs } from "../project.js";
import { httpEntry } from "../scaffold/hostEntries.js";
import { ABORT_MS, DEFAULT_DRAIN_MS, serveHttp } from "../serving.js";
import { stopSignal } from "../stopSignal.js";
import type { Terminal } from "../terminal.js";
import { rootsOf } from "../types/typesOnDisk.js";
import { visible } from "../visible.js";

export interface DevOptions {
  readonly config?: string;
  readonly host?: string;
  readonly port?: number;
}

/** `fettle dev`: serves over HTTP and reloads what is saved, until SIGTERM or SIGINT. Resolves to the exit code. */
export async function dev(options: DevOptions, terminal: Terminal): Promise<number> {
  // It is people who read this, also where stderr is no terminal.
  const log = createLog({ ...terminal, errIsTty: true }, "warn");
  let drainMs = DEFAULT_DRAIN_MS;
  const stop = stopSignal(log, () => drainMs + ABORT_MS);
  try {
    const machine = openPlatform(terminal, log);
    const first = await findConfig(options, terminal, machine);
    drainMs = first.config.http?.drain_ms ?? DEFAULT_DRAIN_MS;
    const modules = devModules(machine);
    const began = Date.now();
    const leave = attendLoad({ modules, terminal });
    const session = await DevSession.open({ ...options, configFile: configFileOf(options, terminal.cwd), modules, terminal, first }).finally(leave);
    try {
      const { kernel } = session;
      requireSpecs({ config: first, platform: machine }, kernel.catalog().tools.length + kernel.diagnostics.length);
      const serving = await serveHttp(kernel, options, log, drainMs);
      const reloads = reloader(session, modules, terminal);
      try {
        await reloads.begin(began, greeting(session, serving.url, terminal));
        await stop.asked;
        await Promise.all([serving.close(), kernel.close({ drainMs })]);
      } finally {
        await reloads.end();
      }
    } finally {
      await session.kernel.close({ drainMs });
    }
    return 0;
  } finally {
    stop.release();
  }
}

function greeting({ kernel }: DevSession, url: string, { errPaint, cwd }: Terminal): string {
  const { config } = kernel;
  const name = config.config.server?.name ?? "fettle";
  const folders = rootsOf(config).map((folder) => visible(shownPath(folder, cwd)));
  return [
    `${errPaint("strong", "fettle dev")}: ${count(kernel.catalog().tools.length, "tool")} at ${errPaint("place", `${url}/mcp`)}`,
    "",
    "Paste this into the configuration of your MCP client:",
    "",
    httpEntry(name, `${url}/mcp`),
    "",
    `What you save in ${folders.join(", ")} is served at once. Ctrl+C ends it.`,
    "",
    "",
  ].join("\n");
}
