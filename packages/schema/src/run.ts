import type { JsonSchema } from "@fettle/contract";
import type { CompiledCheck, Search } from "./compileCheck.js";
import { formatPath } from "./formatPath.js";
import type { Letters } from "./nearestWord.js";
import type { SchemaIndex } from "./schemaIndex.js";
import type { ArrayNode, ObjectNode, SchemaNode, SchemaNodes } from "./schemaNode.js";
import { cutText } from "./showValue.js";
import type { Problem } from "./types.js";

/** What the things that are checked are called in messages. */
export interface Words {
  /** The whole value: `the arguments`. */
  readonly root: string;
  /** A member: `argument`. */
  readonly key: string;
}

/** Thrown when a check takes more steps than any honest schema and value need. */
export class TooManySteps extends Error {}

/**
 * Evaluates a value against a schema. With `out` every problem is collected; without it the first one ends the search.
 * `marks` receives what was evaluated, for `unevaluated*` further out.
 */
export type Visit = (run: Run, node: SchemaNode, value: unknown, out: Problem[] | undefined, marks: Marks | undefined) => boolean;

/** The state of one evaluation. */
export interface Run {
  /** The evaluation of an inner schema; a member so that the files of the evaluator don't import each other in a circle. */
  readonly visit: Visit;
  readonly index: SchemaIndex;
  readonly nodes: SchemaNodes;
  /** Whether formats are enforced. */
  readonly formats: boolean;
  readonly words: Words;
  /** Most problems collected. */
  readonly limit: number;
  /** Whether integers that lost digits in JSON.parse are refused. */
  readonly exactIntegers: boolean;
  /** Whether the document has `unevaluated*`, so that it must be known what was evaluated. */
  readonly tracks: boolean;
  /** The check of the schema, where it is compiled, and how deep values may nest in it. */
  readonly compiled: CompiledCheck | undefined;
  readonly levels: number;
  /** Where we are in the value. */
  readonly path: (string | number)[];
  /** URIs of the schema resources entered, outermost first: the dynamic scope. */
  readonly scope: string[];
  /** What may be compared yet to find out what was meant. */
  readonly letters: Letters;
  /** Schemas that may be entered yet. */
  steps: number;
}

/** Finds the next member or item that has to be looked at: the compiled check passes over those that surely fit. */
export function searchOf(run: Run, node: ObjectNode | ArrayNode): Search {
  return run.compiled?.searches.get(node) ?? EACH;
}

const EACH: Search = (_value, index) => index;

const LONGEST_LABEL = 160;

/** The place in words: its path, or what the whole value is called. */
export function label(run: Run, key?: string): string {
  return labelOf(run, placeOf(run, key));
}

function labelOf(run: Run, place: string): string {
  return place === "" ? run.words.root : cutText(place, LONGEST_LABEL);
}

function placeOf(run: Run, key: string | undefined): string {
  return formatPath(key === undefined ? run.path : [...run.path, key]);
}

/** What a problem has besides its place and message. */
interface Extra {
  readonly key?: string;
  readonly suggestion?: string | undefined;
}

/** Adds a problem at the place where we are. `says` makes the message from what that place, or its `key`, is called. */
export function report(run: Run, out: Problem[], keyword: string, schema: JsonSchema, says: (at: string) => string, extra?: Extra): void {
  if (out.length >= run.limit) return;
  const place = placeOf(run, extra?.key);
  const problem: { -readonly [K in keyof Problem]: Problem[K] } = { path: run.path.slice(), place, keyword, message: says(labelOf(run, place)), schema };
  if (extra?.key !== undefined) problem.key = extra.key;
  if (extra?.suggestion !== undefined) problem.suggestion = extra.suggestion;
  out.push(problem);
}

/** Which members and items of a value some schema has looked at. */
export interface Marks {
  allKeys: boolean;
  allItems: boolean;
  readonly keys: Set<string>;
  readonly items: Set<number>;
}

export function newMarks(): Marks {
  return { allKeys: false, allItems: false, keys: new Set(), items: new Set() };
}

export function mergeMarks(into: Marks, from: Marks): void {
  into.allKeys ||= from.allKeys;
  into.allItems ||= from.allItems;
  for (const key of from.keys) into.keys.add(key);
  for (const item of from.items) into.items.add(item);
}
