/** What is wrong with a text that should be JSON, and where. */
export interface JsonMistake {
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;
  readonly message: string;
  readonly hint: string | undefined;
}

/**
 * The first mistake of a text that JSON.parse refuses.
 *
 * @param error what JSON.parse threw
 * @example await jsonMistake('{"a":1,}', error) // { line: 1, column: 8, message: 'Unexpected "}"', hint: "Nothing may stand between …" }
 */
export async function jsonMistake(text: string, error: unknown): Promise<JsonMistake> {
  const found = await otherParser(text);
  const strings = readStrings(text);
  // A tab or line break in a string minds only JSON.parse, which doesn't always say where it is.
  if (strings.control !== undefined && strings.control < (found?.offset ?? Number.POSITIVE_INFINITY))
    return { ...placeOf(text, strings.control), ...controlCharacter(text, strings.control) };
  const mistake = found ?? {
    offset: offsetFromV8(error),
    message: error instanceof Error ? error.message.replace(/ in JSON at position \d+.*$/s, "") : String(error),
  };
  const { offset } = mistake;
  if (strings.unclosed !== undefined && offset > strings.unclosed) {
    const escaped = escapeMistake(text, offset);
    return { ...placeOf(text, escaped ? offset : strings.unclosed), ...(escaped ?? { message: "This string has no end", hint: 'Close it with ".' }) };
  }
  return { ...placeOf(text, offset), message: mistake.message, ...explain(text, offset) };
}

interface Words {
  readonly message: string;
  readonly hint: string | undefined;
}

const TOKENS: Readonly<Record<string, string>> = { LBrace: "{", RBrace: "}", LBracket: "[", RBracket: "]", Comma: ",", Colon: ":" };

/** JSON.parse of Node 20 doesn't say for every mistake where it is, so a second parser looks for it. */
async function otherParser(text: string): Promise<{ readonly offset: number; readonly message: string } | undefined> {
  const { parse } = await import("@humanwhocodes/momoa");
  try {
    parse(text);
  } catch (error) {
    if (error instanceof Error && "offset" in error && typeof error.offset === "number") {
      return { offset: error.offset, message: plainWords(error.message, characterAt(text, error.offset)) };
    }
  }
  return undefined;
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

function offsetFromV8(error: unknown): number {
  return Number(/at position (\d+)/.exec(error instanceof Error ? error.message : "")?.[1] ?? 0);
}

/** The whole character at a place, where a unit may be half of one. */
function characterAt(text: string, offset: number): string {
  return String.fromCodePoint(text.codePointAt(offset) ?? 0xfffd);
}

function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  return { line: before.split("\n").length, column: offset - before.lastIndexOf("\n") };
}

/** Where the first control character is that stands in a string as it is, and where a string begins that doesn't end. */
function readStrings(text: string): { readonly control: number | undefined; readonly unclosed: number | undefined } {
  let begin: number | undefined;
  let control: number | undefined;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) begin = begin === undefined ? at : undefined;
    else if (begin !== undefined && unit === BACKSLASH) at++;
    else if (begin !== undefined && unit < 0x20) control ??= at;
  }
  return { control, unclosed: begin };
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SHORT_ESCAPES: Readonly<Record<string, string>> = { "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t" };
const NAMES: Readonly<Record<string, string>> = { "\n": "A line break", "\r": "A carriage return", "\t": "A tab" };

function controlCharacter(text: string, offset: number): Words {
  const character = text[offset] ?? "";
  const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  const message = `${NAMES[character] ?? `The control character U+${code}`} may not stand in a string as it is`;
  const escaped = SHORT_ESCAPES[character] ?? `\\u${code}`;
  return { message, hint: character === "\n" || character === "\r" ? `Write ${escaped}, or end the string before it.` : `Write ${escaped} in its place.` };
}

/** A backslash with something behind it that it doesn't go with. */
function escapeMistake(text: string, offset: number): Words | undefined {
  const [, escaped] = /(\\u?[0-9a-fA-F]{0,4})$/.exec(text.slice(0, offset + 1)) ?? [];
  if (escaped === undefined) return undefined;
  const message = escaped.startsWith("\\u") ? "Behind \\u stand four hexadecimal digits" : "This is no escape";
  return { message, hint: "A backslash itself is written \\\\." };
}

/** What people write who think of another language. */
const WORDS: Readonly<Record<string, string>> = {
  True: "Write true.",
  TRUE: "Write true.",
  False: "Write false.",
  FALSE: "Write false.",
  None: "Write null, or leave the member out.",
  nil: "Write null, or leave the member out.",
  NULL: "Write null, or leave the member out.",
  undefined: "Write null, or leave the member out.",
  NaN: "JSON has no such number: write null, or leave the member out.",
  Infinity: "JSON has no such number: write null, or leave the member out.",
};
const LIKE_THIS = `Write them like this: '{"limit": 5}'`;

/** Better words for what is wrong at a place, and what to do about it. */
function explain(text: string, offset: number): Partial<Words> & { hint: string | undefined } {
  const at = characterAt(text, offset);
  const before = text.slice(0, offset).trimEnd();
  const last = before.at(-1) ?? "";
  if (text.trim() === "") return { hint: "Leave the arguments out for {}." };
  if (/^[{[]\s*$/.test(text.slice(offset))) return { message: "The text ends too early", hint: undefined };
  if (/['‘’‚“”„«»]/.test(at)) return { hint: "JSON has straight double quotes only." };
  if (/[\p{Z}\p{Cf}\v\f]/u.test(at)) return { message: `A character that isn't seen, U+${hexOf(at)}`, hint: "Write a plain blank, or none." };
  const escaped = escapeMistake(text, offset);
  if (escaped) return escaped;
  if (before === "" && at !== "/") return { hint: LIKE_THIS };
  if (at === "/" || at === "#") return { hint: "JSON has no comments." };
  if ((last === "{" || last === "," || last === "[") && /[}\]]/.test(at)) return { hint: "Nothing may stand between the last comma and the bracket." };
  if (isWhole(before)) return { hint: "The arguments end before it: they are one JSON object." };
  const [word = ""] = /^[\p{L}_$][\p{L}\p{N}_$]*/u.exec(text.slice(offset)) ?? [];
  if (last === '"' && word !== "") return { hint: 'A quote in a string is written \\".' };
  if (word in WORDS) return { hint: WORDS[word] };
  if (word !== "" && (last === "{" || (last === "," && isInObject(before)))) return { hint: "Names stand in double quotes." };
  if (word !== "") return { hint: "Texts stand in double quotes; other words are true, false and null." };
  if (/^(?:[.+]|-?0\d)/.test(text.slice(offset, offset + 3))) return { hint: "Numbers are written like 5, -5 and 0.5." };
  if (/["\d{[-]/.test(at) && /["\d}\]\p{L}]/u.test(last)) return { hint: "Before it a comma is missing, or a colon." };
  return { hint: undefined };
}

function hexOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
}

/** Whether the innermost bracket that is open at the end of a text is that of an object. */
function isInObject(text: string): boolean {
  const open: string[] = [];
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]]/gs)) {
    if (token === "{" || token === "[") open.push(token);
    else if (token === "}" || token === "]") open.pop();
  }
  return open.at(-1) === "{";
}

function isWhole(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
