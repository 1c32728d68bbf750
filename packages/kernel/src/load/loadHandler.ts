import type { Finding, Handler } from "@fettle/contract";
import { nearestWord } from "@fettle/schema";
import type { ModulePlace, Platform } from "../platform.js";
import { IMPORT_LIMIT_MS, LimitReached, withinLimit } from "../withinLimit.js";
import { FileNames } from "./fileNames.js";
import { basename, dirname, join, resolve } from "./paths.js";
import { codeOf, inBrackets } from "./readSpecFile.js";
import { specCodes } from "./specCodes.js";

const EXTENSIONS = [".handler.ts", ".handler.mts", ".handler.js", ".handler.mjs"];

export type LoadedHandler =
  | { readonly handler: Handler; readonly file: string; readonly finding?: never }
  | { readonly handler?: never; readonly finding: Finding };

/**
 * Loads the handler of a spec: where `handler:` points, else the sibling with the same base name.
 *
 * @param specFile - absolute path of the spec
 * @param reference - the spec's `handler` field
 * @param fileNames - shared by the handlers of one load
 */
export async function loadHandler(
  platform: Platform,
  specFile: string,
  reference: string | undefined,
  generation: number,
  fileNames: FileNames = new FileNames(platform.files),
): Promise<LoadedHandler> {
  const folder = dirname(specFile);
  const [written = "", exportName = "default"] = reference?.split("#") ?? [];
  const at = reference === undefined ? { path: ["name"] } : { path: ["handler"] };
  const fail = (code: "handler-missing" | "handler-failed" | "handler-not-a-function", message: string, hint: string): LoadedHandler => ({
    finding: { code: specCodes.code(code), severity: "error", message, hint, rule: "T-HANDLER-2", ...at },
  });

  const file = reference === undefined ? await siblingOf(specFile, fileNames) : resolve(folder, written);
  if (file === undefined) {
    return fail(
      "handler-missing",
      `There is no handler beside this spec: no ${join(folder, handlerBase(specFile))}.handler.ts, .mts, .js or .mjs`,
      "Write one of them, or say where it is with `handler: ./path.ts`.",
    );
  }
  if (reference !== undefined && (await platform.files.size(file).catch(() => undefined)) === undefined) {
    const entries = await platform.files.list(dirname(file)).catch(() => []);
    const near = nearestWord(
      basename(file),
      entries.filter(({ kind }) => kind === "file").map(({ name }) => name),
    );
    return fail(
      "handler-missing",
      `There is no file ${written}`,
      near ? `Did you mean "${join(dirname(written), near)}"?` : "The path is relative to this spec.",
    );
  }

  let module: Readonly<Record<string, unknown>>;
  try {
    module = await withinLimit(platform.clock, IMPORT_LIMIT_MS, () => platform.modules.import(file, generation));
  } catch (error) {
    return fail(
      "handler-failed",
      `The handler ${basename(file)} can't be loaded: ${describe(error)}`,
      error instanceof LimitReached ? "Look for a top-level await that never ends." : placeOf(error) ? "Mend the code at that place." : runItself(file),
    );
  }
  const handler = module[exportName];
  if (typeof handler !== "function") {
    const functions = Object.keys(module).filter((name) => typeof module[name] === "function");
    const wanted = exportName === "default" ? "no default export that is a function" : `no function exported as ${exportName}`;
    const near = nearestWord(exportName, functions) ?? functions[0];
    return fail(
      "handler-not-a-function",
      `The handler ${basename(file)} has ${wanted}`,
      near
        ? `It exports ${functions.join(", ")}: write \`handler: ./${basename(file)}#${near}\`, or export a default.`
        : "Write `export default async (args, ctx) => ...`.",
    );
  }
  return { handler: handler as Handler, file };
}

async function siblingOf(specFile: string, fileNames: FileNames): Promise<string | undefined> {
  const folder = dirname(specFile);
  const there = await fileNames.in(folder);
  const name = handlerNames(specFile).find((each) => there.has(each));
  return name === undefined ? undefined : join(folder, name);
}

function handlerNames(specFile: string): readonly string[] {
  return EXTENSIONS.map((extension) => handlerBase(specFile) + extension);
}

function handlerBase(specFile: string): string {
  return basename(specFile).replace(/\.tool\.yaml$/, "");
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
