import type { Json, JsonSchema } from "@fettle/contract";
import { type CompiledCheck, compileCheck } from "./compileCheck.js";
import { evaluate } from "./evaluate.js";
import { Defaults } from "./fillDefaults.js";
import { formatPath } from "./formatPath.js";
import { measure } from "./measure.js";
import { someLetters } from "./nearestWord.js";
import { repairValue } from "./repairValue.js";
import { type Run, TooManySteps, type Words } from "./run.js";
import { SchemaIndex } from "./schemaIndex.js";
import { SchemaNodes } from "./schemaNode.js";
import { cutText } from "./showValue.js";
import { type Dialect, subschemas } from "./subschemas.js";
import type { CheckOptions, CheckResult, CompiledSchema, EngineLimits, Problem, Repair } from "./types.js";

const ARGUMENTS: Words = { root: "the arguments", key: "argument" };
const NO_OPTIONS: CheckOptions = {};
const NO_REPAIRS: readonly Repair[] = [];
/** Schemas entered for one value: far more than an honest schema asks for, and few enough to end what would take minutes. */
const LEAST_STEPS = 200_000;
const STEPS_FOR_A_BYTE = 4;
/** How often the compiled check may look at a value while the evaluator goes through it. */
const LOOKS_AT_A_BYTE = 8;
/** Messages that are the same up to here are the same to a reader. */
const LONGEST_COMPARED = 1_000;
const FEW = 20;
/** Most problems looked for while mending. */
const MOST_MENDED = 1_000;

/** Compiles an admitted schema: the check is ready at once, and becomes JavaScript of its own when the schema is used often. */
export function compileSchema(schema: JsonSchema, dialect: Dialect, limits: EngineLimits): CompiledSchema {
  const checker = new Checker(schema, dialect, limits);
  return { check: (value, options) => checker.check(value, options ?? NO_OPTIONS) };
}

/** Whether a value fits a schema inside of `root`, whose references it may use. */
export function fitsInside(root: JsonSchema, dialect: Dialect): (schema: JsonSchema, value: unknown) => boolean {
  const checker = new Checker(root, dialect, { depth: 64, bytes: 1024 * 1024, problems: 1, compileAfter: Number.POSITIVE_INFINITY });
  return (schema, value) => checker.fits(schema, value);
}

class Checker {
  readonly #schema: JsonSchema;
  readonly #limits: EngineLimits;
  readonly #index: SchemaIndex;
  readonly #nodes: SchemaNodes;
  /** By what is enforced; see `enforced`. */
  readonly #compiled: CompiledCheck[] = [];
  readonly #defaults: Defaults[] = [];
  /** Bytes of the values checked so far, up to where that was enough to compile. */
  #checked = 0;
  #tracks: boolean | undefined;

  constructor(schema: JsonSchema, dialect: Dialect, limits: EngineLimits) {
    this.#schema = schema;
    this.#limits = limits;
    this.#index = new SchemaIndex(schema, dialect);
    this.#nodes = new SchemaNodes(this.#index);
  }

