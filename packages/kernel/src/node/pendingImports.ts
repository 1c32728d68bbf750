import { IMPORT_LIMIT_MS, LimitReached } from "../withinLimit.js";

/** An import that hasn't ended. */
export interface PendingImport {
  readonly file: string;
  /** When it began, in milliseconds since 1970. */
  readonly began: number;
  /** What it has loaded so far, as far as that is known, with the file itself. */
  readonly files: Set<string>;
}

/** Imports that haven't ended, by file: who asks for the same again waits for the one that runs. */
export class PendingImports {
  readonly #all = new Map<string, PendingImport & { readonly ends: Promise<unknown> }>();

  get all(): readonly PendingImport[] {
    return [...this.#all.values()];
  }

  /**
   * Runs an import, or waits for the one that runs, for as long as that may take from its begin.
   *
   * @param ended gets whether the import is still the one that counts for its file, and whether it failed
   * @throws LimitReached where an import that was begun before took too long
   */
  async run<T>(file: string, run: () => Promise<T>, ended: (mine: { readonly counts: boolean; readonly failed: boolean }) => Promise<void>): Promise<T> {
    const known = this.#all.get(file);
    if (known) return within(known.began + IMPORT_LIMIT_MS - Date.now(), known.ends as Promise<T>);
    const attempt = async (): Promise<T> => {
      let failed = true;
      try {
        const module = await run();
        failed = false;
        return module;
      } finally {
        const counts = this.#all.get(file) === mine;
        await ended({ counts, failed });
        if (this.#all.get(file) === mine) this.#all.delete(file);
      }
    };
    const begun = Promise.resolve().then(attempt);
    const mine = { file, began: Date.now(), files: new Set([file]), ends: begun };
    this.#all.set(file, mine);
    return begun;
  }

  /** Leaves an import behind: the next one of its file is another. */
  leave(file: string): void {
    this.#all.delete(file);
  }
}

/** Waits for an import that was begun before. */
async function within<T>(leftMs: number, ends: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new LimitReached(IMPORT_LIMIT_MS)), Math.max(0, leftMs));
    timer.unref();
  });
  try {
    return await Promise.race([ends, limit]);
  } finally {
    clearTimeout(timer);
  }
}
