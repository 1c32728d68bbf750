import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Modules } from "../platform.js";
import { ModuleGraph } from "./moduleGraph.js";
import { reloadHooks } from "./reloadHooks.js";
import { placeOf, withSyntaxPlace } from "./syntaxPlace.js";

/** `Modules` of this machine. */
export interface NodeModules extends Modules {
  /** Files of modules that were imported at a generation above 0, theirs that those import, and the place of a failure: what to watch for changes. */
  files(): readonly string[];
  /** Imports at a generation above 0 that haven't ended: the file, and when it began in milliseconds since 1970. */
  pending(): readonly { readonly file: string; readonly began: number }[];
}

export interface NodeModulesOptions {
  /**
   * Where packages are looked for when the folder of a config or spec has none, as `import.meta.url` of a module.
   * So a handler outside of any project can import "fettle" from the CLI that runs it. Default: this package.
   */
  readonly fallbackFrom?: string;
  /** `native` where the process runs under a TypeScript loader such as tsx. Default `jiti`. */
  readonly typescript?: "jiti" | "native";
}

type Module = Readonly<Record<string, unknown>>;

const TYPESCRIPT = /\.[cm]?tsx?$/;
/** Conditions of `node --conditions=...` count, as they do in Node's own resolver. */
const CONDITIONS = [
  "node",
  "import",
  ...process.execArgv.flatMap((arg, i, all) =>
    arg.startsWith("--conditions=") ? [arg.slice(13)] : arg === "-C" || arg === "--conditions" ? [all[i + 1] ?? ""] : [],
  ),
];

/** Names of Fettle's own packages. */
const FIRST_PARTY = /^(fettle|@fettle\/[^/]+)$/;

/** Fettle's packages, which a handler or plugin may import without having them installed. */
const OWN = ["fettle", "@fettle/contract", "@fettle/schema"];

/**
 * Imports modules natively; TypeScript, and modules that miss Fettle's own packages, with jiti.
 *
 * At a generation above 0 a module is loaded anew when its file, or one of those that it imports by a path, was changed since the generation before. All
 * that weren't stay what they were. Node can't forget a JavaScript module: each change leaves the old one, and those that import it, in memory.
 */
export function nodeModules(options: NodeModulesOptions): NodeModules {
  const fallbackFrom = options.fallbackFrom ?? import.meta.url;
  let graph: ModuleGraph | undefined;
  /** Where Fettle's packages are for the modules of a folder that has none. Looked for once: it takes longer than most modules do. */
  const aliases = new Map<string, Readonly<Record<string, string>>>();
  const aliasesIn = (folder: string): Readonly<Record<string, string>> => {
    const known = aliases.get(folder);
    if (known) return known;
    const own = OWN.flatMap((name) => {
      const file = resolveOwn(name, pathToFileURL(join(folder, "module")).href) ? undefined : resolveOwn(name, fallbackFrom);
      return file ? [[name, file] as const] : [];
    });
    const found = Object.fromEntries(own);
    aliases.set(folder, found);
    return found;
  };
  const importWithJiti = async (path: string): Promise<Module> => {
    const { createJiti } = await import("jiti");
    const jiti = createJiti(pathToFileURL(path).href, { interopDefault: false, moduleCache: true, alias: { ...aliasesIn(dirname(path)) } });
    return (await jiti.import(path)) as Module;
  };
  const load = async (path: string, url: string): Promise<Module> => {
    if (TYPESCRIPT.test(path) && options.typescript !== "native") return importWithJiti(path);
    try {
      return (await import(url)) as Module;
    } catch (error) {
      if (missesOwnPackage(error)) return importWithJiti(path);
      throw error;
    }
  };
  const graphOf = (): ModuleGraph => {
    const packages = OWN.flatMap((name) => resolveOwn(name, fallbackFrom) ?? []).map((file) => pathToFileURL(`${dirname(dirname(file))}/`).href);
    return new ModuleGraph(reloadHooks(packages));
  };
  const importFresh = async (path: string, generation: number): Promise<Module> => {
    graph ??= graphOf();
    await graph.enter(generation);
    return graph.watch(path, () => load(path, graph?.urlOf(path) ?? path));
  };

  return {
    import: (path, generation) =>
      (generation === 0 ? load(path, pathToFileURL(path).href) : importFresh(path, generation)).catch(async (error: unknown) => {
        const placed = await withSyntaxPlace(error, path);
        const at = placeOf(placed);
        if (at) graph?.add(at.file);
        throw placed;
      }),
    resolve: async (specifier, fromFolder) =>
      (await resolve(specifier, pathToFileURL(join(fromFolder, "config")).href)) ?? (await resolve(specifier, fallbackFrom)),
    files: () => graph?.files ?? [],
    pending: () => graph?.pending ?? [],
  };
}

/** The file that an import of a package gives. Jiti is loaded for those of others only: with plugins and handlers in JavaScript a server needs none. */
async function resolve(specifier: string, parentURL: string): Promise<string | undefined> {
  if (FIRST_PARTY.test(specifier)) return resolveOwn(specifier, parentURL);
  const { createJiti } = await import("jiti");
  const found = createJiti(parentURL).esmResolve(specifier, { parentURL, try: true, conditions: CONDITIONS });
  const path = found?.startsWith("file:") ? fileURLToPath(found) : found;
  return path && existsSync(path) ? path : undefined;
}

/** Fettle's own packages have one file for `import` and `require`, so that Node can look for it. */
function resolveOwn(name: string, parentURL: string): string | undefined {
  try {
    const path = createRequire(parentURL).resolve(name);
    return existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

function missesOwnPackage(error: unknown): boolean {
  return (
    error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND" && /Cannot find package '(fettle|@fettle\/[a-z-]+)'/.test(error.message)
  );
}
