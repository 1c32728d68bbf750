import type { Diagnostic, JsonPath } from "@fettle/contract";
import {
  type Alias,
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  Scalar,
  visit,
} from "yaml";
import { type FileFormat, SPEC_FORMAT, type TextCode } from "./fileFormat.js";
import type { SourceDocument, SourceRange } from "./sourceDocument.js";
import { endOfLine, wordYamlError } from "./yamlWords.js";

/** How many aliases may expand, at most. A spec has no need of any; a bomb has millions. */
const MAX_ALIASES = 100;

/** What reading YAML gives: a document when there is data to look at, and what is wrong with the text. */
export interface ParsedYaml {
  readonly document: SourceDocument | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The one YAML reader: version 1.2, core schema, no merge keys, unique keys. Every finding has its place.
 *
 * @param file - the name that diagnostics carry
 * @param text - without a byte order mark
 * @param options - `lenient`: what has a meaning in YAML and no place in a spec (`<<`, keys that are no texts, infinity) is a warning;
 * `format`: what the file should be, for codes and rules. Default a spec
 */
export function parseYaml(file: string, text: string, options: { readonly lenient?: boolean; readonly format?: FileFormat } = {}): ParsedYaml {
  const format = options.format ?? SPEC_FORMAT;
  const { parsed, lines } = read(text);
  const diagnostics: Diagnostic[] = [];
  const report: Report = (code, severity, start, end, message, hint) => {
    const place = rangeIn(text, lines, start, end);
    diagnostics.push({ code: format.code(code), severity, file, ...place, message, ...(hint !== undefined && { hint }), rule: format.yamlRule });
  };

  const broken = tellingError(parsed);
  for (const [start, end] of keysTwice(parsed)) {
    if (!broken || start < broken.pos[0]) report("duplicate-key", "error", start, end, "This key stands here twice", "Keep one of the two.");
  }
  if (broken) {
    const { message, hint, start, end } = wordYamlError(broken, parsed, text);
    report("bad-yaml", "error", start, end, message, hint);
  }
  const yamlVersion = /^%YAML[ \t]+(\S+).*$/m.exec(text);
  if (yamlVersion?.[1] && yamlVersion[1] !== "1.2") {
    report(
      "bad-yaml",
      "error",
      yamlVersion.index,
      yamlVersion.index + yamlVersion[0].length,
      `YAML ${yamlVersion[1]} is not read here: it turns NO into false and dates into objects`,
      "Take the directive out; YAML 1.2 is read.",
    );
  }
  for (const warning of parsed.warnings) {
    const [start, end] = warning.pos;
    const worded = wordYamlError(warning, parsed, text);
    if (warning.code === "TAG_RESOLVE_FAILED")
      report(
        "bad-yaml",
        "error",
        start,
        end,
        `${text.slice(start, end)} is a tag, and tags mean nothing here`,
        "Take it out, or put a text that begins with ! in quotes.",
      );
    else if (warning.code !== "BAD_DIRECTIVE") report("bad-yaml", "warning", worded.start, worded.end, worded.message, worded.hint);
  }
  if (diagnostics.some(({ severity }) => severity === "error")) return { document: undefined, diagnostics };

  const mild: Report = (code, severity, ...rest) => report(code, severity === "error" ? "warning" : severity, ...rest);
  findTraps(parsed, text, options.lenient ? mild : report);
  if (diagnostics.some(({ severity }) => severity === "error")) return { document: undefined, diagnostics };
  let data: unknown;
  try {
    data = parsed.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (error) {
    const bomb = error instanceof ReferenceError && /alias count/i.test(error.message);
    const alias = bomb ? findAlias(parsed, () => true) : findAlias(parsed, ({ source }) => error instanceof Error && error.message.endsWith(`: ${source}`));
    const [start, end] = alias?.range ?? [0, 1];
    report(
      "bad-yaml",
      "error",
      start,
      end,
      bomb ? "The aliases of this file expand to too much data" : `There is no anchor for the alias ${text.slice(start, end).trimEnd()}`,
      bomb ? "Write the values out: no alias is needed here." : "Write the value out, or put a text that begins with * in quotes.",
    );
    return { document: undefined, diagnostics };
  }

  return { document: documentOf(file, text, data), diagnostics };
}

/**
 * A document whose data is known already.
 *
 * The nodes of a text take some twenty times its room, and hardly any file of a large server has anything to report: they are read again for that.
 */
export function documentOf(file: string, text: string, data: unknown): SourceDocument {
  let again: ReturnType<typeof read> | undefined;
  const nodes = (): ReturnType<typeof read> => {
    again ??= read(text);
    return again;
  };
  return {
    file,
    text,
    data,
    locate: (path, at) => {
      const { parsed, lines } = nodes();
      return rangeIn(text, lines, ...placeOf(parsed, path, at));
    },
    written: (path) => {
      const node = nodeAt(nodes().parsed, path);
      return isScalar(node) ? node.source : undefined;
    },
  };
}

function read(text: string): { readonly parsed: Document; readonly lines: LineCounter } {
  const lines = new LineCounter();
  const parsed = parseDocument(text, {
    version: "1.2",
    schema: "core",
    merge: false,
    uniqueKeys: false, // the library compares each key with each: see keysTwice
    strict: true,
    prettyErrors: false,
    logLevel: "error", // nothing is logged by parseDocument; "silent" would drop the error about a second document
    lineCounter: lines,
  });
  return { parsed, lines };
}

/** The error worth telling: the first break of the syntax. What comes after a break is its echo, and a tab is the cause of its neighbours. */
function tellingError({ errors }: Document): Document["errors"][number] | undefined {
  return errors.find(({ code }) => code === "TAB_AS_INDENT") ?? errors[0];
}

/** Where keys stand that their mapping has already. Keys are one where they are one in an object: `1` and `"1"`. */
function keysTwice(parsed: Document): readonly (readonly [number, number])[] {
  const twice: (readonly [number, number])[] = [];
  for (const { node } of nodesOf(parsed.contents)) {
    if (!isMap(node)) continue;
    const seen = new Set<string>();
    for (const { key } of node.items) {
      if (!isScalar(key)) continue;
      const name = String(key.value ?? "");
      if (seen.has(name) && key.range) twice.push([key.range[0], key.range[1]]);
      seen.add(name);
    }
  }
  return twice;
}

type Report = (code: TextCode, severity: Diagnostic["severity"], start: number, end: number, message: string, hint?: string) => void;

/** What YAML reads without a word, and hardly anybody means. */
function findTraps(parsed: Document, text: string, report: Report): void {
  for (const { node, role } of nodesOf(parsed.contents)) {
    const { range } = node;
    if (!range) continue;
    if (role === "key") {
      if (isScalar(node) && node.value === "<<")
        report("bad-yaml", "error", range[0], range[1], "<< merges nothing in YAML 1.2: it is a key like any other", "Write the keys out.");
      if (!isScalar(node)) report("bad-yaml", "error", range[0], range[1], "A key must be a text", 'Put it in quotes if braces belong to the text: "{name}".');
    }
    if (isScalar(node)) {
      if (typeof node.value === "number" && !Number.isFinite(node.value)) {
        report(
          "bad-yaml",
          "error",
          range[0],
          range[1],
          `${node.source ?? node.value} is no finite number, so JSON can't carry it`,
          "Write a number, or put it in quotes to make it a text.",
        );
      } else if (typeof node.value === "number" && Number.isInteger(node.value) && !Number.isSafeInteger(node.value) && /^[-+]?\d+$/.test(node.source ?? "")) {
        report(
          "bad-yaml",
          "warning",
          range[0],
          range[1],
          `${node.source} is read as ${node.value}: it has more digits than a number keeps`,
          "Put it in quotes to keep every digit.",
        );
      }
      // `text #12` ends at the blank: the rest is a comment. `text # remark` is how comments are meant to look.
      if (role === "value" && node.type === Scalar.PLAIN && typeof node.value === "string" && /^[ \t]+#[^\s#]/.test(text.slice(range[1], range[1] + 40))) {
        const hash = text.indexOf("#", range[1]);
        report(
          "text-cut",
          "warning",
          hash,
          endOfLine(text, hash),
          "The text ends before this #: the rest of the line is a comment",
          "Put the whole text in quotes, or leave a blank after # if it is a comment.",
        );
      }
    }
  }
}

interface PlacedNode {
  readonly node: Node;
  readonly role: "key" | "value" | undefined;
}

/** All nodes in the order of the text, parents first. The library's `visit` writes down the way to each, which takes a fifth of the time that parsing does. */
function nodesOf(root: unknown): readonly PlacedNode[] {
  const nodes: PlacedNode[] = [];
  const add = (node: unknown, role: PlacedNode["role"]): void => {
    if (isPair(node)) {
      add(node.key, "key");
      add(node.value, "value");
    } else if (isNode(node)) {
      nodes.push({ node, role });
      if (isCollection(node)) for (const item of node.items) add(item, undefined);
    }
  };
  add(root, undefined);
  return nodes;
}

/** The last alias of a kind. */
function findAlias(parsed: Document, wanted: (alias: Alias) => boolean): Alias | undefined {
  let last: Alias | undefined;
  visit(parsed, {
    Alias(_, node) {
      if (wanted(node)) last = node;
    },
  });
  return last;
}

/** Follows a path; aliases are followed to what they stand for. */
function nodeAt(parsed: Document, path: JsonPath): Node | null | undefined {
  let node: unknown = parsed.contents;
  for (const step of path) {
    node = childOf(parsed, node, step)?.value;
    if (node === undefined) return undefined;
  }
  return isNode(node) ? (isAlias(node) ? node.resolve(parsed) : node) : undefined;
}

function childOf(parsed: Document, node: unknown, step: string | number): { readonly pair?: Pair; readonly value: unknown } | undefined {
  const target = isAlias(node) ? node.resolve(parsed) : node;
  if (isMap(target)) {
    const pair = target.items.find((item) => isScalar(item.key) && String(item.key.value) === String(step));
    return pair && { pair, value: pair.value };
  }
  if (isSeq(target)) {
    const item: unknown = target.items[Number(step)];
    return item === undefined ? undefined : isPair(item) ? { pair: item, value: item.value } : { value: item };
  }
  return undefined;
}

/** Offsets of the key or value at a path, by the rules of `SourceDocument.locate`. */
function placeOf(parsed: Document, path: JsonPath, at: "key" | "value"): readonly [number, number] {
  let node: unknown = parsed.contents;
  let owner: readonly [number, number] = startOf(node) ?? [0, 1];
  for (const step of path) {
    const child = childOf(parsed, node, step);
    if (!child) return owner;
    const keyRange = isNode(child.pair?.key) ? child.pair.key.range : undefined;
    owner = keyRange ? [keyRange[0], keyRange[1]] : (startOf(child.value) ?? owner);
    node = child.value;
  }
  if (at === "key" || !isNode(node) || !node.range || (isCollection(node) && !node.flow)) return owner;
  return node.range[1] > node.range[0] ? [node.range[0], node.range[1]] : owner;
}

/** The first thing of a node that can be pointed at: the first key of a block, else the node. */
function startOf(node: unknown): readonly [number, number] | undefined {
  if (isMap(node) && !node.flow) {
    const first = node.items[0]?.key;
    return isNode(first) && first.range ? [first.range[0], first.range[1]] : undefined;
  }
  if (isSeq(node) && !node.flow) return startOf(node.items[0]);
  return isNode(node) && node.range ? [node.range[0], node.range[1]] : undefined;
}

/** The first line of a stretch of a text, one character at the least. */
function rangeIn(text: string, lines: LineCounter, start: number, end: number): SourceRange {
  const from = lines.linePos(Math.min(start, text.length));
  const line = Math.max(from.line, 1);
  const column = Math.max(from.col, 1);
  const stop = Math.max(Math.min(end, endOfLine(text, start)), start + 1);
  return { line, column, endLine: line, endColumn: column + (stop - start) };
}
