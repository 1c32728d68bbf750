import { WatchedFolder } from "./watchedFolder.js";

/** What is watched. All paths are absolute. */
export interface Watched {
  /** Folders with all that is below them, apart from node_modules, dist and hidden folders. */
  readonly deep: readonly string[];
  /** Folders without what is below them. */
  readonly flat: readonly string[];
  /** Files in them that were read. */
  readonly read: readonly string[];
}

export interface FileWatcher {
  /**
   * Watches these from now on, and no others.
   *
   * @param since in folders that weren't watched, what has changed since this time counts as changed, in milliseconds since 1970
   */
  watch(what: Watched, since: number): void;
  close(): void;
}

export interface FileListener {
  /** Is told of each burst of changes once, with the paths; a folder that came, went or was replaced is named itself. */
  changed(paths: readonly string[]): void;
  /** Is told once when the system can't say of a folder when something changes in it: then it is looked at each second. */
  failed(error: Error): void;
}

/** A burst of changes has ended when nothing came for this long, in milliseconds. */
const QUIET_MS = 150;
/** A burst that goes on is told of after this long, in milliseconds. */
const LONGEST_BURST_MS = 700;
/** How often it is looked for folders that came, went, or were replaced, in milliseconds: of that the system tells nobody. */
const LOOK_MS = 250;
/** How often all files are looked at, in milliseconds: the system may keep silent, of what a link leads to for example. */
const LOOK_AT_ALL_MS = 1_000;
/** Looking at all files takes at most this part of the time. */
const MOST_LOOKING = 0.02;

/** Watches files and folders, also ones that aren't there yet, vanish and come back. */
export function watchFiles({ changed, failed }: FileListener): FileWatcher {
  const folders = new Map<string, WatchedFolder>();
  let wanted: Watched = { deep: [], flat: [], read: [] };
  let hasFailed = false;

  /** Folders to look at, and what was found to have changed, until the burst ends. */
  const hinted = new Set<string>();
  const found = new Set<string>();
  let began: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  const endBurst = (): void => {
    began = undefined;
    timer = undefined;
    const paths = [...hinted];
    hinted.clear();
    lookAt(paths);
    const all = [...found];
    found.clear();
    if (all.length > 0) changed(all);
  };
  /** A burst goes on, or begins. */
  const stir = (): void => {
    began ??= performance.now();
    clearTimeout(timer);
    timer = setTimeout(endBurst, Math.max(0, Math.min(QUIET_MS, began + LONGEST_BURST_MS - performance.now())));
  };
  const hint = (path: string): void => {
    hinted.add(path);
    stir();
  };

  /** The folder at a path, watched from now on. */
  const opened = (path: string, since: number): WatchedFolder => {
    const known = folders.get(path);
    if (known) return known;
    const { folder, changed: late } = WatchedFolder.open(
      path,
      {
        hinted: () => hint(path),
        failed(error) {
          if (!hasFailed) failed(error);
          hasFailed = true;
        },
      },
      since,
      wanted.read,
    );
    for (const file of late) found.add(file);
    folders.set(path, folder);
    return folder;
  };
  /** Watches the folders that are wanted and those below the deep ones; gives those that are no longer wanted, which are closed. */
  const settle = (since: number): readonly WatchedFolder[] => {
    const kept = new Set<string>();
    const seen = new Set<string>();
    const links: string[] = [];
    const descend = (path: string): void => {
      const folder = opened(path, since);
      kept.add(path);
      // However many links lead to a folder, it is watched once, and under its own path where it has one.
      if (folder.id === undefined || seen.has(folder.id)) return;
      seen.add(folder.id);
      for (const { path: below, isLink } of folder.folders) {
        if (isLink) links.push(below);
        else descend(below);
      }
    };
    for (const path of wanted.flat) {
      opened(path, since);
      kept.add(path);
    }
    for (const path of wanted.deep) descend(path);
    for (let link = links.shift(); link !== undefined; link = links.shift()) descend(link);
    const left = [...folders.values()].filter(({ path }) => !kept.has(path));
    for (const folder of left) {
      folders.delete(folder.path);
      folder.close();
    }
    return left;
  };
  const lookAt = (paths: Iterable<string>): void => {
    for (const path of paths) for (const file of folders.get(path)?.look() ?? []) found.add(file);
    // All that is in a folder that came is new, and what was in one that went is gone.
    for (const { files } of settle(Number.NEGATIVE_INFINITY)) for (const file of files) found.add(file);
  };

  let nextLook = performance.now() + LOOK_AT_ALL_MS;
  const look = setInterval(() => {
    if (timer) return;
    const now = performance.now();
    if (now < nextLook) {
      for (const folder of folders.values()) if (folder.isOutdated) hint(folder.path);
      return;
    }
    lookAt([...folders.keys()]);
    const ms = performance.now() - now;
    nextLook = now + Math.max(LOOK_AT_ALL_MS, ms / MOST_LOOKING);
    if (found.size > 0) stir();
  }, LOOK_MS);

  return {
    watch(what, since) {
      wanted = what;
      settle(since);
      if (found.size > 0) stir();
    },
    close() {
      clearInterval(look);
      clearTimeout(timer);
      for (const folder of folders.values()) folder.close();
      folders.clear();
    },
  };
}
