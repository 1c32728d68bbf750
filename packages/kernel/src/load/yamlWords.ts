import { type Document, isCollection, isScalar, type Node, visit } from "yaml";

/** A break of the syntax as an author should read it. Offsets are those of the text. */
export interface WordedBreak {
  readonly message: string;
  readonly hint?: string;
  readonly start: number;
  readonly end: number;
}

type YamlError = Pick<Document["errors"][number], "code" | "message" | "pos">;

const QUOTES = "Put the whole text in quotes.";
const MARKS: Readonly<Record<string, string>> = { "*": "an alias", "&": "an anchor", "!": "a tag" };

/**
 * Says in plain words what the YAML library says in those of YAML's specification, and marks where the cause is.
 * What isn't known here keeps the library's words.
 */
export function wordYamlError({ code, message, pos }: YamlError, parsed: Document, text: string): WordedBreak {
  const [start, end] = pos;
  const char = text[start] ?? "";
  const say = (words: string, hint?: string, from = start, to = end): WordedBreak => ({
    message: words,
    ...(hint !== undefined && { hint }),
    start: from,
    end: to,
  });
  switch (code) {
    case "TAB_AS_INDENT":
      return say("A tab can't indent YAML", "Indent with spaces.");
    case "MULTIPLE_DOCS":
      return say("A second document starts here", "Keep one document in a file: take the --- out, or move the rest to a file of its own.");
    case "BLOCK_AS_IMPLICIT_KEY":
      return keyInValue(message, start, text, say);
    case "MULTILINE_IMPLICIT_KEY":
      return char === "-" ? say(...LIST_UNDER_VALUE) : noColon(start, text, say);
    case "BAD_SCALAR_START":
      return say(`A text can't begin with ${char}`, `${QUOTES} In YAML this character means something else.`);
    case "BAD_DQ_ESCAPE":
      return say(
        `${text.slice(start, start + 2)} means nothing in double quotes`,
        "Write \\\\ for a backslash, or put the text in single quotes.",
        start,
        start + 2,
      );
    case "BAD_INDENT":
      return badIndent(message, pos, parsed, text, say);
    case "MISSING_CHAR":
      return missing(message, pos, parsed, text, say);
    case "UNEXPECTED_TOKEN":
      return unexpected(message, pos, text, say);
    case "BLOCK_IN_FLOW":
      return char === "-"
        ? say('Inside of [ ] and { } no item begins with "- "', "Separate items by commas, as in [a, b], or leave the brackets out.")
        : say("There is no comma between two keys here", "Separate them by a comma, as in {a: 1, b: 2}, or put the value in quotes if all of it is one text.");
    case "KEY_OVER_1024_CHARS":
      return say("A key has more than 1,024 characters", 'If it is a text with ": " in it, put it in quotes.');
    case "ALIAS_PROPS":
    case "BAD_ALIAS":
    case "BAD_PROP_ORDER":
    case "MULTIPLE_ANCHORS":
    case "MULTIPLE_TAGS":
      if (char === ":") return say("This colon belongs to the name of the alias or anchor", "Put a blank before it, or the text in quotes.");
      return say(`${char} begins ${MARKS[char] ?? "an alias, an anchor or a tag"} here`, `Take it out, or put the text in quotes if it belongs to the text.`);
    case "RESOURCE_EXHAUSTION":
      return say("This is nested too deeply", "Take levels out.");
    default:
      return say(message);
  }
}

type Say = (words: string, hint?: string, from?: number, to?: number) => WordedBreak;

const LIST_UNDER_VALUE = ["A list item can't stand here: the key above has a value already", "Take that value out, or put the - in quotes."] as const;

