import { type Path, Reader, type Values } from "./reader.js";

/** What a message says that is wrong, one for each line. Of what the grammar leaves to the caller only the rule is known. */
export type Complaint =
  | { readonly kind: "unknown"; readonly path: Path; readonly suggestion?: string; readonly allowed?: Names; readonly patterns?: string }
  | { readonly kind: "more-unknown"; readonly paths: readonly Path[] }
  | { readonly kind: "missing"; readonly path: Path; readonly wanted: string; readonly stray?: string; readonly meant?: string }
  | { readonly kind: "type"; readonly path: Path; readonly expected: string; readonly hint: string }
  | { readonly kind: "rule"; readonly path: Path; readonly rule: string; readonly hint: string; readonly isName: boolean }
  | { readonly kind: "not-allowed"; readonly path: Path }
  | { readonly kind: "requires"; readonly path: Path; readonly wanted: string };

/** Names in a row; `all` is false where there are more than are shown. */
export interface Names {
  readonly names: readonly string[];
  readonly all: boolean;
}

/** The problems that a message tells of, by the grammar in docs/validation.md. Lines that can't be read are left out. */
export function readMessage(text: string): readonly Complaint[] {
  return text
    .split("\n")
    .filter((line) => line.startsWith("- "))
    .map((line) => readLine(line.slice(2)))
    .filter((complaint) => complaint !== undefined);
}

function readLine(line: string): Complaint | undefined {
  const more = /^\d+ more unknown arguments: /.exec(line);
  if (more) return readMoreUnknown(new Reader(line, more[0].length));
  if (line.startsWith("unknown argument ")) return readUnknown(new Reader(line, "unknown argument ".length));
  if (line.startsWith("missing ")) {
    const missing = readMissing(new Reader(line, "missing ".length));
    if (missing !== undefined) return missing;
  }
  const isName = line.startsWith("argument name ");
  const reader = new Reader(line, isName ? "argument name ".length : 0);
  const path = reader.path();
  if (path === undefined) return undefined;
  if (reader.take(": expected ")) return readType(path, reader.rest());
  if (reader.take(" must ")) return { kind: "rule", path, ...readRule(reader.rest()), isName };
  if (reader.take(" is not allowed here, got ")) return { kind: "not-allowed", path };
  if (reader.take(" requires ")) {
    const needed = reader.path();
    return needed !== undefined && reader.take(" to be set") ? { kind: "requires", path: needed, wanted: reader.rest() } : undefined;
  }
  return undefined;
}

function readMoreUnknown(reader: Reader): Complaint {
  const paths: Path[] = [];
  do {
    const path = reader.path();
    if (path === undefined) break;
    paths.push(path);
  } while (reader.take(", "));
  return { kind: "more-unknown", paths };
}

function readUnknown(reader: Reader): Complaint | undefined {
  const path = reader.path();
  if (path === undefined) return undefined;
  const suggestion = reader.take(". Did you mean ") ? reader.name() : undefined;
  reader.take(suggestion === undefined ? "." : "?");
  const allowed = reader.take(" Allowed here: ") ? reader.names() : reader.take(" No arguments are allowed here") ? { names: [], all: true } : undefined;
  const patterns = reader.take(" Keys here must match pattern ") ? reader.rest() : undefined;
  return { kind: "unknown", path, ...(suggestion !== undefined && { suggestion }), ...(allowed && { allowed }), ...(patterns !== undefined && { patterns }) };
}

function readMissing(reader: Reader): Complaint | undefined {
  const path = reader.path();
  if (path === undefined || !reader.take(": required")) return undefined;
  const wanted = reader.rest();
  const { stray, meant, at } = readStray(wanted);
  return { kind: "missing", path, wanted: wanted.slice(0, at), ...(stray !== undefined && meant !== undefined && { stray, meant }) };
}

/** The end of a line about a missing key: the key that was sent in its place. A default may hold the same words, so all of it has to be there. */
function readStray(wanted: string): { readonly stray?: string | undefined; readonly meant?: string | undefined; readonly at: number } {
  for (const { index, 0: words } of wanted.matchAll(/\. You sent /gu)) {
    const tail = new Reader(wanted, index + words.length);
    const stray = tail.name();
    const meant = tail.take(": did you mean ") ? tail.name() : undefined;
    if (tail.rest() === "?") return { stray, meant, at: index };
  }
  return { at: wanted.length };
}

function readType(path: Path, text: string): Complaint {
  const { before, hint } = splitGot(text);
  return { kind: "type", path, expected: before, hint };
}

function readRule(text: string): { readonly rule: string; readonly hint: string } {
  const { before, hint } = splitGot(text);
  return { rule: before, hint };
}

/** The end of a line from what came on: texts, values and what surrounds them. The first place is right where a line reads well from there. */
const GOT = /, got (?:\d+: )?(?:(?:string|number|boolean|array|object) )?/gu;
const REASON = / \(because .*\)$/u;

/** A rule or type, and the hint after what came. A pattern or value may hold `, got ` itself, so it is looked for what reads as a value after it. */
function splitGot(text: string): { readonly before: string; readonly hint: string } {
  const said = text.replace(REASON, "");
  for (const got of said.matchAll(GOT)) {
    const reader = new Reader(said, got.index + got[0].length);
    reader.shown();
    const hint = reader.rest();
    if (hint === "") return { before: said.slice(0, got.index), hint };
    if (hint.startsWith(". ")) return { before: said.slice(0, got.index), hint: hint.slice(2) };
  }
  return { before: said, hint: "" };
}

/** What `wanted` says there must be: its only value, else its default. Undefined where only the caller can know. */
export function valueWanted(wanted: string): { readonly value: unknown } | undefined {
  const what = new Reader(wanted, wanted.startsWith(", ") ? 2 : 0);
  const only = onlyValue(what);
  if (only !== undefined) return only;
  for (const { index, 0: words } of wanted.matchAll(/\. The default is /gu)) {
    const tail = new Reader(wanted, index + words.length);
    const value = tail.value();
    if (tail.rest() === "") return value;
  }
  return undefined;
}

/** The value in what fits, where there is only one. */
export function onlyValue(reader: Reader): { readonly value: unknown } | undefined {
  const listed = reader.take("one of ") ? reader.values() : undefined;
  if (listed !== undefined) return listed.all && listed.values.length === 1 ? { value: listed.values[0] } : undefined;
  return reader.value();
}

/** The values of `one of [...]` in a rule or type. */
export function valuesIn(text: string): Values | undefined {
  const at = text.search(/\bone of \[/u);
  return at < 0 ? undefined : new Reader(text, at + "one of ".length).values();
}
