import type { Json, JsonObject } from "@fettle/contract";
import type { ValueNode } from "@humanwhocodes/momoa";
import { codeFrame } from "./format/codeFrame.js";
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
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new UsageError("The arguments on stdin are not UTF-8 text.", "Send them as JSON in UTF-8.");
  }
}

/**
 * Parses the arguments of a call.
 *
 * @throws UsageError when the text isn't JSON, with a frame that marks the place, isn't an object, or has a name twice in one object
 */
export async function parseArguments(text: string, style: { readonly columns: number; readonly paint: Paint }): Promise<JsonObject> {
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`The arguments are not valid JSON.\n${(await markMistake(text, error, style)).join("\n")}`);
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

interface Mistake {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

async function markMistake(text: string, error: unknown, style: { readonly columns: number; readonly paint: Paint }): Promise<string[]> {
  const place = (await placeOfMistake(text)) ?? placeFromV8(text, error);
  const hint = hintFor(text, offsetOf(text, place));
  return codeFrame(text, place, { message: place.message, hint }, { ...style, tone: "error" });
}

// JSON.parse of Node 20 doesn't say for every mistake where it is, so a second parser looks for it.
async function placeOfMistake(text: string): Promise<Mistake | undefined> {
  const { parse } = await import("@humanwhocodes/momoa");
  try {
    parse(text);
  } catch (error) {
    if (error instanceof Error && "line" in error && "column" in error && typeof error.line === "number" && typeof error.column === "number") {
      return { line: error.line, column: error.column, message: plainWords(error.message, characterAt(text, error)) };
    }
  }
  return undefined;
}

const TOKENS: Readonly<Record<string, string>> = { LBrace: "{", RBrace: "}", LBracket: "[", RBracket: "]", Comma: ",", Colon: ":" };

/** The whole character where momoa, which counts UTF-16 units, names half of one. */
function characterAt(text: string, error: Error): string {
  const offset = "offset" in error && typeof error.offset === "number" ? error.offset : 0;
  return String.fromCodePoint(text.codePointAt(offset) ?? 0xfffd);
}

function plainWords(message: string, character: string): string {
  return message
    .replace(/ \(\d+:\d+\)$/, "")
    .replace(/ found\.?$/, "")
    .replace(/^Unexpected token (\w+)$/, (_, token: string) => `Unexpected ${TOKENS[token] ? `"${TOKENS[token]}"` : token.toLowerCase()}`)
    .replace(/^Unexpected (character|identifier) '(.*)'$/su, (_, kind: string, what: string) =>
      kind === "character" ? `Unexpected "${character}"` : `Unexpected word "${what}"`,
    )
    .replace(/^Unexpected end of input$/, "The text ends too early");
}

/** Some mistakes only JSON.parse minds, such as a line break in a string; those it gives a position. */
function placeFromV8(text: string, error: unknown): Mistake {
  const message = error instanceof Error ? error.message : String(error);
  const offset = Number(/at position (\d+)/.exec(message)?.[1] ?? 0);
  const before = text.slice(0, offset);
  return { line: before.split("\n").length, column: offset - before.lastIndexOf("\n"), message: message.replace(/ in JSON at position \d+.*$/s, "") };
}

function offsetOf(text: string, { line, column }: Mistake): number {
  const lines = text.split("\n");
  return lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0) + column - 1;
}

function hintFor(text: string, offset: number): string | undefined {
  const at = text[offset] ?? "";
  const before = text.slice(0, offset).trimEnd().at(-1) ?? "";
  if (at === "'") return "JSON has double quotes only.";
  if ((before === "{" || before === ",") && (at === "}" || at === "]")) return "Nothing may stand between the last comma and the bracket.";
  if ((before === "{" || before === ",") && /[\p{L}_$]/u.test(at)) return "Names stand in double quotes.";
  if (text.trim() === "") return "Leave the arguments out for {}.";
  return undefined;
}
