import type { Diagnostic } from "@fettle/contract";
import type { Files } from "../platform.js";
import { type ParsedYaml, parseYaml } from "./parseYaml.js";
import { specCodes } from "./specCodes.js";

/** Largest spec or config in bytes. */
export const MAX_FILE_BYTES: number = 1024 * 1024;

/**
 * Reads one YAML file. Whatever is wrong with it becomes a diagnostic: nothing is thrown.
 *
 * @returns the document when the file could be read as YAML, and the text for code frames when it is text
 */
export async function readSpecFile(files: Files, file: string): Promise<ParsedYaml & { readonly text: string | undefined }> {
  const refuse = (code: Parameters<typeof specCodes.code>[0], message: string, hint: string): ParsedYaml & { text: undefined } => {
    const diagnostic: Diagnostic = { code: specCodes.code(code), severity: "error", file, line: 1, column: 1, message, hint, rule: "T-FILE-2" };
    return { document: undefined, diagnostics: [diagnostic], text: undefined };
  };

  let bytes: Uint8Array;
  try {
    // The size first: a huge file isn't worth reading.
    const size = await files.size(file);
    if (size !== undefined && size > MAX_FILE_BYTES)
      return refuse(
        "too-large",
        `The file has ${size} bytes, at most ${MAX_FILE_BYTES} are read`,
        "Shorten the texts, or move long ones to docs and link them.",
      );
    bytes = await files.read(file);
  } catch (error) {
    return refuse("unreadable", `The file can't be read${codeOf(error)}`, "See that it is there and that this user may read it.");
  }
  if (bytes.length > MAX_FILE_BYTES)
    return refuse(
      "too-large",
      `The file has ${bytes.length} bytes, at most ${MAX_FILE_BYTES} are read`,
      "Shorten the texts, or move long ones to docs and link them.",
    );
  if (bytes.includes(0)) return refuse("not-text", "This is no text: it holds a zero byte", "Save it as UTF-8 text.");

  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes); // takes a byte order mark off
  } catch {
    return refuse("not-text", "This is no UTF-8 text", "Save it as UTF-8.");
  }
  if (text.trim() === "") return { ...refuse("empty-file", "The file is empty", "Write a spec, or delete the file."), text };
  const parsed = parseYaml(file, text);
  if (parsed.document && (typeof parsed.document.data !== "object" || parsed.document.data === null || Array.isArray(parsed.document.data))) {
    const what = parsed.document.data === null ? "holds comments only" : `is ${Array.isArray(parsed.document.data) ? "a list" : "a single value"}`;
    const place = parsed.document.locate([], "value");
    const code = parsed.document.data === null ? specCodes.code("empty-file") : specCodes.code("wrong-type");
    return {
      document: undefined,
      text,
      diagnostics: [
        ...parsed.diagnostics,
        {
          code,
          severity: "error",
          file,
          ...place,
          message: `The file ${what}, it must hold keys and values`,
          hint: "Start with spec_version: 1",
          rule: "T-FILE-2",
        },
      ],
    };
  }
  return { ...parsed, text };
}

/** ` (ENOENT)` for a Node error, else nothing: messages of the system aren't needed. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? ` (${error.code})` : "";
}
