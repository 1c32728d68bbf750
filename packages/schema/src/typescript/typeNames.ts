/** What a type of the same name would hide from whoever reads or goes on writing the file: JavaScript's own objects, and TypeScript's own types. */
const GLOBALS: ReadonlySet<string> = new Set(
  `Array ArrayBuffer AsyncFunction AsyncGenerator AsyncIterable AsyncIterableIterator AsyncIterator Atomics Awaited BigInt BigInt64Array
  BigUint64Array Boolean Buffer Capitalize ConstructorParameters DataView Date Error EvalError Exclude Extract FinalizationRegistry Float32Array
  Float64Array Function Generator GeneratorFunction Infinity InstanceType Int16Array Int32Array Int8Array Intl Iterable IterableIterator Iterator
  JSON Lowercase Map Math NaN NoInfer NonNullable Number Object Omit OmitThisParameter Parameters Partial Pick Promise PromiseLike PropertyKey Proxy
  RangeError Readonly ReadonlyArray ReadonlyMap ReadonlySet Record ReferenceError Reflect RegExp Required ReturnType Set SharedArrayBuffer String
  Symbol SyntaxError ThisParameterType ThisType TypeError URIError URL Uint16Array Uint32Array Uint8Array Uint8ClampedArray Uncapitalize Uppercase
  WeakMap WeakRef WeakSet`.split(/\s+/),
);

/** Gives each type of a file a name of its own. */
export class TypeNames {
  readonly #taken: Set<string>;

  /** @param taken names that are in use already; those given are added */
  constructor(taken: Set<string>) {
    this.#taken = taken;
  }

  /** The name of what a reference such as `#/$defs/line-item` leads to: `LineItem`, with a number where that is taken; `#/$defs/string` is `StringType`. */
  of(reference: string): string {
    const last = reference.split(/[/#]/).findLast((part) => part !== "") ?? "";
    const words = decoded(last).split(/[^A-Za-z0-9]+/);
    const joined = words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join("");
    const named = /^[A-Za-z]/.test(joined) ? joined : `Type${joined}`;
    const base = GLOBALS.has(named) ? `${named}Type` : named;
    let name = base;
    for (let i = 2; this.#taken.has(name); i += 1) name = `${base}${i}`;
    this.#taken.add(name);
    return name;
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
