import type { Json, JsonPath, JsonSchema } from "@fettle/contract";
import { cloneJson } from "./cloneJson.js";
import { defaultOf } from "./defaultOf.js";
import { formatPath } from "./formatPath.js";
import { isObject, isSchema, type Members, own, setOwn } from "./jsonType.js";
import { foldKey, MOST_COMPARED, sameWords, someKeys } from "./misspelt.js";
import { readScalar } from "./readScalar.js";
import type { SchemaNodes } from "./schemaNode.js";
import { cutText } from "./showValue.js";
import { hasTypeIn } from "./typeBits.js";
import type { Problem, Repair } from "./types.js";

/** What mending came to. */
export interface Mended {
  /** A copy with what could be mended. */
  readonly value: unknown;
  readonly repairs: readonly Repair[];
  /** What is wrong still: nothing when the value is valid now. */
  readonly left: readonly Problem[];
  /** Texts that were read as JSON: what is wrong inside of them can't be seen in the value as sent. */
  readonly opened: readonly string[];
}

/** A repair may uncover what the next one mends: a text is read, a key inside of it renamed, its value read. */
const MOST_ROUNDS = 6;
const LONGEST_REPORTED = 200;

/** Keys that clients and frameworks add to the arguments on their own, so that a model can't leave them out. */
const CLIENT_KEYS = new Set([
  "toolCallId",
  "tool_call_id",
  "toolUseId",
  "tool_use_id",
  "progressToken",
  "sessionId",
  "session_id",
  "requestId",
  "request_id",
  "chatInput",
]);

/**
 * Mends what is wrong with a value, where only one thing can have been meant. The value itself stays as it is.
 *
 * - the text of a JSON object, array, number or boolean where only that fits
 * - an integer without quotes where an argument takes only a string
 * - null, or the empty text for a `format`, for a member that isn't required: taken out
 * - a key or an enum value in another case convention, when exactly one matches
 * - keys that clients add at the root, where unknown ones aren't allowed: taken out
 * - a missing member that has a default
 */
export function repairValue(nodes: SchemaNodes, value: unknown, problems: readonly Problem[], find: (value: unknown) => readonly Problem[]): Mended {
  const work: Work = { root: value, isCopy: false, repairs: [], opened: [], crowded: undefined, seenTo: undefined, taken: [] };
  let left = problems;
  for (let round = 0; round < MOST_ROUNDS && left.length > 0; round += 1) {
    let changed = false;
    work.seenTo = undefined;
    for (const problem of left) changed = mend(nodes, work, problem) || changed;
    if (!changed) break;
    left = find(work.root);
  }
  return { value: work.root, repairs: work.repairs, left, opened: work.opened };
}

interface Work {
  /** The value as sent, until the first thing is mended: most of what is wrong can't be. */
  root: unknown;
  isCopy: boolean;
  readonly repairs: Repair[];
  readonly opened: string[];
  /** Objects with so many unknown members that none of them is a slip. */
  crowded: Set<object> | undefined;
  /** Objects whose keys were seen to in this round, by which schema. */
  seenTo: Map<object, JsonSchema> | undefined;
  /** Places that were emptied: no default comes back there. */
  readonly taken: string[];
}

function mend(nodes: SchemaNodes, work: Work, problem: Problem): boolean {
  switch (problem.keyword) {
    case "additionalProperties":
    case "unevaluatedProperties":
      return mendKeys(nodes, work, problem);
    case "required":
      return mendMissing(nodes, work, problem);
    case "type":
    case "enum":
    case "const":
    case "anyOf":
    case "oneOf":
      return mendValue(nodes, work, problem);
    case "format":
      return valueAt(work.root, problem.path) === "" && takeOut(work, problem.path);
    default:
      return false;
  }
}

function mendKeys(nodes: SchemaNodes, work: Work, problem: Problem): boolean {
  const at = valueAt(work.root, problem.path);
  if (!isObject(at)) return false;
  const isPart = problem.keyword === "unevaluatedProperties";
  // There is a problem for each of an object's keys. All of them are seen to at the first.
  work.seenTo ??= new Map();
  if (!isPart && work.seenTo.get(at) === problem.schema) return false;
  work.seenTo.set(at, problem.schema);
  const object = nodes.of(problem.schema).object;
  const isKnown = (key: string): boolean => object !== undefined && (object.declared.has(key) || object.patterns.some(({ matcher }) => matcher().test(key)));
  const unknown = someKeys(at, (key) => !isKnown(key), MOST_COMPARED + 1);
  if (unknown.length > MOST_COMPARED) return false;
  const candidates = isPart && problem.key !== undefined ? [problem.key] : unknown;
  let changed = false;
  for (const key of candidates) {
    const homes = (object?.spellings().get(foldKey(key)) ?? []).filter((each) => each !== key && own(at, each) === undefined);
    const [home] = homes;
    const rivals = unknown.filter((each) => foldKey(each) === foldKey(key)).length;
    if (home !== undefined && homes.length === 1 && rivals === 1) changed = rename(work, problem.path, key, home) || changed;
    else if (problem.path.length === 0 && homes.length === 0 && (key.startsWith("_") || CLIENT_KEYS.has(key))) changed = takeOut(work, [key]) || changed;
  }
  return changed;
}

/** The table under a keyword of the schema that a problem is about. */
function membersOf(problem: Problem, keyword: string): Readonly<Record<string, unknown>> {
  const members = typeof problem.schema === "object" ? own(problem.schema, keyword) : undefined;
  return isObject(members) ? members : {};
}

