import { devModules } from "../dev/devModules.js";
import { DevSession, type Loaded } from "../dev/devSession.js";
import { keepTypes } from "../dev/keepTypes.js";
import { ProblemList } from "../dev/problemList.js";
import { watchFiles } from "../dev/watchFiles.js";
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

/** Most changed files that are named in a line. */
const MOST_NAMED = 3;

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
    const session = await DevSession.open({ ...options, configFile: configFileOf(options, terminal.cwd), modules, terminal, first });
    try {
      const { kernel } = session;
      requireSpecs({ config: first, platform: machine }, kernel.catalog().tools.length + kernel.diagnostics.length);
      const serving = await serveHttp(kernel, options, log, drainMs);
      const reloads = reloader(session, terminal);
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

interface Reloader {
  /** Greets, tells of the problems there are, and reloads from now on; also what was changed since the load that began then. */
  begin(loadBegan: number, greeting: string): Promise<void>;
  end(): Promise<void>;
}

/** Reloads after each burst of changes, one reload at a time; what is saved during one is loaded by the next. */
function reloader(session: DevSession, terminal: Terminal): Reloader {
  const { err } = terminal;
  const problems = new ProblemList(terminal);
  const waiting = new Set<string>();
  let running: Promise<void> | undefined;
  let isAsked = false;
  let hasEnded = false;

  const reloadAll = async (): Promise<void> => {
    while ((waiting.size > 0 || isAsked) && !hasEnded) {
      const changed = new Set(waiting);
      waiting.clear();
      isAsked = false;
      const began = performance.now();
      try {
        const loaded = await session.load(changed);
        if (hasEnded) return;
        watcher.watch(session.places());
        err(told(loaded, changed, Math.round(performance.now() - began), session, problems, terminal));
        if (loaded.swapped) err(await keepTypes(session.kernel, terminal));
      } catch (error) {
        err(
          `${terminal.errPaint("error", "error:")} The reload failed, and what was served still is: ${visible(String(error instanceof Error ? error.stack : error))}\n`,
        );
      }
    }
  };
  const reload = (): void => {
    running ??= reloadAll().finally(() => {
      running = undefined;
      // What came between the last look and this.
      if ((waiting.size > 0 || isAsked) && !hasEnded) reload();
    });
  };
  const watcher = watchFiles(
    (paths) => {
      for (const path of paths) if (session.canMatter(path, problems.hasErrors)) waiting.add(path);
      if (waiting.size > 0) reload();
    },
    (error) => err(`${terminal.errPaint("warning", "warning:")} Not all files can be watched: ${visible(error.message)}. SIGHUP reloads.\n`),
  );
  const onSighup = (): void => {
    isAsked = true;
    reload();
  };
  process.on("SIGHUP", onSighup);
  return {
    async begin(loadBegan, greeting) {
      watcher.watch(session.places());
      await watcher.ready();
      for (const path of session.changedSince(loadBegan)) waiting.add(path);
      err(greeting);
      const { diagnostics, sources } = session.kernel;
      err(problems.tell(diagnostics, sources));
      err(await keepTypes(session.kernel, terminal));
      if (waiting.size > 0) reload();
    },
    async end() {
      hasEnded = true;
      process.off("SIGHUP", onSighup);
      await watcher.close();
      await running;
    },
  };
}

/** One line for a reload, and below it what there is to say of problems. */
function told(loaded: Loaded, changed: ReadonlySet<string>, ms: number, { kernel }: DevSession, problems: ProblemList, terminal: Terminal): string {
  const { errPaint, cwd } = terminal;
  const names = [...changed].map((file) => visible(shownPath(file, cwd)));
  const rest = names.length - MOST_NAMED;
  const what = names.length === 0 ? "all" : `${names.slice(0, MOST_NAMED).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
  const tools = count(kernel.catalog().tools.length, "tool");
  const clock = errPaint("dim", new Date().toTimeString().slice(0, 8));
  const outcome = loaded.swapped
    ? `${errPaint("good", "reloaded")} ${what}: ${tools}, ${ms} ms`
    : `${errPaint("error", "not reloaded")} ${what}: what was served before still is (${tools}), ${ms} ms`;
  const restart =
    loaded.restart.length > 0 ? `${errPaint("warning", "restart needed:")} ${loaded.restart.join(" and ")} in the config count from the next start\n` : "";
  return `${clock} ${outcome}\n${restart}${problems.tell(loaded.diagnostics, loaded.sources)}`;
}
