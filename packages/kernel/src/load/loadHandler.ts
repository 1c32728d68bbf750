import type { Finding, Handler } from "@fettle/contract";
import { nearestWord } from "@fettle/schema";
import type { Platform } from "../platform.js";
import { FileNames } from "./fileNames.js";
import { loadFunction, type NoFunction, whyMissing } from "./loadFunction.js";
import { basename, dirname, join, resolve } from "./paths.js";
import { specCodes } from "./specCodes.js";

const EXTENSIONS = [".handler.ts", ".handler.mts", ".handler.js", ".handler.mjs"];

/** A handler, or why there is none. One that a plugin will give has no file. */
export type LoadedHandler =
  | { readonly handler: Handler | undefined; readonly file: string | undefined; readonly finding?: never }
  | { readonly handler?: never; readonly file?: never; readonly finding: Finding };

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
  const fail = ({ reason, message, hint }: NoFunction): LoadedHandler => ({
    finding: { code: specCodes.code(`handler-${reason}`), severity: "error", message, hint, rule: "T-HANDLER-2", ...at },
  });

  const file = reference === undefined ? await siblingOf(specFile, fileNames) : resolve(folder, written);
  if (file === undefined) {
    return fail({
      reason: "missing",
      message: `There is no handler beside this spec: no ${join(folder, handlerBase(specFile))}.handler.ts, .mts, .js or .mjs`,
      hint: `${await meantBeside(specFile, fileNames)}Write one of them, or say where it is with \`handler: ./path.ts\`.`,
    });
  }
  const missing = reference === undefined ? undefined : await whyMissing(platform, file, written);
  if (missing) return fail(missing);
  const { run, fault } = await loadFunction(platform, {
    file,
    exportName,
    generation,
    called: "The handler",
    named: (reference) => `handler: ${reference}`,
    write: "Write `export default async (args, ctx) => ...`.",
  });
  return fault ? fail(fault) : { handler: run as unknown as Handler, file };
}

async function siblingOf(specFile: string, fileNames: FileNames): Promise<string | undefined> {
  const folder = dirname(specFile);
  const there = await fileNames.in(folder);
  const name = handlerNames(specFile).find((each) => there.has(each));
  return name === undefined ? undefined : join(folder, name);
}

/** A file beside the spec that is probably its handler under another name, as a sentence; empty where there is none. */
async function meantBeside(specFile: string, fileNames: FileNames): Promise<string> {
  const there = await fileNames.in(dirname(specFile));
  const base = handlerBase(specFile);
  for (const extension of EXTENSIONS) {
    const wanted = base + extension;
    // Handlers of other specs are theirs.
    const free = [...there].filter((name) => name.endsWith(extension) && !there.has(`${name.slice(0, -extension.length)}.tool.yaml`));
    const plain = wanted.replace(".handler.", ".");
    const near = there.has(plain) ? plain : nearestWord(wanted, free);
    if (near) return `If ${near} is it, call that ${wanted}. `;
  }
  return "";
}

function handlerNames(specFile: string): readonly string[] {
  return EXTENSIONS.map((extension) => handlerBase(specFile) + extension);
}

function handlerBase(specFile: string): string {
  return basename(specFile).replace(/\.tool\.yaml$/, "");
}