function mendMissing(nodes: SchemaNodes, work: Work, problem: Problem): boolean {
  const { key } = problem;
  const at = valueAt(work.root, problem.path);
  if (!isObject(at) || key === undefined) return false;
  const declared = membersOf(problem, "properties");
  const strays = straysIn(work, at, declared).filter((each) => sameWords(each, key));
  const [stray] = strays;
  if (stray !== undefined) return strays.length === 1 && Object.hasOwn(declared, key) && rename(work, problem.path, stray, key);
  const inner = own(declared, key);
  const fallback = isSchema(inner) ? defaultOf(nodes.index, inner) : undefined;
  const path = formatPath([...problem.path, key]);
  if (fallback === undefined || work.taken.includes(path)) return false;
  const parent = ownPart(work, problem.path);
  if (!isObject(parent)) return false;
  setOwn(parent, key, cloneJson(fallback));
  work.repairs.push({ path, to: toJson(fallback) });
  return true;
}

/** The members that aren't declared, while they are few enough to be slips. */
function straysIn(work: Work, at: object, declared: object): readonly string[] {
  if (work.crowded?.has(at)) return [];
  const strays = someKeys(at as Members, (each) => !Object.hasOwn(declared, each), MOST_COMPARED + 1);
  if (strays.length <= MOST_COMPARED) return strays;
  work.crowded ??= new Set();
  work.crowded.add(at);
  return [];
}

function mendValue(nodes: SchemaNodes, work: Work, problem: Problem): boolean {
  const at = valueAt(work.root, problem.path);
  const accepted = nodes.of(problem.schema).accepts();
  const accepts = (each: unknown): boolean => hasTypeIn(accepted, each, false);
  if (at === null) {
    // `nullable` isn't enforced, but says that null was to have a meaning of its own.
    if (typeof problem.schema === "object" && own(problem.schema, "nullable") === true) return false;
    if (problem.path.length > 0) return takeOut(work, problem.path);
    return accepts({}) && put(work, problem.path, null, {});
  }
  if (typeof at === "number") {
    // Only an argument itself: deeper, numbers are data. And one of which digits were lost would be another text.
    const certain = problem.path.length === 1 && problem.keyword === "type" && Number.isSafeInteger(at);
    return certain && accepts(String(at)) && !accepts(at) && put(work, problem.path, at, String(at));
  }
  if (typeof at !== "string") return false;
  if (accepts(at)) return problem.keyword === "enum" && foldCase(work, problem, at);
  const scalar = readScalar(at);
  if (scalar !== undefined) return accepts(scalar) && put(work, problem.path, at, scalar);
  const parsed = readStructure(at);
  if (parsed === undefined || !accepts(parsed)) return false;
  work.opened.push(formatPath(problem.path));
  return put(work, problem.path, at, parsed);
}

/** The object or array that a text is in JSON. */
function readStructure(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function foldCase(work: Work, problem: Problem, at: string): boolean {
  const values = typeof problem.schema === "object" ? own(problem.schema, "enum") : undefined;
  if (!Array.isArray(values)) return false;
  let same: string | undefined;
  for (let i = 0; i < values.length; i++) {
    const each: unknown = values[i];
    // Lengths first: what differs in more than case is seldom worth a copy in lower case.
    if (typeof each !== "string" || each.length !== at.length || each.toLowerCase() !== at.toLowerCase()) continue;
    if (same !== undefined) return false;
    same = each;
  }
  return same !== undefined && put(work, problem.path, at, same);
}

/** What is at a place; undefined where there is none. */
function valueAt(root: unknown, path: JsonPath): unknown {
  let at = root;
  for (const part of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, part)) return undefined;
    at = (at as Members)[part];
  }
  return at;
}

/** A part of the value that may be changed. */
function ownPart(work: Work, path: JsonPath): unknown {
  if (!work.isCopy) {
    work.root = cloneJson(work.root);
    work.isCopy = true;
  }
  return valueAt(work.root, path);
}

function put(work: Work, path: JsonPath, from: unknown, to: unknown): boolean {
  const last = path.at(-1);
  if (last === undefined) {
    work.root = to;
    work.isCopy = true;
  } else {
    const parent = ownPart(work, path.slice(0, -1));
    if (typeof parent !== "object" || parent === null) return false;
    setOwn(parent, String(last), to);
  }
  work.repairs.push({ path: formatPath(path), from: toJson(from), to: toJson(to) });
  return true;
}

/** Takes a member out; an item of an array never. */
function takeOut(work: Work, path: JsonPath): boolean {
  const key = path.at(-1);
  if (typeof key !== "string") return false;
  const parent = ownPart(work, path.slice(0, -1));
  if (!isObject(parent)) return false;
  const from = toJson(own(parent, key));
  Reflect.deleteProperty(parent, key);
  const place = formatPath(path);
  work.taken.push(place);
  work.repairs.push({ path: place, from });
  return true;
}

function rename(work: Work, path: JsonPath, from: string, to: string): boolean {
  const at = ownPart(work, path);
  if (!isObject(at)) return false;
  const value = own(at, from);
  Reflect.deleteProperty(at, from);
  setOwn(at, to, value);
  work.repairs.push({ path: formatPath([...path, from]), from, to });
  return true;
}

/** A value as it is reported: long texts cut, and never shared with the value that goes on. */
function toJson(value: unknown): Json {
  if (typeof value === "string") return cutText(value, LONGEST_REPORTED);
  const copy: unknown = cloneJson(value ?? null);
  const text = JSON.stringify(copy);
  return text.length > LONGEST_REPORTED ? cutText(text, LONGEST_REPORTED) : JSON.parse(text);
}
