import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { ModulePlace } from "../platform.js";

/**
 * What an import threw, with its place where it is an error of the syntax: Node, jiti and esbuild each tell it in their own way,
 * and Node tells it to nobody but the console.
 *
 * @param path - the module that was imported
 * @returns a SyntaxError with `at`, or the error itself where no place is known
 */
export async function withSyntaxPlace(error: unknown, path: string): Promise<unknown> {
  if (!(error instanceof Error)) return error;
  const told = toldByJiti(error.message) ?? toldByEsbuild(error.message);
  if (told) return placed(error, told.message, told.at);
  if (!(error instanceof SyntaxError)) return error;
  const at = toldByStack(error.stack ?? "") ?? (await foundByJiti(path));
  return at ? placed(error, error.message, at) : error;
}

/** The place that an error was given here. */
export function placeOf(error: unknown): ModulePlace | undefined {
  return error instanceof SyntaxError && "at" in error ? (error.at as ModulePlace) : undefined;
}

const placed = (cause: Error, message: string, at: ModulePlace): SyntaxError => Object.assign(new SyntaxError(message, { cause }), { at });

interface Told {
  readonly message: string;
  readonly at: ModulePlace;
}

/** `ParseError: Unexpected token  \n /path/file.ts:3:20`, with a column that counts from 0. */
function toldByJiti(text: string): Told | undefined {
  const [, message = "", file = "", line, column] = /^ParseError: (.*?)\s*\n\s*(.+):(\d+):(\d+)\s*$/.exec(text) ?? [];
  return file === "" ? undefined : { message, at: { file, line: Number(line), column: Number(column) + 1 } };
}

/** `Transform failed with 1 error:\n/path/file.ts:3:20: ERROR: Unexpected ";"`, which tsx throws; the column counts from 0. */
function toldByEsbuild(text: string): Told | undefined {
  const [, file = "", line, column, message = ""] = /^Transform failed[^\n]*\n(.+):(\d+):(\d+): ERROR: (.+)/.exec(text) ?? [];
  return file === "" ? undefined : { message, at: { file, line: Number(line), column: Number(column) + 1 } };
}

/** A stack that begins with the place, the line and carets under it: so Node tells of imports that name what isn't exported, and of CommonJS. */
function toldByStack(stack: string): ModulePlace | undefined {
  const [, where = "", line, blanks = ""] = /^(.+):(\d+)\n.*\n([ \t]*)\^/.exec(stack) ?? [];
  if (where === "") return undefined;
  return { file: where.startsWith("file:") ? fileURLToPath(where.replace(/\?.*$/, "")) : where, line: Number(line), column: blanks.length + 1 };
}

/** For an ES module Node keeps the place to itself, so the module is parsed once more. Undefined where the error is in one that it imports. */
async function foundByJiti(path: string): Promise<ModulePlace | undefined> {
  try {
    const { createJiti } = await import("jiti");
    const parsed = createJiti(path).transform({ source: await readFile(path, "utf8"), filename: path, async: true });
    const [, json] = /^exports\.__JITI_ERROR__ = (\{.*\})/.exec(parsed) ?? [];
    if (json === undefined) return undefined;
    const { line, column }: { readonly line: number; readonly column: number } = JSON.parse(json);
    return { file: path, line, column: column + 1 };
  } catch {
    return undefined;
  }
}
