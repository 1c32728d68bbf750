import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createJiti } from "jiti";
import type { Modules } from "../platform.js";
import { withSyntaxPlace } from "./syntaxPlace.js";

export interface NodeModulesOptions {
  /**
   * Where packages are looked for when the folder of a config or spec has none, as `import.meta.url` of a module.
   * So a handler outside of any project can import "fettle" from the CLI that runs it. Default: this package.
   */
  readonly fallbackFrom?: string;
  /** `native` where the process runs under a TypeScript loader such as tsx. Default `jiti`. */
  readonly typescript?: "jiti" | "native";
}

const TYPESCRIPT = /\.[cm]?tsx?$/;
/** Conditions of `node --conditions=...` count, as they do in Node's own resolver. */
const CONDITIONS = [
  "node",
  "import",
  ...process.execArgv.flatMap((arg, i, all) =>
    arg.startsWith("--conditions=") ? [arg.slice(13)] : arg === "-C" || arg === "--conditions" ? [all[i + 1] ?? ""] : [],
  ),
];

/** Imports modules natively; TypeScript, and modules that miss Fettle's own packages, with jiti. */
export function nodeModules(options: NodeModulesOptions): Modules {
  const fallbackFrom = options.fallbackFrom ?? import.meta.url;
  const resolve = (specifier: string, parentURL: string): string | undefined => {
    const found = createJiti(parentURL).esmResolve(specifier, { parentURL, try: true, conditions: CONDITIONS });
    const path = found?.startsWith("file:") ? fileURLToPath(found) : found;
    return path && existsSync(path) ? path : undefined;
  };
  const importWithJiti = async (path: string, generation: number): Promise<Readonly<Record<string, unknown>>> => {
    const own = ["fettle", "@fettle/contract", "@fettle/schema"].flatMap((name) => {
      const file = resolve(name, pathToFileURL(path).href) ? undefined : resolve(name, fallbackFrom);
      return file ? [[name, file] as const] : [];
    });
    const jiti = createJiti(pathToFileURL(path).href, { interopDefault: false, moduleCache: generation === 0, alias: Object.fromEntries(own) });
    return (await jiti.import(path)) as Readonly<Record<string, unknown>>;
  };
  const load = async (path: string, generation: number): Promise<Readonly<Record<string, unknown>>> => {
    if (TYPESCRIPT.test(path) && options.typescript !== "native") return importWithJiti(path, generation);
    try {
      // A module is cached by its URL: another query is another module.
      return (await import(pathToFileURL(path).href + (generation === 0 ? "" : `?generation=${generation}`))) as Readonly<Record<string, unknown>>;
    } catch (error) {
      if (missesOwnPackage(error)) return importWithJiti(path, generation);
      throw error;
    }
  };

  return {
    import: (path, generation) =>
      load(path, generation).catch(async (error: unknown) => {
        throw await withSyntaxPlace(error, path);
      }),
    resolve: (specifier, fromFolder) => resolve(specifier, pathToFileURL(join(fromFolder, "config")).href) ?? resolve(specifier, fallbackFrom),
  };
}

function missesOwnPackage(error: unknown): boolean {
  return (
    error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND" && /Cannot find package '(fettle|@fettle\/[a-z-]+)'/.test(error.message)
  );
}
