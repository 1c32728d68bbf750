import { HeadAndTail } from "./headAndTail.js";

/** How a hook ended. */
export interface HookRun {
  /** `pre-commit`, `commit-msg`, ... */
  readonly name: string;
  readonly code: number;
  /** What it wrote, and nothing of what others wrote. */
  readonly said: string;
}

interface TraceEvent {
  readonly event?: unknown;
  readonly sid?: unknown;
  readonly child_id?: unknown;
  readonly child_class?: unknown;
  readonly hook_name?: unknown;
  readonly code?: unknown;
}

/** How each event of git begins (git: Documentation/technical/api-trace2). */
const MARK = '{"event":"';
const MAX_EVENT = 64 * 1024;
const HALF = 8 * 1024;

/** Hooks that only inform: git ignores how they end (githooks(5)). */
const INFORMING = new Set(["post-commit", "post-checkout", "post-index-change", "post-rewrite", "post-merge"]);

function parseEvent(line: string): TraceEvent | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && "sid" in value ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Where the beginning of an event may stand at the end of a text; its length where there is none. */
function possibleMark(text: string): number {
  for (let length = Math.min(MARK.length - 1, text.length); length > 0; length--) if (text.endsWith(MARK.slice(0, length))) return text.length - length;
  return text.length;
}

/**
 * Reads a stream that holds both what git and its hooks write for people, and the events that git writes about itself (GIT_TRACE2_EVENT).
 * Since both come in the order in which they were written, the events tell whose words are whose; and a hook's exit code is the only way
 * to tell its refusal from git's own, which both end in 1.
 */
export class HookTrace {
  #rest = "";
  readonly #own = new HeadAndTail(HALF);
  readonly #hooks = new Map<string, { readonly name: string; readonly said: HeadAndTail }>();
  #running: HeadAndTail | undefined;
  failed: (Omit<HookRun, "said"> & { readonly said: HeadAndTail }) | undefined;

  add(piece: string): void {
    this.#rest += piece;
    for (;;) {
      const at = this.#rest.indexOf(MARK);
      if (at < 0) {
        this.#take(possibleMark(this.#rest));
        return;
      }
      this.#take(at);
      const end = this.#rest.indexOf("\n");
      if (end < 0 && this.#rest.length <= MAX_EVENT) return;
      const event = end < 0 ? undefined : parseEvent(this.#rest.slice(0, end));
      if (event === undefined) this.#take(MARK.length);
      else {
        this.#rest = this.#rest.slice(end + 1);
        this.#read(event);
      }
    }
  }

  /** What git itself has said, without the words of its hooks. */
  ownWords(): string {
    return this.#own.toString() + this.#rest;
  }

  /** So many characters of the stream are words of whoever is speaking. */
  #take(count: number): void {
    (this.#running ?? this.#own).add(this.#rest.slice(0, count));
    this.#rest = this.#rest.slice(count);
  }

  #read(event: TraceEvent): void {
    // A session id with a slash is of a git that a hook has started.
    if (typeof event.sid !== "string" || event.sid.includes("/")) return;
    const child = String(event.child_id);
    if (event.event === "child_start" && event.child_class === "hook") {
      this.#running = new HeadAndTail(HALF);
      this.#hooks.set(child, { name: String(event.hook_name), said: this.#running });
    }
    const hook = this.#hooks.get(child);
    if (event.event !== "child_exit" || hook === undefined) return;
    this.#hooks.delete(child);
    this.#running = undefined;
    if (typeof event.code === "number" && event.code !== 0 && !INFORMING.has(hook.name)) this.failed ??= { ...hook, code: event.code };
  }
}
