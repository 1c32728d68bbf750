import type { Diagnostic, JsonObject, Plugin } from "@fettle/contract";
import { isRecord } from "../isRecord.js";
import type { LoadedConfig } from "../kernel.js";
import type { Cache, Platform } from "../platform.js";
import { basename, join } from "./paths.js";

/** What was made of the text of a spec that passed the meta-schema. */
export interface KeptSpec {
  readonly data: JsonObject;
  /** What was found in this file, whatever other files say. */
  readonly diagnostics: readonly Diagnostic[];
}

interface Entry extends KeptSpec {
  /** Of the text. */
  readonly hash: string;
}

interface Content {
  readonly key: string;
  readonly specs: Readonly<Record<string, Entry>>;
}

/**
 * Specs that earlier starts read and checked, in one file below the config's folder: reading YAML is most of what a start costs.
 *
 * A spec is found again by its path and the hash of its text; all of them are found only by the same code and the same sections of plugins, which is
 * all that a check of one spec looks at. What is kept begins with its own checksum, so that a file which is cut or changed holds nothing.
 */
export class SpecCache {
  readonly #cache: Cache;
  readonly #path: string;
  readonly #key: string;
  readonly #known: Readonly<Record<string, Entry>>;
  /** What this load used: all that is kept of it. */
  readonly #used: Record<string, Entry> = Object.create(null);
  #changed = false;

  /** The cache of a config; undefined where there is no place for one, or the config wants none. */
  static async open({ cache }: Platform, { file, folder, config }: LoadedConfig, plugins: readonly Plugin<unknown>[]): Promise<SpecCache | undefined> {
    if (cache === undefined || file === undefined || config.cache === false) return undefined;
    const version = await cache.version();
    if (version === undefined) return undefined;
    const path = join(folder, ".fettle", "cache", `${basename(file)}.json`);
    const sections = plugins.flatMap(({ name, section }) => (section === undefined ? [] : [[name, section]]));
    const key = cache.hash(JSON.stringify([version, sections]));
    return new SpecCache(cache, path, key, await cache.read(path));
  }

  private constructor(cache: Cache, path: string, key: string, text: string | undefined) {
    const content = text === undefined ? undefined : contentOf(text, cache);
    this.#cache = cache;
    this.#path = path;
    this.#key = key;
    this.#known = content?.key === key ? content.specs : {};
  }

  find(file: string, text: string): KeptSpec | undefined {
    const entry = Object.hasOwn(this.#known, file) ? this.#known[file] : undefined;
    if (!isEntry(entry) || entry.hash !== this.#cache.hash(text)) return undefined;
    this.#used[file] = entry;
    return entry;
  }

  keep(file: string, text: string, { data, diagnostics }: KeptSpec): void {
    // JSON has no -0.
    if (hasNegativeZero(data)) return;
    this.#used[file] = { hash: this.#cache.hash(text), data, diagnostics };
    this.#changed = true;
  }

  /** Writes what this load used, where that isn't what is written already. */
  async save(): Promise<void> {
    if (!this.#changed && Object.keys(this.#used).length === Object.keys(this.#known).length) return;
    const content: Content = { key: this.#key, specs: this.#used };
    const json = JSON.stringify(content);
    await this.#cache.write(this.#path, `${this.#cache.hash(json)}\n${json}`);
  }
}

/** Undefined for a text that isn't as it was written. */
function contentOf(text: string, cache: Cache): Content | undefined {
  const end = text.indexOf("\n");
  const json = text.slice(end + 1);
  if (text.slice(0, end) !== cache.hash(json)) return undefined;
  const content: unknown = JSON.parse(json);
  return isRecord(content) && typeof content["key"] === "string" && isRecord(content["specs"]) ? (content as unknown as Content) : undefined;
}

/** Whether an entry has the shape of one. What it says can't be known without the work that it spares. */
function isEntry(entry: unknown): entry is Entry {
  if (!isRecord(entry)) return false;
  const { hash, data, diagnostics } = entry;
  return typeof hash === "string" && isRecord(data) && Array.isArray(diagnostics) && diagnostics.every(isRecord);
}

function hasNegativeZero(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.values(value).some(hasNegativeZero);
  return Object.is(value, -0);
}