  check(value: unknown, options: CheckOptions): CheckResult {
    try {
      return this.#compiledFor(options)?.fits(value) ? this.#fitting(value, options, NO_REPAIRS) : this.#evaluate(value, options);
    } catch (error) {
      if (!(error instanceof TooManySteps)) throw error;
      const { root } = options.words ?? ARGUMENTS;
      return this.#refuse(
        value,
        "limits",
        `${root} can't be checked within bounds: the schema branches too often for a value of this size. Send a smaller one`,
      );
    }
  }

  fits(schema: JsonSchema, value: unknown): boolean {
    return measure(value, this.#limits).over === undefined && this.#fits(schema, value, NO_OPTIONS);
  }

  #fits(schema: JsonSchema, value: unknown, options: CheckOptions): boolean {
    const bytes = Math.min(measure(value, this.#limits).bytes, this.#limits.bytes);
    return evaluate(this.#run(options, bytes, 1), this.#nodes.of(schema), value, undefined, undefined);
  }

  /** The compiled check, where the schema was used enough: most values are looked at by it only, and their size is had on the way. */
  #compiledFor(options: CheckOptions): CompiledCheck | undefined {
    if (this.#checked < this.#limits.compileAfter) return undefined;
    const { formats = true, exactIntegers = true } = options;
    this.#compiled[enforced(options)] ??= compileCheck(this.#nodes, this.#schema, { formats, exactIntegers, limits: this.#limits });
    return this.#compiled[enforced(options)];
  }

  #evaluate(value: unknown, options: CheckOptions): CheckResult {
    const { over, bytes } = measure(value, this.#limits);
    if (over !== undefined) return this.#tooLarge(over, options);
    if (this.#checked < this.#limits.compileAfter) this.#checked += bytes;
    const problems = this.#find(value, bytes, options, this.#limits.problems + 1);
    if (problems.length === 0) return this.#fitting(value, options, NO_REPAIRS);
    if (options.repair === false) return { valid: false, value: toJson(value), problems };
    // More are looked for than are told, so that the twenty-first misplaced quote is mended too.
    const all = problems.length > this.#limits.problems ? this.#find(value, bytes, options, MOST_MENDED) : problems;
    const mended = repairValue(this.#nodes, value, all, (each) => {
      const again = measure(each, this.#limits);
      return again.over === undefined ? this.#find(each, again.bytes, options, MOST_MENDED) : all;
    });
    if (mended.repairs.length === 0) return { valid: false, value: toJson(value), problems };
    if (mended.left.length === 0) return this.#fitting(mended.value, options, mended.repairs);
    return { valid: false, value: toJson(value), problems: this.#withInner(problems, mended.left, mended.opened) };
  }

  #fitting(value: unknown, options: CheckOptions, repairs: readonly Repair[]): CheckResult {
    return { valid: true, value: toJson(options.defaults === false ? value : this.#withDefaults(value, options)), repairs };
  }

  #run(options: CheckOptions, bytes: number, limit: number): Run {
    this.#tracks ??= usesUnevaluated(this.#schema, this.#index.dialect);
    const compiled = this.#compiledFor(options);
    compiled?.begin(bytes * LOOKS_AT_A_BYTE);
    return {
      visit: evaluate,
      index: this.#index,
      nodes: this.#nodes,
      formats: options.formats !== false,
      words: options.words ?? ARGUMENTS,
      limit,
      exactIntegers: options.exactIntegers !== false,
      tracks: this.#tracks,
      compiled,
      levels: this.#limits.depth,
      path: [],
      scope: [],
      letters: someLetters(),
      steps: LEAST_STEPS + bytes * STEPS_FOR_A_BYTE,
    };
  }

  #find(value: unknown, bytes: number, options: CheckOptions, limit: number): readonly Problem[] {
    const found: Problem[] = [];
    evaluate(this.#run(options, bytes, limit), this.#nodes.of(this.#schema), value, found, undefined);
    return withoutRepeats(found);
  }

  /** What is wrong inside of texts that were read as JSON, besides that they are texts: all problems at once. */
  #withInner(problems: readonly Problem[], left: readonly Problem[], opened: readonly string[]): readonly Problem[] {
    const told = new Set(problems.map((problem) => `${formatPath(problem.path)} ${problem.key ?? ""}`));
    const inner = left.filter((problem) => {
      const place = formatPath(problem.path);
      return (
        !told.has(`${place} ${problem.key ?? ""}`) &&
        opened.some((text) => text === "" || place === text || place.startsWith(`${text}.`) || place.startsWith(`${text}[`))
      );
    });
    return [...problems, ...inner].slice(0, this.#limits.problems + 1);
  }

  #withDefaults(value: unknown, options: CheckOptions): unknown {
    this.#defaults[enforced(options)] ??= new Defaults(this.#index, this.#schema, (schema, each) => this.#fits(schema, each, options));
    const filled = this.#defaults[enforced(options)]?.fill(value);
    // A default that some other keyword objects to (dependentRequired, not) would make a valid value invalid.
    return filled === value || this.#compiledFor(options)?.fits(filled) || this.#fits(this.#schema, filled, options) ? filled : value;
  }

  #tooLarge(over: "depth" | "bytes", options: CheckOptions): CheckResult {
    const { root } = options.words ?? ARGUMENTS;
    return over === "depth"
      ? this.#refuse(null, "limits", `${root} are nested more than ${this.#limits.depth} levels deep. Send a flatter value`)
      : this.#refuse(null, "limits", `${root} are larger than ${Math.floor(this.#limits.bytes / 1024)} KiB. Send less, or in several calls`);
  }

  #refuse(value: unknown, keyword: string, message: string): CheckResult {
    return { valid: false, value: toJson(value), problems: [{ path: [], place: "", keyword, message, schema: this.#schema }] };
  }
}

/** Which of the four ways to check is asked for. */
function enforced({ formats, exactIntegers }: CheckOptions): number {
  return (formats === false ? 0 : 1) + (exactIntegers === false ? 0 : 2);
}

/** The one place where a value that came in is called JSON: the caller parsed it from JSON, or it is checked to fit a schema. */
function toJson(value: unknown): Json {
  return value as Json;
}

function usesUnevaluated(schema: JsonSchema, dialect: Dialect, seen: Set<object> = new Set()): boolean {
  if (typeof schema === "boolean" || seen.has(schema)) return false;
  seen.add(schema);
  if (Object.hasOwn(schema, "unevaluatedProperties") || Object.hasOwn(schema, "unevaluatedItems")) return true;
  for (const inner of subschemas(schema, dialect)) if (usesUnevaluated(inner.schema, dialect, seen)) return true;
  // A place that only a reference makes a schema.
  return Object.hasOwn(schema, "$ref") && !String(schema["$ref"]).startsWith("#");
}

/** Two schemas may say the same of one place: it is told once. */
function withoutRepeats(problems: readonly Problem[]): readonly Problem[] {
  // Few are compared one by one: that ends at their lengths most of the time, while a set has to read each whole.
  if (problems.length <= FEW) return problems.some(isRepeat) ? problems.filter((problem, i) => !isRepeat(problem, i, problems)) : problems;
  const seen = new Set<string>();
  return problems.filter(({ message }) => {
    const text = cutText(message, LONGEST_COMPARED);
    return !seen.has(text) && seen.add(text) === seen;
  });
}

function isRepeat({ message }: Problem, i: number, problems: readonly Problem[]): boolean {
  const text = cutText(message, LONGEST_COMPARED);
  for (let before = 0; before < i; before++) if (cutText(problems[before]?.message ?? "", LONGEST_COMPARED) === text) return true;
  return false;
}
