import { areDisjoint, type CharSet, charSetOf } from "./charSet.js";

/** Product of choices that a backtracking engine may try at one place; a constant factor, so it has to be small. */
const MOST_CHOICES = 1_000;
const MOST_CHOICES_ANYWHERE = 32;

interface Step {
  readonly set: CharSet | undefined;
  readonly min: number;
  readonly max: number;
}

/**
 * Whether a backtracking engine surely matches a pattern in time linear in the text. It says no wherever that takes more than a glance:
 * yes only for a plain row of characters and classes, with groups and look-arounds that hold no open repeats, where a repeat can't compete with
 * what follows it.
 *
 * @param pattern a pattern that compiles with the flag `u`
 */
export function isStaticallyLinear(pattern: string): boolean {
  const reader = new Reader(pattern);
  const anchored = reader.take("^");
  // Each look-ahead behind ^ is matched once, like a pattern of its own.
  while (anchored && /^\(\?[=!]/.test(reader.rest())) {
    reader.skip(3);
    const look = reader.row(true);
    if (look === undefined || !reader.take(")") || !isLinearRow(look, true)) return false;
  }
  const row = reader.row(false);
  return row !== undefined && reader.rest() === "" && isLinearRow(row, anchored);
}

function isLinearRow(row: readonly Step[], anchored: boolean): boolean {
  let choices = 1;
  let unbounded = 0;
  for (const [i, step] of row.entries()) {
    if (step.max !== Number.POSITIVE_INFINITY) {
      if (step.max !== step.min && !isFollowedApart(row, i)) choices *= step.max - step.min + 1;
      continue;
    }
    unbounded += 1;
    const later = row.slice(i + 1).some((each) => each.max === Number.POSITIVE_INFINITY);
    // The last repeat may compete with what follows: it gives back one character at a time, once.
    if (later && !isFollowedApart(row, i)) return false;
  }
  if (unbounded > 0) return anchored && choices <= MOST_CHOICES_ANYWHERE;
  return choices <= (anchored ? MOST_CHOICES : MOST_CHOICES_ANYWHERE);
}

/** Whether the character after a repeat can't be one of the repeat. */
function isFollowedApart(row: readonly Step[], i: number): boolean {
  const set = row[i]?.set;
  const next = row[i + 1];
  return set !== undefined && next?.set !== undefined && next.min > 0 && areDisjoint(set, next.set);
}

class Reader {
  #at = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  rest(): string {
    return this.#text.slice(this.#at);
  }

  take(token: string): boolean {
    if (!this.#text.startsWith(token, this.#at)) return false;
    this.#at += token.length;
    return true;
  }

  skip(count: number): void {
    this.#at += count;
  }

  /** A row of atoms up to the end, or up to the `)` of a look-ahead. Undefined for anything that isn't plain. */
  row(inLook: boolean): readonly Step[] | undefined {
    const steps: Step[] = [];
    while (this.#at < this.#text.length) {
      const char = this.#text[this.#at];
      if (char === ")") return inLook ? steps : undefined;
      if (char === "|" && !inLook) return undefined;
      // Alternatives of a look-around are weighed one after the other, which is never too little.
      if (char === "|" || char === "$") {
        this.#at += 1;
        continue;
      }
      const look = /^\(\?<?[=!]/.exec(this.rest());
      if (look !== null) {
        this.#at += look[0].length;
        const inner = this.row(true);
        if (inner === undefined || !this.take(")") || !isLinearRow(inner, false)) return undefined;
        steps.push({ set: undefined, min: 0, max: 0 });
        continue;
      }
      const atom = char === "(" ? this.#group() : this.#atom();
      if (atom === undefined) return undefined;
      const [min, max] = this.#repeat();
      if (atom.choices > 0 && max > 1) return undefined;
      for (let i = 0; i < atom.choices; i += 1) steps.push({ set: undefined, min: 0, max: 1 });
      if (atom.choices === 0) steps.push({ set: atom.set, min, max });
      else if (min === 0) steps.push({ set: undefined, min: 0, max: 1 });
      if (this.#text[this.#at] === "?" && max > 1) this.#at += 1;
    }
    return inLook ? undefined : steps;
  }

  /** A group without repeats inside: `(a|b)`, `(?:x-)`. It costs as many choices as it has alternatives. */
  #group(): { readonly set: undefined; readonly choices: number } | undefined {
    const group = /^\((?:\?:|\?<\w+>)?((?:[^\\()[\]*+{}?]|\\[^\dkpPbB])*)\)/.exec(this.rest());
    if (group === null) return undefined;
    this.#at += group[0].length;
    return { set: undefined, choices: Math.min(20, Math.ceil(Math.log2((group[1] ?? "").split("|").length + 1))) };
  }

  #atom(): { readonly set: CharSet; readonly choices: 0 } | undefined {
    const atom =
      /^(?:\[(?:[^\\\]]|\\.)*\]|\\u\{[0-9a-fA-F]+\}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\[pP]\{[^}]*\}|\\c[A-Za-z]|\\[^\dkbBpPuxc]|[^\\()[\]*+?{}|^$])/su.exec(
        this.rest(),
      );
    if (atom === null) return undefined;
    this.#at += atom[0].length;
    return { set: charSetOf(atom[0]), choices: 0 };
  }

  #repeat(): readonly [number, number] {
    const repeat = /^(?:([*+?])|\{(\d+)(,(\d*))?\})/.exec(this.rest());
    if (repeat === null) return [1, 1];
    this.#at += repeat[0].length;
    const [, sign, low, comma, high] = repeat;
    if (sign !== undefined) return [sign === "+" ? 1 : 0, sign === "?" ? 1 : Number.POSITIVE_INFINITY];
    const min = Number(low);
    if (comma === undefined) return [min, min];
    return [min, high === undefined || high === "" ? Number.POSITIVE_INFINITY : Number(high)];
  }
}
