import type { Diagnostic } from "@fettle/contract";
import type { Files } from "../platform.js";
import { type FileFormat, SPEC_FORMAT, type TextCode } from "./fileFormat.js";
import { type ParsedYaml, parseYaml } from "./parseYaml.js";
import { basename, dirname } from "./paths.js";

/** Largest spec or config in bytes. */
export const MAX_FILE_BYTES: number = 1024 * 1024;

/** A document when the file could be read as YAML, and the text for code frames when there is one. */
type ReadFile = ParsedYaml & { readonly text: string | undefined };

/** The text of a file; what is wrong with it where there is none that can be parsed. */
export type ReadText = { readonly text: string; readonly refused?: never } | { readonly text?: never; readonly refused: ReadFile };

/**
 * Reads one YAML file. Whatever is wrong with it becomes a diagnostic: nothing is thrown.
 *
 * @param format - what the file should be, for codes, rules and hints. Default a spec
 */
export async function readSpecFile(files: Files, file: string, format: FileFormat = SPEC_FORMAT): Promise<ReadFile> {
  const { text, refused } = await readText(files, file, format);
  return refused ?? parseText(file, text, format);
}

/** The first half of {@link readSpecFile}: the text as it stands in the file. */
export async function readText(files: Files, file: string, format: FileFormat = SPEC_FORMAT): Promise<ReadText> {
  const refuse = (...why: Refusal): ReadText => ({ refused: { document: undefined, diagnostics: [refusal(file, format, ...why)], text: undefined } });
  const tooLarge = (size: number): ReadText => refuse("too-large", `The file has ${size} bytes, at most ${MAX_FILE_BYTES} are read`, format.shorten);

  let bytes: Uint8Array;
  try {
    bytes = await files.read(file, MAX_FILE_BYTES);
    // A huge file isn't worth reading to the end.
    if (bytes.length > MAX_FILE_BYTES) return tooLarge((await files.size(file)) ?? bytes.length);
  } catch (error) {
    return refuse(...(await whyUnreadable(files, file, codeOf(error), format)));
  }
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) return refuse("not-text", "This is UTF-16", "Save it as UTF-8.");
  if (bytes.includes(0)) return refuse("not-text", "This is no text: it holds a zero byte", "Save it as UTF-8 text.");

  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes); // takes a byte order mark off
  } catch {
    const { byte, ...place } = firstBadByte(bytes);
    const shown = `0x${byte.toString(16).toUpperCase()}`;
    const diagnostic = refusal(file, format, "not-text", `This is no UTF-8 text: the byte ${shown} can't stand here`, "Save the file as UTF-8.", place);
    // The text is for the code frame; the bad byte is shown as a question mark.
    return { refused: { document: undefined, diagnostics: [diagnostic], text: new TextDecoder().decode(bytes) } };
  }
  return { text };
}

/** The second half of {@link readSpecFile}: what a text says. */
export function parseText(file: string, text: string, format: FileFormat = SPEC_FORMAT): ReadFile {
  const parsed = parseYaml(file, text, { format });
  if (!parsed.document) return { ...parsed, text };
  const { data } = parsed.document;
  if (typeof data === "object" && data !== null && !Array.isArray(data)) return { ...parsed, text };
  if (data === null && format.emptyIsFine) return { ...parsed, document: { ...parsed.document, data: {} }, text };
  if (data === null)
    return {
      document: undefined,
      diagnostics: [
        refusal(file, format, "empty-file", `The file ${text.trim() === "" ? "is empty" : "holds comments only"}`, "Write it, or delete the file."),
      ],
      text,
    };
  const what = Array.isArray(data) ? "a list" : "a single value";
  const place = parsed.document.locate([], "value");
  const diagnostic = refusal(file, format, "wrong-type", `The file is ${what}, and must hold keys and values`, format.start, place);
  return { document: undefined, diagnostics: [...parsed.diagnostics, diagnostic], text };
}

type Refusal = [code: TextCode, message: string, hint: string, place?: { readonly line: number; readonly column: number }];

function refusal(file: string, format: FileFormat, ...[code, message, hint, place = { line: 1, column: 1 }]: Refusal): Diagnostic {
  return { code: format.code(code), severity: "error", file, ...place, message, hint, rule: format.fileRule };
}

/** What a Node error of reading a file means, and what to do about it. */
async function whyUnreadable(files: Files, file: string, code: string | undefined, format: FileFormat): Promise<[TextCode, string, string]> {
  const error = inBrackets(code);
  switch (code) {
    case "ENOENT": {
      const listed = await files.list(dirname(file)).catch(() => []);
      return listed.some(({ name }) => name === basename(file))
        ? ["unreadable", `This is a link that leads nowhere${error}`, "Mend the link, or delete it."]
        : ["file-missing", `There is no such file${error}`, "Mend the path, or write the file."];
    }
    case "ENOTDIR":
      return ["file-missing", `There is no such file${error}`, "Mend the path: a part of it is a file and not a folder."];
    case "EISDIR":
      return ["unreadable", `This is a folder and no file${error}`, format.noFile];
    case "EFTYPE":
      return ["unreadable", `This is a pipe, a socket or a device, and no file${error}`, format.noFile];
    case "ELOOP":
      return ["unreadable", `This is a link that leads back to itself${error}`, "Mend the link, or delete it."];
    default:
      return ["unreadable", `The file can't be read${error}`, "See that this user may read it."];
  }
}

/** Where the first byte stands that isn't UTF-8. Lines and columns count from 1, columns in UTF-16 code units. */
function firstBadByte(bytes: Uint8Array): { readonly byte: number; readonly line: number; readonly column: number } {
  let line = 1;
  for (let start = 0; start < bytes.length; line++) {
    // A newline is never part of another character, so each line can be looked at by itself.
    const newline = bytes.indexOf(0x0a, start);
    const part = bytes.subarray(start, newline < 0 ? bytes.length : newline + 1);
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    let good = "";
    try {
      for (let i = 0; i < part.length; i++) good += decoder.decode(part.subarray(i, i + 1), { stream: true });
      decoder.decode();
    } catch {
      const byte = part[new TextEncoder().encode(good).length] ?? 0;
      return { byte, line, column: good.replace(/^\uFEFF/, "").length + 1 };
    }
    start += part.length;
  }
  return { byte: 0, line: 1, column: 1 };
}

/** The code of a Node error, such as ENOENT: messages of the system aren't needed. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** ` (ENOENT)`, or nothing. */
export function inBrackets(code: string | undefined): string {
  return code === undefined ? "" : ` (${code})`;
}
