import { areDisjoint, type CharSet, charSetOf } from "./charSet.js";

/** Product of choices that a backtracking engine may try at one place; a constant factor, so it has to be small. */
const MOST_CHOICES = 1_000;
const MOST_CHOICES_ANYWHERE = 32;

interface Step {
  readonly set: CharSet | undefined;
  readonly min: number;
  readonly max: number;
  /** The steps of a group that may be repeated without end. `set` is what the first of them takes. */
  readonly round?: readonly Step[];
}

/**
 * Whether a backtracking engine surely matches a pattern in time linear in the text. It says no wherever that takes more than a glance:
 * yes only for a plain row of characters and classes, with groups and look-arounds that hold no open repeats, where a repeat can't compete with
 * what follows it; and for lists with separators, `^(?:[a-z]+-)*[a-z]+$` and `^[a-z]+(?:\\.[a-z]+)*$`.
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
    const later = row.slice(i + 1).filter(isOpen);
    if (step.round !== undefined) {
      if (!isLinearList(step.round, row.slice(i + 1))) return false;
      continue;
    }
    // The last repeat may compete with what follows: it gives back one character at a time, once. So may one before a list that ends the row.
    const isBeforeLastList = later.length === 1 && row[i + 1]?.round !== undefined && areApart(step, row[i + 1]);
    if (later.length > 0 && !isBeforeLastList && !isFollowedApart(row, i)) return false;
  }
  if (unbounded > 0) return anchored && choices <= MOST_CHOICES_ANYWHERE;
  return choices <= (anchored ? MOST_CHOICES : MOST_CHOICES_ANYWHERE);
}

/** Whether the character after a repeat can't be one of the repeat. */
function isFollowedApart(row: readonly Step[], i: number): boolean {
  const next = row[i + 1];
  return next !== undefined && next.min > 0 && areApart(row[i], next);
}

function areApart(a: Step | undefined, b: Step | undefined): boolean {
  return a?.set !== undefined && b?.set !== undefined && areDisjoint(a.set, b.set);
}

function isOpen(step: Step): boolean {
  return step.max === Number.POSITIVE_INFINITY;
}

/**
 * Whether a text can be cut into rounds in one way only, and what follows the list is tried for few characters behind each round: for as many as its
 * bounded steps take, or up to a separator in the next round that its open one can't pass.
 */
function isLinearList(round: readonly Step[], after: readonly Step[]): boolean {
  if (round.some((step, k) => isOpen(step) && !areApart(step, round[k + 1] ?? round[0]))) return false;
  const open = after.filter(isOpen);
  const [first] = after;
  if (open.length === 0) return true;
  const last = round.at(-1);
  return (
    open.length === 1 && open[0] === first && first?.round === undefined && last !== undefined && !isOpen(last) && round.some((step) => areApart(step, first))
  );
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
      const list = char === "(" ? this.#list() : undefined;
      if (list !== undefined) {
        steps.push(list);
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

  /** A group that may be repeated without end, of steps that are all there in each round: `(?:[a-z]+-)*`. */
  #list(): Step | undefined {
    const start = this.#at;
    this.#at += /^\((?:\?:|\?<\w+>)?/.exec(this.rest())?.[0].length ?? 0;
    const round: Step[] = [];
    while (!this.take(")")) {
      const atom = this.#atom();
      const [min, max] = this.#repeat();
      if (atom === undefined || min === 0 || (max !== min && max !== Number.POSITIVE_INFINITY)) {
        this.#at = start;
        return undefined;
      }
      if (max > min) this.take("?");
      round.push({ set: atom.set, min, max });
    }
    const [min, max] = this.#repeat();
    const [first] = round;
    if (first === undefined || max !== Number.POSITIVE_INFINITY) {
      this.#at = start;
      return undefined;
    }
    this.take("?");
    return { set: first.set, min, max, round };
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
