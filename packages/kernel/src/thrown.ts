import type { Json } from "@fettle/contract";
import { isError } from "./isError.js";

/** Most errors that are described of one that was thrown: itself, its causes, and the members of those that stand for several. Chains may be circular or endless. */
const MOST_ERRORS = 8;
/** Most characters that are kept of a message, of a stack, and of a name or code. */
const LONGEST = { message: 4_000, stack: 8_000, name: 100 };
/** Most members that are shown of a thrown object that is no error. */
const MOST_MEMBERS = 20;

interface Walk {
  readonly blank: (text: string) => string;
  readonly seen: Set<unknown>;
}

/**
 * What the log keeps of something that was thrown, whatever it is: its name, code, message, stack, causes and, where it stands for several errors,
 * those. Bounded in length and number; what is left out is counted. `blank` takes out what must not be logged.
 */
export function thrown(error: unknown, blank: (text: string) => string = (text) => text): Record<string, Json> {
  return described(error, { blank, seen: new Set() });
}

function described(error: unknown, walk: Walk): Record<string, Json> {
  try {
    if (typeof error !== "object" || error === null) return { error_name: error === null ? "null" : typeof error, error_message: kept(String(error), walk) };
    if (walk.seen.has(error)) return { error_message: "(an error that is described above: the causes go in a circle, or two errors have one cause)" };
    if (walk.seen.size >= MOST_ERRORS) return { error_message: `(more errors than ${MOST_ERRORS}: the rest is left out)` };
    walk.seen.add(error);
    return isError(error) ? ofError(error, walk) : ofObject(error, walk);
  } catch {
    return { error_name: "unreadable", error_message: "(what was thrown can't be read: a getter or a proxy in it threw)" };
  }
}

function ofError(error: Error, walk: Walk): Record<string, Json> {
  const message = textOf(error, "message");
  const code = read(error, "code");
  const cause = read(error, "cause");
  const members = read(error, "errors");
  return {
    error_name: kept(textOf(error, "name"), walk, LONGEST.name),
    ...(typeof code === "number" && { error_code: code }),
    ...(typeof code === "string" && { error_code: kept(code, walk, LONGEST.name) }),
    error_message: kept(message, walk),
    error_stack: kept(stackOf(error, message), walk, LONGEST.stack),
    ...(cause !== undefined && { error_cause: described(cause, walk) }),
    ...(Array.isArray(members) && { errors: ofSeveral(members, walk) }),
  };
}

function ofSeveral(errors: readonly unknown[], walk: Walk): Json[] {
  const shown = errors.slice(0, MOST_ERRORS).map((error) => described(error, walk));
  const more = errors.length - shown.length;
  return more > 0 ? [...shown, { error_message: `(and ${more} more)` }] : shown;
}

/** A stack. It begins with the message: one that is longer than the log keeps would push the frames out. */
function stackOf(error: Error, message: string): string {
  const stack = textOf(error, "stack");
  const at = message.length > LONGEST.message ? stack.indexOf(message) : -1;
  return at === -1 ? stack : `${stack.slice(0, at)}...${stack.slice(at + message.length)}`;
}

/** A thrown object that is no error: its members at one level. */
function ofObject(object: object, walk: Walk): Record<string, Json> {
  const members = Object.entries(object);
  const shown = members.slice(0, MOST_MEMBERS).map(([key, member]) => `${key}: ${typeof member === "object" && member !== null ? "{...}" : String(member)}`);
  const more = members.length > MOST_MEMBERS ? [`${members.length - MOST_MEMBERS} more`] : [];
  const { name } = object.constructor ?? {};
  return { error_name: kept(String(name ?? "object"), walk, LONGEST.name), error_message: kept(`{ ${[...shown, ...more].join(", ")} }`, walk) };
}

/** A member of an error; undefined where a getter in it throws, so that the others are still told. */
function read(error: object, key: string): unknown {
  try {
    return Reflect.get(error, key);
  } catch {
    return undefined;
  }
}

function textOf(error: object, key: string): string {
  try {
    return String(read(error, key) ?? "");
  } catch {
    return "";
  }
}

/** A text without what must not be logged, cut where it is longer than the log keeps. */
function kept(text: string, { blank }: Walk, longest: number = LONGEST.message): string {
  const clean = blank(text);
  return clean.length <= longest ? clean : `${clean.slice(0, longest)}... (cut: these are the first ${longest} of ${text.length} characters)`;
}
