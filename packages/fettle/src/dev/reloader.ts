import { existsSync } from "node:fs";
import { sep } from "node:path";
import { count } from "../format/count.js";
import { shownPath } from "../format/shownPath.js";
import type { Terminal } from "../terminal.js";
import { visible } from "../visible.js";
import { attendLoad } from "./attendLoad.js";
import type { DevModules } from "./devModules.js";
import type { DevSession, Loaded } from "./devSession.js";
import { keepTypes } from "./keepTypes.js";
import { ProblemList } from "./problemList.js";
import { watchFiles } from "./watchFiles.js";

export interface Reloader {
  /** Greets, tells of the problems there are, and reloads from now on; also what was changed since the load that began then. */
  begin(firstBegan: number, greeting: string): Promise<void>;
  end(): Promise<void>;
}

/** Most changed files that are named in a line. */
const MOST_NAMED = 3;

/**
 * Reloads after each burst of changes, one reload at a time; what is saved during one is loaded by the next. One that hangs is left behind for the next.
 */
export function reloader(session: DevSession, modules: DevModules, terminal: Terminal): Reloader {
  const { err } = terminal;
  const problems = new ProblemList(terminal);
  const waiting = new Set<string>();
  let running: Promise<void> | undefined;
  let isAsked = false;
  let hasEnded = false;
  let current = new AbortController();
  /** When the latest load began, in milliseconds since 1970. */
  let loadBegan = Number.POSITIVE_INFINITY;

  const reloadOnce = async (): Promise<void> => {
    const changed = new Set(waiting);
    waiting.clear();
    isAsked = false;
    current = new AbortController();
    const { signal } = current;
    const began = performance.now();
    loadBegan = Date.now();
    const leave = attendLoad({ modules, terminal, isOutdated: () => waiting.size > 0 || isAsked, abandon: () => current.abort() });
    // Where a load hangs, what it hangs at is to be seen when it is mended.
    const watching = setInterval(() => watcher.watch(session.places(), loadBegan), LOOK_MS);
    try {
      const loaded = await session.load(changed, signal);
      if (hasEnded) return;
      watcher.watch(session.places(), loadBegan);
      err(told(loaded, changed, Math.round(performance.now() - began), session, problems, terminal));
      if (loaded.swapped) err(await keepTypes(session.kernel, terminal));
    } catch (error) {
      if (signal.aborted) for (const path of changed) waiting.add(path);
      else
        err(
          `${terminal.errPaint("error", "error:")} The reload failed, and what was served still is: ${visible(String(error instanceof Error ? error.stack : error))}\n`,
        );
    } finally {
      leave();
      clearInterval(watching);
    }
  };
  const reloadAll = async (): Promise<void> => {
    while ((waiting.size > 0 || isAsked) && !hasEnded) await reloadOnce();
  };
  const reload = (): void => {
    running ??= reloadAll().finally(() => {
      running = undefined;
      // What came between the last look and this.
      if ((waiting.size > 0 || isAsked) && !hasEnded) reload();
    });
  };
  const watcher = watchFiles({
    changed(paths) {
      for (const path of paths) if (session.canMatter(path, problems.hasErrors)) waiting.add(path);
      if (waiting.size > 0) reload();
    },
    failed: (error) =>
      err(
        `${terminal.errPaint("warning", "warning:")} Not all folders can be watched (${visible(error.message)}), so changes there take a second longer to be seen.\n`,
      ),
  });
  const onSighup = (): void => {
    isAsked = true;
    reload();
  };
  process.on("SIGHUP", onSighup);
  return {
    async begin(firstBegan, greeting) {
      loadBegan = firstBegan;
      watcher.watch(session.places(), loadBegan);
      err(greeting);
      const { diagnostics, sources } = session.kernel;
      err(problems.tell(diagnostics, sources));
      err(await keepTypes(session.kernel, terminal));
    },
    async end() {
      hasEnded = true;
      process.off("SIGHUP", onSighup);
      current.abort();
      watcher.close();
      await running;
    },
  };
}

/** How often what a load has read so far is added to what is watched, in milliseconds. */
const LOOK_MS = 200;

/** One line for a reload, and below it what there is to say of problems. */
function told(loaded: Loaded, changed: ReadonlySet<string>, ms: number, { kernel }: DevSession, problems: ProblemList, terminal: Terminal): string {
  const { errPaint, cwd } = terminal;
  const there = [...changed].filter((file) => existsSync(file));
  // What went is named where nothing came: of a move the new name.
  const named = there.length > 0 ? there : [...changed];
  // A folder stands for what is in it.
  const outermost = named.filter((file) => !named.some((folder) => file.startsWith(`${folder}${sep}`)));
  const names = outermost.map((file) => visible(shownPath(file, cwd)));
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
