import type { Json } from "@fettle/contract";
import { isError } from "./isError.js";

/** Deepest nesting of a result. Deeper is a mistake, and JSON.stringify would overflow the stack. */
const MAX_DEPTH = 512;

export type ToJson = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly path: string; readonly problem: string };

class NotJson extends Error {
  readonly path: string;
  constructor(path: string, problem: string) {
    super(problem);
    this.path = path;
  }
}

/**
 * A handler's data as JSON. The very value is given back where it is JSON already; members that are undefined are left out,
 * and what has a toJSON (a Date, a URL) is asked for it. Everything that JSON.stringify would drop, change or choke on is named with its place.
 *
 * @param name - what places begin with. Default nothing
 */
export function toJson(value: unknown, name = ""): ToJson {
  try {
    return { ok: true, value: isJson(value, 0) ? value : convert(value, name, []) };
  } catch (error) {
    if (error instanceof NotJson) return { ok: false, path: shown(error.path), problem: error.message };
    return { ok: false, path: "(unknown)", problem: "a getter or toJSON of the result threw" };
  }
}

/** Most characters of a place that are told: of what is nested without end its beginning. */
const LONGEST_PATH = 200;

function shown(path: string): string {
  if (path === "") return "(the whole result)";
  return path.length <= LONGEST_PATH ? path : `${path.slice(0, LONGEST_PATH)}...`;
}

/** Whether a value is JSON as it stands, as nearly all are: without a look at where in the value we are, which only matters when something is wrong. */
function isJson(value: unknown, depth: number): value is Json {
  if (typeof value === "string" || typeof value === "boolean" || value === null) return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || depth >= MAX_DEPTH) return false;
  if (Array.isArray(value)) {
    if (typeof (value as { toJSON?: unknown }).toJSON === "function") return false;
    for (let i = 0; i < value.length; i++) if (!isJson(value[i], depth + 1)) return false;
    return true;
  }
  const proto: unknown = Object.getPrototypeOf(value);
  if (proto !== Object.prototype && proto !== null) return false;
  // A toJSON of its own is a member, and as a function no JSON.
  for (const key in value) if (!isJson((value as Readonly<Record<string, unknown>>)[key], depth + 1)) return false;
  return true;
}

function convert(value: unknown, path: string, ancestors: object[]): Json {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      if (!Number.isFinite(value)) throw new NotJson(path, `${value} is no JSON number`);
      return value;
    case "object":
      return value === null ? null : convertObject(value, path, ancestors);
    case "undefined":
      throw new NotJson(path, "undefined is no JSON value");
    default:
      throw new NotJson(path, `a ${typeof value} is no JSON value`);
  }
}

function convertObject(value: object, path: string, ancestors: object[]): Json {
  if (ancestors.includes(value)) throw new NotJson(path, "it refers back to something that it is part of (a cycle)");
  if (ancestors.length >= MAX_DEPTH) throw new NotJson(path, `it is nested more than ${MAX_DEPTH} levels deep`);
  if (isError(value)) throw new NotJson(path, "an Error is no JSON value; throw it, or give its message as a text");
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === "function") return convert(toJSON.call(value), path, [...ancestors, value]);
  ancestors.push(value);
  try {
    return Array.isArray(value) ? convertArray(value, path, ancestors) : convertRecord(value, path, ancestors);
  } finally {
    ancestors.pop();
  }
}

function convertArray(value: readonly unknown[], path: string, ancestors: object[]): Json {
  let copy: Json[] | undefined;
  for (let i = 0; i < value.length; i++) {
    const item = convert(value[i], `${path}[${i}]`, ancestors);
    if (item !== value[i]) copy ??= value.slice(0, i) as Json[];
    copy?.push(item);
  }
  return copy ?? (value as Json[]);
}

function convertRecord(value: object, path: string, ancestors: object[]): Json {
  const proto: unknown = Object.getPrototypeOf(value);
  const source = value as Readonly<Record<string, unknown>>;
  const keys = Object.keys(source);
  const plain = isPlain(value);
  if (!plain && (keys.length === 0 || ArrayBuffer.isView(value) || value instanceof String)) throw new NotJson(path, noData(value));
  // An object of a class becomes a plain one; a plain one is given back as it is unless a member changes.
  let copy: Record<string, Json> | undefined = proto === Object.prototype || proto === null ? undefined : {};
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as string;
    const member = source[key];
    const json = member === undefined ? undefined : convert(member, path === "" ? key : `${path}.${key}`, ancestors);
    if (json !== member || member === undefined) copy ??= Object.fromEntries(keys.slice(0, i).map((earlier) => [earlier, source[earlier] as Json]));
    // defineProperty, since a member called __proto__ must stay a member.
    if (copy && json !== undefined) Object.defineProperty(copy, key, { value: json, enumerable: true, writable: true, configurable: true });
  }
  return copy ?? (value as Json);
}

/** Whether an object is of no class, in this realm or another one. */
function isPlain(value: object): boolean {
  const proto: unknown = Object.getPrototypeOf(value);
  return proto === null || Object.getPrototypeOf(proto) === null;
}

/** What to say of an object that keeps what it holds out of JSON's sight, so that nothing or nonsense would be sent: a Map, a Promise, a Response. */
function noData(value: object): string {
  const name =
    typeof value.constructor === "function" && value.constructor.name !== "" ? value.constructor.name : Object.prototype.toString.call(value).slice(8, -1);
  const todo = value instanceof Promise ? "await it" : "turn it into an object, a list or a text";
  return `${/^[AEIO]/.test(name) ? "an" : "a"} ${name} is no JSON value; ${todo}`;
}