/** A second `: ` on a line, or keys below a key that has a value. */
function keyInValue(message: string, start: number, text: string, say: Say): WordedBreak {
  if (message.startsWith("A block sequence")) return say("A list can't be a key", "Give the list a key: `items:` on the line above.");
  const end = endOfLine(text, start);
  const value = text.slice(start, end);
  if (value.startsWith("? ")) return say('A text that begins with "? " needs quotes', QUOTES, start, end);
  if (/^["']/.test(value)) return say("The text goes on after its quotes", "Put the whole text in one pair of quotes.", start, end);
  if (/:(\s|$)/.test(value)) {
    const quoted = value.length <= 60 && !/["\\]/.test(value) ? `: "${value.trimEnd()}"` : "";
    return say('A text with ": " in it needs quotes', quoted ? `Put it in quotes${quoted}` : QUOTES, start, end);
  }
  return say("This key has a value already, so no keys can be indented below it", "Indent the next line like this one, or take the value out.", start, end);
}

/** A line that should be a key and has no `: `. */
function noColon(start: number, text: string, say: Say): WordedBreak {
  const end = endOfLine(text, start);
  const glued = /^([\w-]+):(\S.*)$/.exec(text.slice(start, end));
  return say(
    "This line is no key with a value",
    glued
      ? `Leave a blank after the colon: ${glued[1]}: ${glued[2]}`
      : "Write it as `key: value`. If it belongs to the text above it, indent it further than that text's key.",
    start,
    end,
  );
}

function badIndent(message: string, [start]: YamlError["pos"], parsed: Document, text: string, say: Say): WordedBreak {
  if (/Flow end indicator/.test(message)) return say(`The closing ${text[start]} is indented too little`, "Indent it further than its key.");
  if (/^Flow/.test(message)) {
    const lineStart = text.lastIndexOf("\n", start - 1) + 1;
    const tab = /^ *\t/.exec(text.slice(lineStart, start));
    if (tab) return say("A tab can't indent YAML", "Indent with spaces.", lineStart + tab[0].length - 1, lineStart + tab[0].length);
    return unclosed(parsed, text, start, say) ?? say(message);
  }
  if (/^Block scalar/.test(message)) return say("The text after | or > is not indented", "Indent its lines further than its key, with spaces.");
  const beside = message.includes("sequence") ? "items" : "keys";
  const line = indentedPart(text, start);
  return say(`This line is indented unlike the ${beside} beside it`, `Give all ${beside} of one block the same number of spaces.`, ...line);
}

function missing(message: string, pos: YamlError["pos"], parsed: Document, text: string, say: Say): WordedBreak {
  const [start, end] = pos;
  if (message.startsWith("Missing closing")) {
    const opened = openQuote(parsed, start);
    const quote = message.includes('"') ? '"' : "'";
    const inside = quote === '"' ? '\\"' : "''";
    return say(
      `The text that begins with ${quote} has no closing ${quote}`,
      `Add it where the text ends. Inside of the text a ${quote} is written ${inside}`,
      opened ?? start,
      opened === undefined ? end : endOfLine(text, opened),
    );
  }
  if (message.startsWith("Implicit map keys")) return noColon(start, text, say);
  if (message.startsWith("Block scalars with"))
    return say("This text begins with a blank line that is indented further than the rest", "Take the blanks out of that line.");
  if (message.startsWith("Comments")) return say("There is no blank before this #", "Put one there if a comment begins, else put the whole text in quotes.");
  if (message.startsWith("Missing space after")) return say("There is no blank after this colon", "Put one there.");
  if (message.startsWith("Missing , or :"))
    return say("There is no comma and no colon before this", "Separate items by commas, and a key from its value by a colon.");
  if (message.startsWith("Missing ,")) return say("There is no comma before this", "Separate items by commas.");
  if (message.startsWith("Sequence item")) return say("This list item has no - before it", 'Begin each item of the list with "- ".');
  if (message.startsWith("Block collection cannot start")) return say("Nothing can follow --- on its line", "Take the --- out, or begin on the line below it.");
  if (message.startsWith("Missing directives-end"))
    return say("The file begins with a directive (%) and no --- follows", "Take the line that begins with % out.");
  const isFlow = /Flow (map|sequence)/.test(message);
  return (isFlow ? unclosed(parsed, text, start, say) : undefined) ?? say(message);
}

function unexpected(message: string, [start, end]: YamlError["pos"], text: string, say: Say): WordedBreak {
  const char = text[start] ?? "";
  if (char === "]" || char === "}")
    return say(`This ${char} closes nothing`, `Take it out. If it belongs to a text, put the whole text in quotes.`, start, start + 1);
  if (char === ",") return say("There is nothing before this comma", "Take it out.");
  if (char === "-" && message.includes("block-seq-ind"))
    return say(
      "A list begins on the line below its key",
      'Put this item on a line of its own, or the whole text in quotes if the "- " belongs to it.',
      start,
      endOfLine(text, start),
    );
  if (message.startsWith("Block scalar header") || message.startsWith("Not a YAML token"))
    return say("Nothing but a comment can follow | or > on its line", "Begin the text on the line below.", start, endOfLine(text, start));
  const before = text.slice(Math.max(text.lastIndexOf("\n", start - 1) + 1, start - 500), start);
  const marked = /(?<=^|[:\-,[{]\s+)([*&!])\S*\s+$/.exec(before);
  const mark = marked?.[1];
  if (marked && mark) return say(`A text can't begin with ${mark}, which begins ${MARKS[mark]}`, QUOTES, start - before.length + marked.index, end);
  if (/["']\s*$/.test(before)) {
    const single = /'\s*$/.test(before);
    return say(
      "The text in quotes ends before this",
      single
        ? "Put all of it in one pair of quotes. Inside of single quotes a ' is written twice: 'it''s'"
        : 'Put all of it in one pair of quotes. Inside of double quotes a " is written \\"',
    );
  }
  return say("The value before this has ended, so nothing more can stand here", "Put the whole value in quotes, or begin a key on a line of its own.");
}

/** The bracket that was opened last before a place and not closed. */
function unclosed(parsed: Document, text: string, before: number, say: Say): WordedBreak | undefined {
  let opener: number | undefined;
  visit(parsed, {
    Node(_, node: Node) {
      if (!isCollection(node) || !node.flow || !node.range || node.range[0] >= before) return;
      const close = CLOSING[text[node.range[0]] ?? ""];
      if (close === undefined) return; // `[a: 1]` holds a mapping without brackets
      if (text[node.range[1] - 1] !== close || node.range[1] - 1 === node.range[0]) opener = node.range[0];
    },
  });
  if (opener === undefined) return undefined;
  const open = text[opener] ?? "";
  const close = CLOSING[open] ?? "";
  return say(`This ${open} is not closed`, `Add the ${close}. The lines up to it are indented further than the key of the ${open}.`, opener, opener + 1);
}

const CLOSING: Readonly<Record<string, string>> = { "[": "]", "{": "}" };

/** Where the text in quotes begins that goes on until an offset. */
function openQuote(parsed: Document, until: number): number | undefined {
  let opened: number | undefined;
  visit(parsed, {
    Scalar(_, node) {
      if (isScalar(node) && node.range && /^QUOTE/.test(node.type ?? "") && node.range[0] < until && node.range[1] >= until - 1) opened = node.range[0];
    },
  });
  return opened;
}

/** What stands on a line after its blanks: errors of indentation point at a blank. */
function indentedPart(text: string, at: number): [number, number] {
  const lineStart = text.lastIndexOf("\n", at - 1) + 1;
  const from = lineStart + (/^[ \t]*/.exec(text.slice(lineStart, lineStart + 1000))?.[0].length ?? 0);
  return [from, endOfLine(text, from)];
}

/** The end of a line, without its break. */
export function endOfLine(text: string, from: number): number {
  const newline = text.indexOf("\n", from);
  const end = newline < 0 ? text.length : newline;
  return text[end - 1] === "\r" && end > from ? end - 1 : end;
}
