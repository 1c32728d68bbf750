/**
 * The beginning and the end of a text of any length. What a program has to say stands at either of them: a cause comes first, a
 * summary last.
 */
export class HeadAndTail {
  readonly #half: number;
  #head = "";
  #tail = "";
  #length = 0;

  /** @param half characters to keep of each end */
  constructor(half: number) {
    this.#half = half;
  }

  add(text: string): void {
    this.#length += text.length;
    const room = this.#half - this.#head.length;
    if (room > 0) this.#head += text.slice(0, room);
    this.#tail += text.slice(Math.max(0, room));
    if (this.#tail.length > this.#half * 2) this.#tail = this.#tail.slice(-this.#half);
  }

  /** All of it, or both ends with a line between them that says how much is missing. */
  toString(): string {
    const tail = this.#tail.slice(-this.#half);
    const missing = this.#length - this.#head.length - tail.length;
    return missing > 0 ? `${this.#head}\n${leftOut(missing)}\n${tail}` : this.#head + tail;
  }
}

const leftOut = (characters: number): string => `\u2026 [${characters} characters left out] \u2026`;

/** Characters that an earlier cut has left out already. */
const missingIn = (text: string): number =>
  [...text.matchAll(/\u2026 \[(\d+) characters left out\] \u2026/g)].reduce((sum, [, count]) => sum + Number(count), 0);

/** A text of at most some `most` characters: its beginning, how much is left out, and the larger part of its end. */
export function bothEnds(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = text.slice(0, Math.floor(most * 0.4));
  const tail = text.slice(text.length - Math.floor(most * 0.6));
  const middle = text.slice(head.length, text.length - tail.length);
  return `${head}\n${leftOut(middle.length + missingIn(middle))}\n${tail}`;
}
