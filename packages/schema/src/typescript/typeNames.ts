/** Gives each type of a file a name of its own. */
export class TypeNames {
  readonly #taken: Set<string>;

  /** @param taken names that are in use already; those given are added */
  constructor(taken: Set<string>) {
    this.#taken = taken;
  }

  /** The name of what a reference such as `#/$defs/line-item` leads to: `LineItem`, with a number where that is taken. */
  of(reference: string): string {
    const last = reference.split(/[/#]/).findLast((part) => part !== "") ?? "";
    const words = decoded(last).split(/[^A-Za-z0-9]+/);
    const joined = words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join("");
    const base = /^[A-Za-z]/.test(joined) ? joined : `Type${joined}`;
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
