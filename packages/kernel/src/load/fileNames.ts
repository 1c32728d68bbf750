import type { Files } from "../platform.js";

/** The names of the files in folders, each folder listed once: a thousand handlers are looked for beside their specs, mostly in one folder. */
export class FileNames {
  readonly #files: Files;
  readonly #known = new Map<string, Promise<ReadonlySet<string>>>();

  constructor(files: Files) {
    this.#files = files;
  }

  /** Links to files count. Nothing where there is no such folder. */
  in(folder: string): Promise<ReadonlySet<string>> {
    const names = this.#known.get(folder) ?? this.#list(folder);
    this.#known.set(folder, names);
    return names;
  }

  async #list(folder: string): Promise<ReadonlySet<string>> {
    const entries = await this.#files.list(folder).catch(() => []);
    return new Set(entries.filter(({ kind }) => kind === "file").map(({ name }) => name));
  }
}
