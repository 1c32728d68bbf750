import type { Finding, Handler } from "@fettle/contract";
import { nearestWord } from "@fettle/schema";
import type { Platform } from "../platform.js";
import { basename, dirname, join, resolve } from "./paths.js";
import { codeOf } from "./readSpecFile.js";
import { specCodes } from "./specCodes.js";

const EXTENSIONS = [".handler.ts", ".handler.mts", ".handler.js", ".handler.mjs"];
/** Time for a handler module to load, in milliseconds: one that waits for ever must not hold up the others. */
const IMPORT_LIMIT_MS = 10_000;

export type LoadedHandler =
  | { readonly handler: Handler; readonly file: string; readonly finding?: never }
  | { readonly handler?: never; readonly finding: Finding };

/**
 * Loads the handler of a spec: where `handler:` points, else the sibling with the same base name.
 *
 * @param specFile - absolute path of the spec
 * @param reference - the spec's `handler` field
 */
export async function loadHandler(platform: Platform, specFile: string, reference: string | undefined, generation: number): Promise<LoadedHandler> {
  const folder = dirname(specFile);
  const [written = "", exportName = "default"] = reference?.split("#") ?? [];
  const at = reference === undefined ? { path: ["name"] } : { path: ["handler"] };
  const fail = (code: "handler-missing" | "handler-failed" | "handler-not-a-function", message: string, hint: string): LoadedHandler => ({
    finding: { code: specCodes.code(code), severity: "error", message, hint, rule: "T-HANDLER-2", ...at },
  });

  const file = reference === undefined ? await siblingOf(platform, specFile) : resolve(folder, written);
  if (file === undefined) {
    const names = EXTENSIONS.map((extension) => basename(specFile).replace(/\.tool\.yaml$/, extension));
    return fail(
      "handler-missing",
      `There is no handler beside this spec: none of ${names.join(", ")}`,
      "Write one of them, or say where it is with `handler: ./path.ts`.",
    );
  }
  if ((await platform.files.size(file).catch(() => undefined)) === undefined) {
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
    module = await withLimit(platform, platform.modules.import(file, generation));
  } catch (error) {
    return fail(
      "handler-failed",
      `The handler ${basename(file)} can't be loaded: ${describe(error)}`,
      error === TIMED_OUT ? "Look for a top-level await that never ends." : "Run the module by itself to see the whole error.",
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

async function siblingOf(platform: Platform, specFile: string): Promise<string | undefined> {
  const base = specFile.replace(/\.tool\.yaml$/, "");
  for (const extension of EXTENSIONS) {
    if ((await platform.files.size(base + extension).catch(() => undefined)) !== undefined) return base + extension;
  }
  return undefined;
}

const TIMED_OUT = new Error(`it did not finish loading within ${IMPORT_LIMIT_MS / 1000} s`);

function withLimit<T>(platform: Platform, loading: Promise<T>): Promise<T> {
  return new Promise((done, failed) => {
    const cancel = platform.clock.after(IMPORT_LIMIT_MS, () => failed(TIMED_OUT));
    loading.then(done, failed).finally(cancel);
  });
}

/** The first line of what was thrown: this is shown to the author at load time, never to a client. */
export function describe(error: unknown): string {
  if (!(error instanceof Error)) return `it threw ${JSON.stringify(error) ?? String(error)}, which is no Error`;
  const line = error.message.split("\n")[0] ?? "";
  return line === "" ? `${error.name}${codeOf(error)}` : line;
}
