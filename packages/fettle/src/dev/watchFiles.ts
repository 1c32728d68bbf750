import { type Stats, statSync } from "node:fs";
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
  /** Resolves when all that is to be watched is. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

export interface FileListener {
  /** Is told of each burst of changes once, with the paths; a folder that came, went or was replaced is named itself. */
  changed(paths: readonly string[]): void;
  /** Asked when a folder is watched that wasn't: gives the paths that were changed before, which nobody saw. */
  unseen(): readonly string[];
  /** Is told once when the system can't watch more. */
  failed(error: Error): void;
}

/** A burst of changes has ended when nothing came for this long, in milliseconds: longer than chokidar holds back that a file is gone, so a move is one. */
const QUIET_MS = 150;
/** A burst that goes on is told of after this long, in milliseconds. */
const LONGEST_BURST_MS = 700;
/** How often folders are looked at that came, went, or were replaced, in milliseconds: of that the system tells nobody. */
const LOOK_MS = 250;
/** Ends of files that can matter: others aren't watched, since each costs a handle of the system. */
const ENDS = new Set([".yaml", ".yml", ".json", ".ts", ".mts", ".cts", ".tsx", ".js", ".mjs", ".cjs"]);

/** Watches files and folders, also ones that aren't there yet, vanish and come back. */
export function watchFiles({ changed, unseen, failed }: FileListener): FileWatcher {
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
  let hasFailed = false;
  const fail = (error: unknown): void => {
    if (hasFailed) return;
    hasFailed = true;
    failed(error instanceof Error ? error : new Error(String(error)));
  };

  const folders = new Map<string, WatchedFolder>();
  /** Each folder has a watcher of its own, since chokidar says only once of each whether it sees all. */
  const open = (path: string, isDeep: boolean): WatchedFolder => {
    const identity = identityOf(path);
    const isStill = (): boolean => identityOf(path) === identity;
    if (identity === undefined) return { isDeep, isStill, isReady: Promise.resolve(), close: () => Promise.resolve() };
    const watcher = watch(path, { ignored: isLeftOut(path, isDeep), ignoreInitial: true, ignorePermissionErrors: true });
    let isGone = false;
    watcher.on("all", (_event, changedPath) => collect(changedPath));
    // The system tells of the end of a folder under its own name. One that came in its place may have the same number, and nobody watches it.
    watcher.on("raw", (event, name, details) => {
      if (event === "rename" && name === basename(path) && isOf(path, details)) isGone = true;
    });
    watcher.on("error", fail);
    let release: () => void = () => undefined;
    const isReady = new Promise<void>((resolve) => {
      release = resolve;
      watcher.once("ready", resolve);
    });
    const close = async (): Promise<void> => {
      await watcher.close();
      release();
    };
    const folder = { isDeep, isStill: () => !isGone && isStill(), isReady, close };
    void isReady.then(() => {
      if (folders.get(path) === folder) for (const changedPath of unseen()) collect(changedPath);
    });
    return folder;
  };
  const look = setInterval(() => {
    for (const [path, folder] of folders) {
      if (folder.isStill()) continue;
      void folder.close();
      folders.set(path, open(path, folder.isDeep));
      collect(path);
    }
  }, LOOK_MS);

  return {
    watch({ deep, flat }) {
      const wanted = new Map([...flat.map((path) => [path, false] as const), ...deep.map((path) => [path, true] as const)]);
      for (const [path, folder] of folders) {
        if (wanted.get(path) === folder.isDeep) continue;
        folders.delete(path);
        void folder.close();
      }
      for (const [path, isDeep] of wanted) if (!folders.has(path)) folders.set(path, open(path, isDeep));
    },
    async ready() {
      await Promise.all([...folders.values()].map(({ isReady }) => isReady));
    },
    async close() {
      clearInterval(look);
      clearTimeout(timer);
      const all = [...folders.values()];
      folders.clear();
      await Promise.all(all.map((folder) => folder.close()));
    },
  };
}

/** What is at a path where a folder was wanted. */
interface WatchedFolder {
  readonly isDeep: boolean;
  /** Whether the folder that is watched, or none, is still there. */
  isStill(): boolean;
  readonly isReady: Promise<void>;
  close(): Promise<void>;
}

/** What the watcher of a folder leaves out. */
function isLeftOut(folder: string, isDeep: boolean): (path: string, stats?: Stats) => boolean {
  return (path, stats) => {
    if (path === folder) return false;
    if (stats?.isFile() && !ENDS.has(extname(path))) return true;
    return isDeep ? !isBelow(path, folder) : stats?.isDirectory() === true || dirname(path) !== folder;
  };
}

/** Whether a path is in a folder, and not in one of those below it that nobody keeps specs in. */
function isBelow(path: string, folder: string): boolean {
  const inside = relative(folder, path);
  if (inside === "" || inside === ".." || inside.startsWith(`..${sep}`)) return false;
  return inside.split(sep).every((part) => !part.startsWith(".") && part !== "node_modules" && part !== "dist") && basename(path) !== "";
}

/** Whether what chokidar says of an event tells that it came from the watch of this folder itself. */
function isOf(folder: string, details: unknown): boolean {
  return typeof details === "object" && details !== null && "watchedPath" in details && details.watchedPath === folder;
}

/** Which folder is at a path; undefined where there is none. */
function identityOf(folder: string): number | undefined {
  try {
    return statSync(folder).ino;
  } catch {
    return undefined;
  }
}
