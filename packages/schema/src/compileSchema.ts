import type { Json, JsonSchema } from "@fettle/contract";
import { branchesOften } from "./branchesOften.js";
import { compileWithAjv, type Decider } from "./compileWithAjv.js";
import { evaluate } from "./evaluate.js";
import { fillDefaults, hasDefaults } from "./fillDefaults.js";
import { formatPath } from "./formatPath.js";
import { type Measured, measure } from "./measure.js";
import { someLetters } from "./nearestWord.js";
import { prepareForAjv } from "./prepareForAjv.js";
import { repairValue } from "./repairValue.js";
import { type Run, TooManySteps, type Words } from "./run.js";
import { SchemaIndex } from "./schemaIndex.js";
import { SchemaNodes } from "./schemaNode.js";
import { cutText } from "./showValue.js";
import { type Dialect, subschemas } from "./subschemas.js";
import type { CheckOptions, CheckResult, CompiledSchema, EngineLimits, Problem, Repair } from "./types.js";

const ARGUMENTS: Words = { root: "the arguments", key: "argument" };
const NO_REPAIRS: readonly Repair[] = [];
/** Schemas entered for one value: far more than an honest schema asks for, and few enough to end what would take minutes. */
const LEAST_STEPS = 200_000;
const STEPS_FOR_A_BYTE = 4;
/** Messages that are the same up to here are the same to a reader. */
const LONGEST_COMPARED = 1_000;
const FEW = 20;
/** Most problems looked for while mending. */
const MOST_MENDED = 1_000;

/** Compiles an admitted schema: the check is ready at once, and Ajv's part of it made when the schema is used often. */
export function compileSchema(schema: JsonSchema, dialect: Dialect, limits: EngineLimits): CompiledSchema {
  const checker = new Checker(schema, dialect, limits);
  return { check: (value, options) => checker.check(value, options ?? {}) };
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
  readonly #deciders = new Map<boolean, Decider | undefined>();
  /** Bytes of the values checked so far, up to where that was enough to compile. */
  #checked = 0;
  #hasDefaults: boolean | undefined;
  #tracks: boolean | undefined;

  constructor(schema: JsonSchema, dialect: Dialect, limits: EngineLimits) {
    this.#schema = schema;
    this.#limits = limits;
    this.#index = new SchemaIndex(schema, dialect);
    this.#nodes = new SchemaNodes(this.#index);
  }

  check(value: unknown, options: CheckOptions): CheckResult {
    const measured = measure(value, this.#limits);
    if (measured.over !== undefined) return this.#tooLarge(measured.over, options);
    try {
      return this.#decide(value, measured, options);
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
    const measured = measure(value, this.#limits);
    return measured.over === undefined && evaluate(this.#run({}, measured, 1), this.#nodes.of(schema), value, undefined, undefined);
  }

  #decide(value: unknown, measured: Measured, options: CheckOptions): CheckResult {
    if (this.#isValid(value, measured, options)) {
      return { valid: true, value: toJson(this.#withDefaults(value, measured, options)), repairs: NO_REPAIRS };
    }
    const problems = this.#find(value, measured, options, this.#limits.problems + 1);
    if (options.repair === false) return { valid: false, value: toJson(value), problems };
    // More are looked for than are told, so that the twenty-first misplaced quote is mended too.
    const all = problems.length > this.#limits.problems ? this.#find(value, measured, options, MOST_MENDED) : problems;
    const mended = repairValue(this.#nodes, value, all, (each) => {
      const again = measure(each, this.#limits);
      return again.over === undefined ? this.#find(each, again, options, MOST_MENDED) : all;
    });
    if (mended.repairs.length === 0) return { valid: false, value: toJson(value), problems };
    if (mended.left.length === 0)
      return { valid: true, value: toJson(this.#withDefaults(mended.value, measure(mended.value, this.#limits), options)), repairs: mended.repairs };
    return { valid: false, value: toJson(value), problems: this.#withInner(problems, mended.left, mended.opened) };
  }

  #isValid(value: unknown, measured: Measured, options: CheckOptions): boolean {
    const formats = options.formats !== false;
    const decide = measured.inexact && options.exactIntegers !== false ? undefined : this.#decider(formats, measured.bytes);
    if (decide !== undefined) return decide(value);
    return evaluate(this.#run(options, measured, 1), this.#nodes.of(this.#schema), value, undefined, undefined);
  }

  /** The compiled check; undefined where it isn't worth it yet, or Ajv gets the schema wrong: then the evaluator decides. */
  #decider(formats: boolean, bytes: number): Decider | undefined {
    if (this.#checked < this.#limits.compileAfter) this.#checked += bytes;
    if (this.#checked < this.#limits.compileAfter) return undefined;
    if (!this.#deciders.has(formats)) {
      const prepared = branchesOften(this.#index) ? undefined : prepareForAjv(this.#schema, this.#index.dialect);
      this.#deciders.set(formats, prepared === undefined ? undefined : compileWithAjv(prepared, this.#index.dialect, formats));
    }
    return this.#deciders.get(formats);
  }

  #run(options: CheckOptions, { bytes }: Measured, limit: number): Run {
    this.#tracks ??= usesUnevaluated(this.#schema, this.#index.dialect);
    return {
      visit: evaluate,
      index: this.#index,
      nodes: this.#nodes,
      formats: options.formats !== false,
      words: options.words ?? ARGUMENTS,
      limit,
      exactIntegers: options.exactIntegers !== false,
      tracks: this.#tracks,
      path: [],
      scope: [],
      letters: someLetters(),
      steps: LEAST_STEPS + bytes * STEPS_FOR_A_BYTE,
    };
  }

  #find(value: unknown, measured: Measured, options: CheckOptions, limit: number): readonly Problem[] {
    const found: Problem[] = [];
    const run = this.#run(options, measured, limit);
    if (evaluate(run, this.#nodes.of(this.#schema), value, found, undefined)) {
      // Ajv refused it, or we would not be here on the first round. Told so, rather than accepted.
      if (this.#isValid(value, measured, options)) return [];
      return [{ path: [], place: "", keyword: "schema", message: `${run.words.root} don't fit the schema`, schema: this.#schema }];
    }
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

  #withDefaults(value: unknown, measured: Measured, options: CheckOptions): unknown {
    if (options.defaults === false) return value;
    this.#hasDefaults ??= hasDefaults(this.#schema, this.#index);
    if (!this.#hasDefaults) return value;
    const fits = (schema: JsonSchema, each: unknown): boolean => evaluate(this.#run(options, measured, 1), this.#nodes.of(schema), each, undefined, undefined);
    const filled = fillDefaults(this.#index, this.#schema, value, fits);
    // A default that some other keyword objects to (dependentRequired, not) would make a valid value invalid.
    return filled === value || this.#isValid(filled, measured, options) ? filled : value;
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
  if (problems.length < 2) return problems;
  const texts = problems.map(({ message }) => cutText(message, LONGEST_COMPARED));
  // Few are compared one by one: that ends at their lengths most of the time, while a set has to read each whole.
  const isFirst = texts.length > FEW ? isFirstOfMany() : (text: string, i: number) => texts.indexOf(text) === i;
  return problems.filter((_, i) => isFirst(texts[i] ?? "", i));
}

function isFirstOfMany(): (text: string) => boolean {
  const seen = new Set<string>();
  return (text) => !seen.has(text) && seen.add(text) === seen;
}
