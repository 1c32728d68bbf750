import { existsSync, type Stats, statSync } from "node:fs";
import { basename, dirname, extname, relative, sep } from "node:path";
import { watch } from "chokidar";

/** What is watched. All paths are absolute. */
export interface Watched {
  /** Folders with all that is below them, apart from node_modules, dist and hidden folders. */
  readonly deep: readonly string[];
  /** Folders without what is below them. */
  readonly flat: readonly string[];
}

export interface FileWatcher {
  /** Watches these from now on, and no others. */
  watch(what: Watched): void;
  /** Resolves when the folders that were to be watched first are. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

/** A burst of changes has ended when nothing came for this long, in milliseconds: longer than chokidar holds back that a file is gone, so a move is one. */
const QUIET_MS = 150;
/** A burst that goes on is told of after this long, in milliseconds. */
const LONGEST_BURST_MS = 700;
/** How often folders are looked at that came, went, or were replaced, in milliseconds: of that the system tells nobody. */
const LOOK_MS = 250;
/** Ends of files that can matter: others aren't watched, since each costs a handle of the system. */
const ENDS = new Set([".yaml", ".yml", ".json", ".ts", ".mts", ".cts", ".tsx", ".js", ".mjs", ".cjs"]);

/**
 * Watches files and folders, also ones that aren't there yet, vanish and come back.
 *
 * @param changed is told of each burst of changes once, with the paths; a folder that came, went or was replaced is named itself
 * @param failed is told once when the system can't watch more
 */
export function watchFiles(changed: (paths: readonly string[]) => void, failed: (error: Error) => void): FileWatcher {
  let deep: readonly string[] = [];
  let flat: ReadonlySet<string> = new Set();
  const burst = new Set<string>();
  let began: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  const tell = (): void => {
    began = undefined;
    const paths = [...burst];
    burst.clear();
    changed(paths);
  };
  const collect = (path: string): void => {
    burst.add(path);
    began ??= Date.now();
    clearTimeout(timer);
    timer = setTimeout(tell, Math.max(0, Math.min(QUIET_MS, began + LONGEST_BURST_MS - Date.now())));
  };

  const isLeftOut = (path: string, stats?: Stats): boolean => {
    if (flat.has(path) || deep.includes(path)) return false;
    if (stats?.isFile() && !ENDS.has(extname(path))) return true;
    if (deep.some((folder) => isBelow(path, folder))) return false;
    return stats?.isDirectory() === true || !flat.has(dirname(path));
  };
  const watcher = watch([], { ignored: isLeftOut, ignoreInitial: true, ignorePermissionErrors: true });
  watcher.on("all", (_event, path) => collect(path));
  const isReady = new Promise<void>((resolve) => void watcher.once("ready", resolve));
  let hasFailed = false;
  watcher.on("error", (error) => {
    if (hasFailed) return;
    hasFailed = true;
    failed(error instanceof Error ? error : new Error(String(error)));
  });

  /** Folders as they were when they were last looked at. */
  const folders = new Map<string, number | undefined>();
  const look = setInterval(() => {
    for (const [folder, before] of folders) {
      const now = identityOf(folder);
      if (now === before) continue;
      folders.set(folder, now);
      if (before !== undefined) watcher.unwatch(folder);
      if (now !== undefined) watcher.add(folder);
      collect(folder);
    }
  }, LOOK_MS);

  return {
    watch(what) {
      deep = what.deep;
      flat = new Set(what.flat);
      const wanted = new Set([...deep, ...flat]);
      for (const folder of folders.keys()) {
        if (wanted.has(folder)) continue;
        folders.delete(folder);
        watcher.unwatch(folder);
      }
      for (const folder of wanted) {
        if (folders.has(folder)) continue;
        folders.set(folder, identityOf(folder));
        if (existsSync(folder)) watcher.add(folder);
      }
    },
    ready: () => ([...folders.values()].some((folder) => folder !== undefined) ? isReady : Promise.resolve()),
    async close() {
      clearInterval(look);
      clearTimeout(timer);
      await watcher.close();
    },
  };
}

/** Whether a path is in a folder, and not in one of those below it that nobody keeps specs in. */
function isBelow(path: string, folder: string): boolean {
  const inside = relative(folder, path);
  if (inside === "" || inside === ".." || inside.startsWith(`..${sep}`)) return false;
  return inside.split(sep).every((part) => !part.startsWith(".") && part !== "node_modules" && part !== "dist") && basename(path) !== "";
}

/** Which folder is at a path; undefined where there is none. */
function identityOf(folder: string): number | undefined {
  try {
    return statSync(folder).ino;
  } catch {
    return undefined;
  }
}
