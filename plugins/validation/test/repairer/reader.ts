/** A path in the arguments: keys and indexes. */
export type Path = readonly (string | number)[];

/** Values in a list; `all` is false where there are more than are shown. */
export interface Values {
  readonly values: readonly unknown[];
  readonly all: boolean;
}

const KEY = /[\p{L}_$][\p{L}\p{N}_$-]*/uy;
const INDEX = /\[(\d+)\]/y;
const QUOTED = /"(?:[^"\\]|\\.)*"/y;
const ATOM = /-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|true|false|null|-?Infinity/y;
const CUT = "…";

/** Reads the parts of a line one after another: paths, names, JSON values. */
export class Reader {
  readonly #text: string;
  #at: number;

  constructor(text: string, at: number = 0) {
    this.#text = text;
    this.#at = at;
  }

  /** What isn't read yet. */
  rest(): string {
    return this.#text.slice(this.#at);
  }

  /** Whether `word` comes next; it is read then. */
  take(word: string): boolean {
    const comes = this.#text.startsWith(word, this.#at);
    if (comes) this.#at += word.length;
    return comes;
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found === null) return undefined;
    this.#at += found[0].length;
    return found;
  }

  /** `items[0].quantity`, `["x y"]`, `the arguments`. Undefined for one that was cut. */
  path(): Path | undefined {
    if (this.take("the arguments")) return [];
    const path: (string | number)[] = [];
    for (;;) {
      const before = this.#at;
      if (path.length > 0) this.take(".");
      const key = this.#match(KEY)?.[0];
      if (key !== undefined) {
        path.push(key);
        continue;
      }
      this.#at = before;
      const index = this.#match(INDEX)?.[1];
      if (index !== undefined) {
        path.push(Number(index));
        continue;
      }
      if (!this.#text.startsWith('["', this.#at)) break;
      this.#at += 1;
      const quoted = this.name();
      if (quoted === undefined || !this.take("]")) return undefined;
      path.push(quoted);
    }
    return path.length === 0 || this.#text.startsWith(CUT, this.#at) ? undefined : path;
  }

  /** A key: plain or in quotes. */
  name(): string | undefined {
    const plain = this.#match(KEY)?.[0];
    if (plain !== undefined) return this.take(CUT) ? undefined : plain;
    const quoted = this.#match(QUOTED)?.[0];
    return quoted === undefined ? undefined : String(JSON.parse(quoted));
  }

  /** `a, "x y", c and 5 more`. */
  names(): { readonly names: readonly string[]; readonly all: boolean } {
    const names: string[] = [];
    do {
      const name = this.name();
      if (name === undefined) return { names, all: false };
      names.push(name);
    } while (this.take(", "));
    return { names, all: this.rest() === "" };
  }

  /** A whole JSON value. Undefined where there is none, or it was cut. */
  value(): { readonly value: unknown } | undefined {
    const text = this.#shown();
    if (text === undefined || text.includes(CUT)) return undefined;
    try {
      return { value: JSON.parse(text) };
    } catch {
      return undefined;
    }
  }

  /** Reads over a value as it is shown, cut or not. */
  shown(): void {
    this.#shown();
  }

  #shown(): string | undefined {
    const start = this.#at;
    if (this.#match(QUOTED) !== undefined || this.#match(ATOM) !== undefined) return this.#text.slice(start, this.#at);
    if (!/[[{]/.test(this.#text.charAt(start))) return undefined;
    let depth = 0;
    while (this.#at < this.#text.length) {
      if (this.#match(QUOTED) !== undefined) continue;
      const letter = this.#text.charAt(this.#at);
      this.#at += 1;
      if (letter === "[" || letter === "{") depth += 1;
      if (letter === "]" || letter === "}") depth -= 1;
      if (depth === 0) return this.#text.slice(start, this.#at);
    }
    return undefined;
  }

  /** `["a","b", and 5 more]`. */
  values(): Values | undefined {
    if (!this.take("[")) return undefined;
    const values: unknown[] = [];
    let all = true;
    do {
      if (/^ and \d+ more/.test(this.rest())) return { values, all: false };
      const value = this.value();
      if (value === undefined) all = false;
      else values.push(value.value);
    } while (this.take(","));
    return { values, all: all && this.take("]") };
  }
}
