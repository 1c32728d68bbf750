import type { Clock } from "@fettle/contract";

/** Time for a module of a handler or plugin to load, in milliseconds: one that waits for ever must not hold up the others. */
export const IMPORT_LIMIT_MS = 10_000;

/** Thrown when something took longer than it may. */
export class LimitReached extends Error {
  /** @param limitMs - milliseconds */
  constructor(limitMs: number) {
    super(`it did not end within ${limitMs / 1000} s`);
    this.name = "LimitReached";
  }
}

/**
 * Waits for something of somebody else's, but not for ever. What runs on after the limit is left behind.
 *
 * @throws LimitReached after `limitMs` milliseconds, or what `run` throws
 */
export async function withinLimit<T>(clock: Clock, limitMs: number, run: () => T | PromiseLike<T>): Promise<T> {
  let cancel: () => void = () => undefined;
  const limit = new Promise<never>((_, reject) => {
    cancel = clock.after(limitMs, () => reject(new LimitReached(limitMs)));
  });
  try {
    return await Promise.race([limit, (async () => run())()]);
  } finally {
    cancel();
  }
}
