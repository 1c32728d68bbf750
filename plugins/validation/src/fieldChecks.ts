import type { Call, Clock, JsonObject, JsonPath, Maybe, ToolRef, Validator, ValidatorContext } from "@fettle/contract";
import { formatPath, type Problem } from "@fettle/schema";
import { type FieldValue, valuesOf } from "./fieldPath.js";
import { fieldProblem, UnsoundAnswer } from "./fieldProblem.js";
import { frozenCopy } from "./frozenCopy.js";

/** Validators that may be at work for one call at once: a list of a thousand ids isn't a thousand requests at a time. */
const AT_ONCE = 16;

/** A field of a tool with its validator. */
export interface FieldCheck {
  readonly steps: JsonPath;
  /** The validator as the spec names it. */
  readonly validator: string;
  readonly run: Validator;
}

/** A validator that gave no answer. */
export interface ValidatorFailure {
  /** Where the value is: `items[0].iban`. */
  readonly field: string;
  readonly validator: string;
  /** What it did: `threw`, `gave a number`. */
  readonly did: string;
  /** What it threw. */
  readonly thrown?: { readonly error: unknown };
}

/** What the validators of a call say. */
export type FieldsChecked =
  /** `passedOver` is the first failure of a validator for which other arguments, that don't fit, may be the reason. */
  | { readonly problems: readonly Problem[]; readonly passedOver: ValidatorFailure | undefined; readonly failure?: undefined; readonly stopped?: undefined }
  | { readonly failure: ValidatorFailure; readonly problems?: undefined; readonly stopped?: undefined }
  /** The caller went away, or the server shuts down. */
  | { readonly stopped: true; readonly problems?: undefined; readonly failure?: undefined };

/** What the validators of a call look at. */
export interface FieldsToCheck {
  readonly checks: readonly FieldCheck[];
  readonly call: Call<unknown>;
  readonly tool: ToolRef;
  /** Mended and with defaults, where they fit the schema. */
  readonly args: unknown;
  /** What the schema says is wrong: values that it is wrong with aren't looked at. */
  readonly known: readonly Problem[];
  /** Most problems that are looked for, with the known ones. */
  readonly limit: number;
  readonly clock: Clock;
  /** Milliseconds for one validator and one value. */
  readonly timeoutMs: number;
}

/** Asks the validators of a call, and answers at once unless one of them answers later. */
export function checkFields(what: FieldsToCheck): Maybe<FieldsChecked> {
  return new FieldsRun(what).start();
}

/** A validator at work on a value. */
interface Target extends FieldValue {
  readonly check: FieldCheck;
  readonly order: number;
}

class FieldsRun {
  readonly #what: FieldsToCheck;
  readonly #targets: Iterator<Target>;
  readonly #found: { readonly order: number; readonly problem: Problem }[] = [];
  /** Stops the clock of each validator that is at work. */
  readonly #clocks = new Map<Target, () => void>();
  #passedOver: ValidatorFailure | undefined;
  #frozen: JsonObject | undefined;
  #controller: AbortController | undefined;
  #ended: FieldsChecked | undefined;
  #tellEnd: () => void = () => undefined;

  constructor(what: FieldsToCheck) {
    this.#what = what;
    this.#targets = targetsOf(what)[Symbol.iterator]();
  }

  start(): Maybe<FieldsChecked> {
    const later: Promise<void>[] = [];
    while (later.length < AT_ONCE) {
      const target = this.#next();
      if (target === undefined) break;
      const answer = this.#ask(target);
      if (answer) later.push(answer);
    }
    return later.length === 0 || this.#ended ? this.#result() : this.#finish(later);
  }

  get args(): JsonObject {
    this.#frozen ??= frozenCopy(this.#what.args) as JsonObject;
    return this.#frozen;
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      const { signal } = this.#what.call;
      if (this.#ended || signal.aborted) this.#controller.abort(signal.reason);
    }
    return this.#controller.signal;
  }

