import { shownPath } from "../format/shownPath.js";
import type { Terminal } from "../terminal.js";
import { visible } from "../visible.js";
import type { DevModules } from "./devModules.js";

export interface AttendLoadOptions {
  readonly modules: DevModules;
  readonly terminal: Pick<Terminal, "cwd" | "err" | "errPaint">;
  /** Whether something was saved since the load began. */
  readonly isOutdated?: () => boolean;
  /** Ends the load, so that a newer one can begin. */
  readonly abandon?: () => void;
}

/** How often a load is looked at, in milliseconds. */
const LOOK_MS = 50;
/** A load that waits for a module this long is left behind for a newer one, in milliseconds. */
const PATIENCE_MS = 500;
/** A person is told of a module that is waited for this long, in milliseconds. */
const TELL_MS = 1_500;
/** A load in which nothing is known to hang has this long until a newer one, in milliseconds: it may have much to do. */
const LONGEST_MS = 3_000;

/**
 * Attends a load that begins: tells a person which modules it waits for, and abandons it when it hangs and something newer was saved.
 *
 * @returns ends the attendance
 */
export function attendLoad({ modules, terminal, isOutdated, abandon }: AttendLoadOptions): () => void {
  const began = Date.now();
  const told = new Set<string>();
  const timer = setInterval(() => {
    const ms = Date.now() - began;
    const waits = modules.platform.modules.pending().map(({ file }) => file);
    if (abandon && isOutdated?.() && ms >= (waits.length > 0 ? PATIENCE_MS : LONGEST_MS)) {
      abandon();
      return;
    }
    const fresh = ms >= TELL_MS ? waits.filter((file) => !told.has(file)) : [];
    if (fresh.length === 0) return;
    for (const file of fresh) told.add(file);
    const names = fresh.map((file) => visible(shownPath(file, terminal.cwd))).join(", ");
    terminal.err(`${terminal.errPaint("warning", "waiting")} for ${names} to load. If that doesn't end, look for a top-level await that never does.\n`);
  }, LOOK_MS);
  return () => clearInterval(timer);
}
