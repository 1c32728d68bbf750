import type { Clock } from "@fettle/contract";

/** A clock that stands still until it is turned. */
export interface FakeClock extends Clock {
  /** Turns the clock by `ms` milliseconds and runs what was due, in order. */
  tick(ms: number): void;
}

/** @param start - milliseconds since 1970. Default 2026-01-01T00:00:00Z. */
export function fakeClock(start: number = Date.UTC(2026, 0, 1)): FakeClock {
  let now = start;
  const due = new Set<{ readonly at: number; readonly run: () => void }>();
  return {
    now: () => now,
    after(ms, run) {
      const timer = { at: now + ms, run };
      due.add(timer);
      return () => due.delete(timer);
    },
    tick(ms) {
      const end = now + ms;
      for (;;) {
        const [next] = [...due].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
        if (!next) break;
        due.delete(next);
        now = Math.max(now, next.at);
        next.run();
      }
      now = end;
    },
  };
}
