import { stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { type PendingImport, PendingImports } from "./pendingImports.js";
import type { Import, ReloadHooks } from "./reloadHooks.js";

/** A file that was changed this shortly before it was read, in milliseconds, may have been read before the change: clocks of file systems are coarse. */
const COARSE_MS = 20;
/** No file has this stamp: the next look finds it changed. */
const DOUBTFUL = "doubtful";

/**
 * The modules of a project as they were last imported, and who imports whom: after a change the changed ones are loaded anew, with all that import them,
 * and no others. Those keep their state, and Node, which can't forget a JavaScript module, has less to keep.
 */
export class ModuleGraph {
  readonly #hooks: ReloadHooks;
  readonly #stamps = new Map<string, string>();
  readonly #versions = new Map<string, number>();
  readonly #imports = new Map<string, Set<string>>();
  readonly #pending = new PendingImports();
  #usual = 0;
  #generation = 0;
  #refreshed: Promise<void> = Promise.resolve();

  constructor(hooks: ReloadHooks) {
    this.#hooks = hooks;
  }

  /** Every file that was loaded or looked for, also by imports that haven't ended. */
  get files(): readonly string[] {
    this.#learnImports();
    return [...new Set([...this.#stamps.keys(), ...this.#pending.all.flatMap(({ files }) => [...files])])];
  }

  /** Imports that haven't ended. */
  get pending(): readonly PendingImport[] {
    return this.#pending.all;
  }

  /** Looks for changed files, once per generation. */
  enter(generation: number): Promise<void> {
    if (generation > this.#generation) {
      const first = this.#generation === 0;
      this.#generation = generation;
      this.#refreshed = this.#refreshed.then(() => this.#refresh(first));
    }
    return this.#refreshed;
  }

  /** The URL to import a JavaScript file by. */
  urlOf(file: string): string {
    return this.#hooks.urlOf(pathToFileURL(file).href, this.#versions.get(file) ?? this.#usual);
  }

  /**
   * Runs an import and learns what it loaded. What failed is loaded anew the next time, with all that it had loaded: Node keeps failures too.
   * One that hasn't ended is waited for again, unless what it loads was changed: then it is left behind.
   */
  watch<T>(file: string, run: () => Promise<T>): Promise<T> {
    const began = Date.now() - COARSE_MS;
    return this.#pending.run(file, run, async ({ counts, failed }) => {
      this.#learnImports();
      if (!counts) return;
      const loaded = [file, ...this.#importedBy(file), ...modulesOfJiti()];
      await this.#stampMissing(loaded, began);
      if (failed) for (const each of [file, ...this.#importedBy(file)]) this.#stamps.set(each, DOUBTFUL);
    });
  }

  /** A file to look at besides those that were loaded: one that an import stumbled over. */
  add(file: string): void {
    if (!this.#stamps.has(file)) this.#stamps.set(file, DOUBTFUL);
  }

  async #refresh(first: boolean): Promise<void> {
    const changed = new Set<string>();
    this.#learnImports();
    for (const { files, began } of this.#pending.all) await this.#stampMissing([...files], began - COARSE_MS);
    await Promise.all(
      [...this.#stamps].map(async ([file, stamp]) => {
        if ((await stampOf(file, Number.POSITIVE_INFINITY)) !== stamp) changed.add(file);
      }),
    );
    if (first) this.#usual = this.#hooks.renewAll();
    else if (changed.size === 0) return;
    // A set grows while it is gone through: whoever imports what changed is gone through in turn.
    for (const file of changed) for (const [importer, files] of this.#imports) if (files.has(file)) changed.add(importer);
    for (const { file, files } of this.#pending.all) {
      if (![...files].some((each) => changed.has(each))) continue;
      changed.add(file);
      this.#pending.leave(file);
    }
    for (const file of changed) {
      this.#stamps.delete(file);
      this.#imports.delete(file);
      this.#versions.set(file, this.#hooks.renew(file));
    }
    // CommonJS can be forgotten, and with it whatever jiti has made of TypeScript; who imports whom isn't known there.
    const cache = createRequire(import.meta.url).cache;
    for (const file of [...changed, ...modulesOfJiti()]) delete cache[file];
  }

  async #stampMissing(files: readonly string[], began: number): Promise<void> {
    await Promise.all(files.map(async (each) => this.#stamps.has(each) || this.#stamps.set(each, await stampOf(each, began))));
  }

  #learnImports(): void {
    for (const each of this.#hooks.takeImports()) this.#learn(each);
    for (const { file, files } of this.#pending.all) for (const each of [...this.#importedBy(file), ...importedByJiti(file)]) files.add(each);
  }

  #learn({ importer, file }: Import): void {
    const files = this.#imports.get(importer) ?? new Set();
    this.#imports.set(importer, files.add(file));
  }

  #importedBy(file: string): readonly string[] {
    const found = new Set([file]);
    // jiti imports for modules that aren't known here.
    for (const each of this.#imports.get("") ?? []) found.add(each);
    for (const each of found) for (const imported of this.#imports.get(each) ?? []) found.add(imported);
    found.delete(file);
    return [...found];
  }
}

/** When a file was last changed, and how long it is. */
async function stampOf(file: string, readAt: number): Promise<string> {
  try {
    const { mtimeMs, ctimeMs, size, ino } = await stat(file);
    return ctimeMs >= readAt ? DOUBTFUL : `${mtimeMs} ${ctimeMs} ${size} ${ino}`;
  } catch {
    return "gone";
  }
}

/** Files whose modules jiti has made. */
function modulesOfJiti(): readonly string[] {
  return Object.entries(createRequire(import.meta.url).cache).flatMap(([file, module]) =>
    module !== undefined && "esmResolve" in module.require && !file.includes("/node_modules/") ? [file] : [],
  );
}

/** Files that a module which jiti has made imports, and what those import. */
function importedByJiti(file: string): ReadonlySet<string> {
  const cache = createRequire(import.meta.url).cache;
  const found = new Set<string>();
  const visit = (module: NodeJS.Module | undefined): void => {
    for (const child of module?.children ?? []) {
      if (found.has(child.filename) || child.filename.includes("/node_modules/")) continue;
      found.add(child.filename);
      visit(child);
    }
  };
  visit(cache[file]);
  return found;
}
