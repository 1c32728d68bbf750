/** How a hook ended. */
export interface HookRun {
  /** `pre-commit`, `commit-msg`, ... */
  readonly name: string;
  readonly code: number;
}

interface TraceEvent {
  readonly event?: unknown;
  readonly sid?: unknown;
  readonly child_id?: unknown;
  readonly child_class?: unknown;
  readonly hook_name?: unknown;
  readonly argv?: unknown;
  readonly code?: unknown;
}

const MAX_LINE = 64 * 1024;

/** Hooks that only inform: git ignores how they end (githooks(5)). */
const INFORMING = new Set(["post-commit", "post-checkout", "post-index-change", "post-rewrite", "post-merge"]);

function parseEvent(line: string): TraceEvent | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Reads the events that git writes about itself (GIT_TRACE2_EVENT) and keeps the hook that failed. Its exit code is the
 * only way to tell a hook's refusal from git's own: both end in 1, with free text on stderr.
 */
export class HookTrace {
  #rest = "";
  readonly #hooks = new Map<string, string>();
  failed: HookRun | undefined;

  write(piece: Buffer): void {
    const lines = (this.#rest + piece.toString("utf8")).split("\n");
    this.#rest = (lines.pop() ?? "").slice(0, MAX_LINE);
    for (const line of lines) if (line.includes('"child_')) this.#read(parseEvent(line));
  }

  #read(event: TraceEvent | undefined): void {
    // A session id with a slash is of a git that a hook has started.
    if (!event || typeof event.sid !== "string" || event.sid.includes("/")) return;
    const child = String(event.child_id);
    if (event.event === "child_start" && event.child_class === "hook") this.#hooks.set(child, String(event.hook_name));
    if (event.event !== "child_exit" || typeof event.code !== "number" || event.code === 0) return;
    const name = this.#hooks.get(child);
    if (name !== undefined && !INFORMING.has(name)) this.failed ??= { name, code: event.code };
  }
}
