import { type FSWatcher, watch } from "node:fs";
import { basename, dirname } from "node:path";
import { type FolderMark, type FolderState, folderMark, folderState, isFileName, isFolderName, isSameFolder, type SubFolder } from "./folderState.js";

export interface FolderListener {
  /** Something may have changed in the folder, or it came, went or was replaced. */
  hinted(): void;
  /** The system can't say when something changes in the folder. */
  failed(error: Error): void;
}

/** How far the clock of a file system can be behind that of the process, in milliseconds. */
const CLOCKS_DIFFER_MS = 20;

/**
 * One folder that is watched, without those below it. It may not be there yet, vanish, come back and be replaced. What the system tells is a hint to
 * look; what has changed is what differs between two looks, so nothing is missed for good.
 */
export class WatchedFolder {
  readonly path: string;
  readonly #listener: FolderListener;
  #hints: FSWatcher | undefined;
  /** Which folder the hints are of; undefined for none. */
  #hintsOf: FolderMark | undefined;
  /** The system told of the end of the folder that the hints are of. */
  #hasEnded = false;
  #state: FolderState | undefined;

  private constructor(path: string, listener: FolderListener) {
    this.path = path;
    this.#listener = listener;
  }

  /**
   * Watches a folder.
   *
   * @param since the time, in milliseconds since 1970, since which changes count: `changed` has the files that were changed then or later
   * @param read files that were read at that time: those in the folder that have gone since count as changed
   */
  static open(path: string, listener: FolderListener, since: number, read: readonly string[]): { folder: WatchedFolder; changed: readonly string[] } {
    const folder = new WatchedFolder(path, listener);
    folder.look();
    const { changedAt = Number.POSITIVE_INFINITY, files = new Map() } = folder.#state ?? {};
    const isLate = (time: number): boolean => time >= since - CLOCKS_DIFFER_MS;
    const gone = isLate(changedAt) ? read.filter((file) => dirname(file) === path && !files.has(file)) : [];
    return { folder, changed: [...[...files].flatMap(([file, state]) => (isLate(state.changedAt) ? [file] : [])), ...gone] };
  }

  /** The number of the folder that is there; undefined for none. */
  get id(): string | undefined {
    return this.#state?.id;
  }

  /** The files in it that can matter. */
  get files(): Iterable<string> {
    return this.#state?.files.keys() ?? [];
  }

  get folders(): readonly SubFolder[] {
    return this.#state?.folders ?? [];
  }

  /** Whether entries came or went since the last look, or the folder did. Sees no change of a file: a look does. */
  get isOutdated(): boolean {
    const now = folderMark(this.path);
    return this.#hasEnded || !isSameFolder(this.#state, now) || now?.changedAt !== this.#state?.changedAt;
  }

  /** What has changed since the last look: files, and the folder itself where it came, went or was replaced. */
  look(): readonly string[] {
    const before = this.#state;
    const hasEnded = this.#hasEnded;
    // First the hints, then the look: what changes after it is hinted at.
    this.#takeHints();
    this.#state = folderState(this.path);
    const now = this.#state;
    const isOther = hasEnded || !isSameFolder(before, now);
    const differ = [...(now?.files ?? [])].filter(([file, { stamp }]) => before?.files.get(file)?.stamp !== stamp).map(([file]) => file);
    const gone = [...(before?.files.keys() ?? [])].filter((file) => !now?.files.has(file));
    return [...(isOther ? [this.path] : []), ...differ, ...gone];
  }

  close(): void {
    this.#hints?.close();
    this.#hints = undefined;
  }

  #takeHints(): void {
    const folder = folderMark(this.path);
    if (isSameFolder(this.#hintsOf, folder) && !this.#hasEnded) {
      this.#hintsOf = folder;
      return;
    }
    this.close();
    this.#hintsOf = folder;
    this.#hasEnded = false;
    if (!folder) return;
    const fail = (error: unknown): void => {
      // Windows tells so of the end of a folder.
      if (isSameFolder(folder, folderMark(this.path))) this.#listener.failed(error instanceof Error ? error : new Error(String(error)));
      else this.#listener.hinted();
    };
    try {
      const hints = watch(this.path, (event, name) => this.#hear(event, name));
      this.#hints = hints;
      hints.on("error", (error) => {
        hints.close();
        fail(error);
      });
    } catch (error) {
      fail(error);
    }
  }

  #hear(event: string, name: string | null): void {
    // The end of a folder is told of under its own name. One that came in its place may have the same number, and nobody watches it.
    const isEnd = event === "rename" && name === basename(this.path);
    if (isEnd) this.#hasEnded = true;
    if (isEnd || name === null || isFileName(name) || (event === "rename" && isFolderName(name))) this.#listener.hinted();
  }
}
