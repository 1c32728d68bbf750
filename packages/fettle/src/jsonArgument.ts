import type { Json, JsonObject } from "@fettle/contract";
import type { ValueNode } from "@humanwhocodes/momoa";
import { codeFrame } from "./format/codeFrame.js";
import { jsonMistake } from "./jsonMistake.js";
import type { Paint } from "./paint.js";
import { UsageError } from "./usageError.js";

/** The most that is read from stdin, in bytes: as much as the HTTP server takes by default. */
const MAX_ARGUMENT_BYTES = 1024 * 1024;

/**
 * Reads stdin to its end.
 *
 * @throws UsageError when it is longer than {@link MAX_ARGUMENT_BYTES} or isn't UTF-8
 */
export async function readBounded(input: NodeJS.ReadableStream, limit: number = MAX_ARGUMENT_BYTES): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of input) {
    const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk);
    size += bytes.length;
    if (size > limit)
      throw new UsageError(
        `The arguments on stdin are longer than ${limit.toLocaleString("en")} bytes.`,
        "Send less, or pass a file's path instead of what it holds.",
      );
    chunks.push(bytes);
  }
  const bytes = Buffer.concat(chunks);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
    throw new UsageError(`The arguments on stdin are not UTF-8 text${isUtf16 ? ", but UTF-16" : ""}.`, "Send them as JSON in UTF-8.");
  }
}

/** The text without a byte order mark, which some editors and shells put before it. */
export function withoutMark(text: string): string {
  return text.startsWith("\u{FEFF}") ? text.slice(1) : text;
}

/**
 * Parses the arguments of a call.
 *
 * @param text without a byte order mark
 * @throws UsageError when the text isn't JSON, with a frame that marks the place, isn't an object, or has a name twice in one object
 */
export async function parseArguments(text: string, style: { readonly columns: number; readonly paint: Paint }): Promise<JsonObject> {
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const { line, column, ...told } = await jsonMistake(text, error);
    const frame = codeFrame(text, { line, column }, told, { ...style, tone: "error" });
    throw new UsageError(`The arguments are not valid JSON: line ${line}, column ${column}.\n${frame.join("\n")}`);
  }
  if (typeof value !== "object" || value === null || isList(value)) {
    const got = value === null ? "null" : isList(value) ? "a list" : `the ${typeof value} ${text.trim().slice(0, 40)}`;
    throw new UsageError(`The arguments of a call are one JSON object, got ${got}.`, `Write them like this: '{"limit": 5}'`);
  }
  if (namesWritten(text) > namesKept(value)) await refuseDuplicateNames(text, style);
  return value;
}

/** How many names of members a JSON text has: strings with a colon behind them. */
function namesWritten(text: string): number {
  let names = 0;
  for (const [, colon] of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)) if (colon !== undefined) names += 1;
  return names;
}

function namesKept(value: Json): number {
  let names = 0;
  // A list, since JSON.parse takes what nests too deep for a recursion.
  const open: Json[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== "object" || next === null) continue;
    const members = Object.values(next);
    if (!isList(next)) names += members.length;
    for (const member of members) if (member !== undefined) open.push(member);
  }
  return names;
}

/** JSON.parse keeps the last of two members with one name, so what was meant by the first would be lost in silence. */
async function refuseDuplicateNames(text: string, style: { readonly columns: number; readonly paint: Paint }): Promise<never> {
  const { parse } = await import("@humanwhocodes/momoa");
  const heading = "The arguments have a name twice in one object.";
  const open: ValueNode[] = [parse(text).body];
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.type === "Array") open.push(...node.elements.map((element) => element.value));
    if (node.type !== "Object") continue;
    const seen = new Set<string>();
    for (const { name, value } of node.members) {
      const key = name.type === "String" ? name.value : name.name;
      if (seen.has(key)) {
        const { start, end } = name.loc;
        const place = { line: start.line, column: start.column, endLine: end.line, endColumn: end.column };
        const told = { message: `${JSON.stringify(key)} stands here a second time.`, hint: "Keep one of the two: the other would be lost." };
        throw new UsageError(`${heading}\n${codeFrame(text, place, told, { ...style, tone: "error" }).join("\n")}`);
      }
      seen.add(key);
      open.push(value);
    }
  }
  throw new UsageError(heading);
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
