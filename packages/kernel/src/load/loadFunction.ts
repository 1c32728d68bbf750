import { nearestWord } from "@fettle/schema";
import type { ModulePlace, Platform } from "../platform.js";
import { IMPORT_LIMIT_MS, LimitReached, withinLimit } from "../withinLimit.js";
import { basename, dirname, join } from "./paths.js";
import { codeOf, inBrackets } from "./readSpecFile.js";

/** Why a module gives no function. */
export interface NoFunction {
  readonly reason: "missing" | "failed" | "not-a-function";
  readonly message: string;
  readonly hint: string;
}

/** A function of a module, or why there is none. */
export type LoadedFunction = { readonly run: (...args: never[]) => unknown; readonly fault?: never } | { readonly run?: never; readonly fault: NoFunction };

/** A module, and what to say of it. */
export interface FunctionRequest {
  /** Absolute path. */
  readonly file: string;
  readonly exportName: string;
  readonly generation: number;
  /** What the module is called at the start of a sentence: `The handler`. */
  readonly called: string;
  /** How an export is named: `handler: ./checks.js#iban` for `./checks.js#iban`. */
  readonly named: (reference: string) => string;
  /** What to do where the module exports no function at all. */
  readonly write: string;
}

/** Imports a module and takes a function out of it. Whatever is wrong is told: nothing is thrown. */
export async function loadFunction(platform: Platform, { file, exportName, generation, called, named, write }: FunctionRequest): Promise<LoadedFunction> {
  const fail = (reason: NoFunction["reason"], message: string, hint: string): LoadedFunction => ({ fault: { reason, message, hint } });
  let module: Readonly<Record<string, unknown>>;
  try {
    module = await withinLimit(platform.clock, IMPORT_LIMIT_MS, () => platform.modules.import(file, generation));
  } catch (error) {
    return fail(
      "failed",
      `${called} ${basename(file)} can't be loaded: ${describe(error)}`,
      error instanceof LimitReached
        ? "Look for a top-level await that never ends."
        : placeOf(error)
          ? "Mend the code at that place."
          : (ofCommonJs(error, write) ?? runItself(file)),
    );
  }
  const found = module[exportName];
  if (isCallable(found)) return { run: found };
  if (typeof found === "function") return fail("not-a-function", `${called} ${basename(file)} is a class, which can't be called`, write);
  const functions = Object.keys(module).filter((name) => isCallable(module[name]));
  const wanted = exportName === "default" ? "no default export that is a function" : `no function exported as ${exportName}`;
  const near = nearestWord(exportName, functions) ?? functions[0];
  return fail(
    "not-a-function",
    `${called} ${basename(file)} has ${wanted}`,
    near ? `It exports ${functions.join(", ")}: write \`${named(`./${basename(file)}#${near}`)}\`, or export a default.` : write,
  );
}

/** A class is a function for `typeof` only: it throws when it is called without `new`. */
function isCallable(value: unknown): value is (...args: never[]) => unknown {
  return typeof value === "function" && !/^class\b/.test(Function.prototype.toString.call(value));
}

/**
 * Why a file that was named isn't there; undefined when it is.
 *
 * @param written - the path as it stands in the spec
 */
export async function whyMissing(platform: Platform, file: string, written: string): Promise<NoFunction | undefined> {
  if ((await platform.files.size(file).catch(() => undefined)) !== undefined) return undefined;
  const near = await nearFile(platform, file, written);
  const relative = written.startsWith("/") ? "Mend the path, or write the file." : "The path is relative to this spec.";
  return { reason: "missing", message: `There is no file ${written}`, hint: near ? `Did you mean "${near}"?` : relative };
}

/**
 * A file in the same folder that was probably meant, written as the path of the one that isn't there is.
 *
 * @param file - the absolute path
 * @param written - the path as it was written
 */
export async function nearFile(platform: Platform, file: string, written: string): Promise<string | undefined> {
  const entries = await platform.files.list(dirname(file)).catch(() => []);
  const near = nearestWord(
    basename(file),
    entries.filter(({ kind }) => kind === "file").map(({ name }) => name),
  );
  return near && beside(written, near);
}

/** A file in the folder of another one, with the ./ that the other was written with. */
function beside(written: string, name: string): string {
  const path = join(dirname(written), name);
  return written.startsWith("./") ? `./${path}` : path;
}

/** What to write in place of what only CommonJS has. */
function ofCommonJs(error: unknown, write: string): string | undefined {
  const [, name] =
    (error instanceof ReferenceError && /^(require|module|exports|__dirname|__filename) is not defined in ES module scope/.exec(error.message)) || [];
  if (name === undefined) return undefined;
  if (name === "require") return 'Write `import { readFile } from "node:fs/promises"` in place of require.';
  return name.startsWith("__") ? `Write import.meta.${name === "__dirname" ? "dirname" : "filename"}.` : write;
}

/** The path is absolute; whoever shows it knows in which folder its reader is. Node 20 runs no TypeScript. */
function runItself(file: string): string {
  const runner = /\.[cm]?tsx?$/.test(file) ? "npx tsx" : "node";
  return `Run the module by itself to see the whole error: ${runner} ${/[^\w@%+=:,./\\-]/.test(file) ? `'${file}'` : file}`;
}

/** The first line of what was thrown, and for an error of the syntax where, with an absolute path: shown to the author at load time, never to a client. */
export function describe(error: unknown): string {
  if (!(error instanceof Error)) return `it threw ${typeof error === "string" ? JSON.stringify(error) : `a value of type ${typeof error}`}, which is no Error`;
  const line = String(error.message).split("\n")[0]?.trim() ?? "";
  if (line === "") return `${error.name}${inBrackets(codeOf(error))}`;
  const at = placeOf(error);
  return at ? `${line} (${at.file}:${at.line}:${at.column})` : line;
}

/** The place that `Modules.import` gives errors of the syntax. */
export function placeOf(error: unknown): ModulePlace | undefined {
  const at: unknown = error instanceof Error && "at" in error ? error.at : undefined;
  if (typeof at !== "object" || at === null || !("file" in at) || !("line" in at) || !("column" in at)) return undefined;
  const { file, line, column } = at;
  return typeof file === "string" && typeof line === "number" && typeof column === "number" ? { file, line, column } : undefined;
}