  /** Waits for those that are at work; each makes room for a next one. */
  async #finish(later: readonly Promise<void>[]): Promise<FieldsChecked> {
    const ended = new Promise<void>((resolve) => {
      this.#tellEnd = resolve;
    });
    const { signal } = this.#what.call;
    const onAbort = (): void => this.#giveUp(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
    const work = async (answer: Promise<void>): Promise<void> => {
      await answer;
      for (let target = this.#next(); target; target = this.#next()) await this.#ask(target);
    };
    try {
      await Promise.race([ended, Promise.all(later.map(work))]);
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
    return this.#result();
  }

  /** The next value to look at; undefined when there is none, or enough is known. */
  #next(): Target | undefined {
    if (this.#ended || this.#what.known.length + this.#found.length > this.#what.limit) return undefined;
    const { done, value } = this.#targets.next();
    return done ? undefined : value;
  }

  /** Asks one validator. A promise where it answers later; it never rejects. */
  #ask(target: Target): Promise<void> | undefined {
    const { check, path } = target;
    try {
      const value = typeof target.value === "object" ? valueAt(this.args, path) : target.value;
      const answer: unknown = check.run(value, new FieldContext(this, path, this.#what.tool));
      if (isThenable(answer)) return this.#await(target, answer);
      this.#take(target, answer);
    } catch (error) {
      this.#threw(target, error);
    }
    return undefined;
  }

  #await(target: Target, answer: PromiseLike<unknown>): Promise<void> {
    const { clock, timeoutMs } = this.#what;
    return new Promise((resolve) => {
      // The validator itself may have ended the call, by whatever it did before it gave its promise.
      if (this.#ended) {
        Promise.resolve(answer).catch(() => undefined);
        return resolve();
      }
      const done = (): void => {
        this.#clocks.get(target)?.();
        this.#clocks.delete(target);
        resolve();
      };
      const tooLate = (): void => {
        this.#fail(target, `did not answer within ${timeoutMs.toLocaleString("en")} ms`);
        done();
      };
      this.#clocks.set(target, clock.after(timeoutMs, tooLate));
      // What is answered after that is too late.
      const inTime = (take: () => void): void => {
        if (!this.#clocks.has(target)) return;
        take();
        done();
      };
      Promise.resolve(answer).then(
        (given) => inTime(() => this.#take(target, given)),
        (error: unknown) => inTime(() => this.#threw(target, error)),
      );
    });
  }

  #take(target: Target, answer: unknown): void {
    if (this.#ended) return;
    let problem: Problem | undefined;
    try {
      problem = fieldProblem(target.path, answer);
    } catch (error) {
      this.#fail(target, error instanceof UnsoundAnswer ? error.message : "gave something that can't be read");
      return;
    }
    if (problem) this.#found.push({ order: target.order, problem });
  }

  #threw(target: Target, error: unknown): void {
    this.#fail(target, "threw", { error });
  }

  /** Ends the call, unless other arguments don't fit: they may be why, and once they fit the validator is asked again. */
  #fail({ path, check }: Target, did: string, thrown?: ValidatorFailure["thrown"]): void {
    const failure = { field: formatPath(path), validator: check.validator, did, ...(thrown && { thrown }) };
    if (this.#what.known.length > 0) this.#passedOver ??= failure;
    else this.#end({ failure });
  }

  /** The call is over: its time is up, which is the fault of whoever is at work, or nobody waits for it. */
  #giveUp(reason: unknown): void {
    const isLate = reason instanceof DOMException && reason.name === "TimeoutError";
    const [target] = this.#clocks.keys();
    if (target && isLate) this.#fail(target, "did not answer before the time of the call was up");
    this.#end(isLate && this.#what.known.length > 0 ? this.#result() : { stopped: true });
  }

  #end(how: FieldsChecked): void {
    if (this.#ended) return;
    this.#ended = how;
    for (const stop of this.#clocks.values()) stop();
    this.#controller?.abort(new DOMException("The answer isn't wanted any more.", "AbortError"));
    this.#tellEnd();
  }

  #result(): FieldsChecked {
    if (this.#ended) return this.#ended;
    return { problems: this.#found.sort((a, b) => a.order - b.order).map(({ problem }) => problem), passedOver: this.#passedOver };
  }
}

/** Getters, so that what a validator doesn't read isn't made. */
class FieldContext implements ValidatorContext {
  readonly #run: Pick<ValidatorContext, "args" | "signal">;
  readonly #path: JsonPath;
  readonly tool: ToolRef;

  constructor(run: Pick<ValidatorContext, "args" | "signal">, path: JsonPath, tool: ToolRef) {
    this.#run = run;
    this.#path = path;
    this.tool = tool;
  }

  get path(): string {
    return formatPath(this.#path);
  }
  get args(): JsonObject {
    return this.#run.args;
  }
  get signal(): AbortSignal {
    return this.#run.signal;
  }
}

function* targetsOf({ checks, args, known }: FieldsToCheck): Iterable<Target> {
  let order = 0;
  for (const check of checks) {
    for (const { path, value } of valuesOf(args, check.steps)) {
      if (!known.some((problem) => concerns(problem, path))) yield { check, path, value, order: order++ };
    }
  }
}

/** Whether a problem is with a value, with something in it, or with something that it is in: other members of that may be unknown or missing. */
function concerns({ path, key }: Problem, of: JsonPath): boolean {
  const place = key === undefined ? path : [...path, key];
  return begins(of, place) || (key === undefined && begins(path, of));
}

function begins(start: JsonPath, path: JsonPath): boolean {
  return start.length <= path.length && start.every((step, i) => step === path[i]);
}

function valueAt(root: unknown, path: JsonPath): unknown {
  return path.reduce<unknown>((value, step) => Reflect.get(value as object, step), root);
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
