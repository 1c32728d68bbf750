import type { Ask, Caller, Clock, Json, Logger } from "@fettle/contract";

/** Why a call is given up. */
export type AbortCause = "cancelled" | "deadline" | "closing";

/** What the kernel keeps of one call. Ids, signals and timers are made when somebody first asks for them. */
export class CallState {
  readonly ask: Ask;
  readonly caller: Caller;
  readonly parentId: string | undefined;
  readonly depth: number;
  /** One object for the whole call: layers write through `note`, observers read `outcome.notes`. */
  readonly notes: Record<string, Json> = {};
  readonly #env: { readonly clock: Clock; readonly log: Logger; newId(): string };
  readonly #started: number;
  #id: string | undefined;
  #controller: AbortController | undefined;
  #cause: AbortCause | undefined;
  #timeoutMs = Number.POSITIVE_INFINITY;
  #stopTimer: (() => void) | undefined;
  #stopListening: (() => void) | undefined;

  constructor(
    env: { readonly clock: Clock; readonly log: Logger; newId(): string },
    ask: Ask,
    caller: Caller,
    parent?: { readonly id: string; readonly depth: number },
  ) {
    this.#env = env;
    this.ask = ask;
    this.caller = caller;
    this.parentId = parent?.id;
    this.depth = (parent?.depth ?? -1) + 1;
    this.#started = env.clock.now();
  }

  get id(): string {
    this.#id ??= this.#env.newId();
    return this.#id;
  }

  get log(): Logger {
    return this.#env.log;
  }

  get clock(): Clock {
    return this.#env.clock;
  }

  /** Milliseconds since 1970; Infinity before a tool is known. */
  get deadline(): number {
    return this.#started + this.#timeoutMs;
  }

  get timeoutMs(): number {
    return this.#timeoutMs;
  }

  get cause(): AbortCause | undefined {
    return this.#cause;
  }

  /** Follows the caller's signal, the deadline and the server's shutdown. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      this.#follow();
      if (this.#cause) this.#controller.abort(reasonOf(this.#cause));
    }
    return this.#controller.signal;
  }

  setTimeout(ms: number): void {
    this.#timeoutMs = ms;
  }

  /** Starts the clock of a call that didn't answer at once. */
  watch(): void {
    this.#follow();
    if (this.#stopTimer || !Number.isFinite(this.#timeoutMs)) return;
    const left = this.deadline - this.#env.clock.now();
    this.#stopTimer = this.#env.clock.after(Math.max(left, 0), () => this.abort("deadline"));
  }

  abort(cause: AbortCause): void {
    if (this.#cause) return;
    this.#cause = cause;
    this.#controller?.abort(reasonOf(cause));
  }

  /** The call has its outcome: no timer and no listener stays behind. */
  end(): void {
    this.#stopTimer?.();
    this.#stopListening?.();
  }

  #follow(): void {
    const outer = this.ask.signal;
    if (this.#stopListening || !outer) return;
    const cancel = (): void => this.abort("cancelled");
    if (outer.aborted) {
      cancel();
      return;
    }
    outer.addEventListener("abort", cancel, { once: true });
    this.#stopListening = () => outer.removeEventListener("abort", cancel);
  }
}

function reasonOf(cause: AbortCause): DOMException {
  return cause === "deadline"
    ? new DOMException("The call's time is up.", "TimeoutError")
    : new DOMException(cause === "closing" ? "The server is shutting down." : "The caller cancelled the call.", "AbortError");
}
