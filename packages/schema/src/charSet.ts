/**
 * Which characters one atom of a pattern matches: all of ASCII exactly, the rest as "perhaps some".
 */
export interface CharSet {
  readonly ascii: readonly boolean[];
  readonly beyond: boolean;
}

const PROBES = ["\u00a0", "é", "Ω", "\u2028", "一", "\ufeff", "😀"];
const OPEN_ENDED = /\\[SWDPpuUxc]|\[\^|^\.$|[^\0-\x7f]/;

/** The characters that a one-character atom (`a`, `\d`, `[^-]`, `.`) matches. */
export function charSetOf(atom: string): CharSet {
  const one = new RegExp(`^(?:${atom})$`, "u");
  const ascii = Array.from({ length: 128 }, (_, code) => one.test(String.fromCharCode(code)));
  return { ascii, beyond: OPEN_ENDED.test(atom) || PROBES.some((probe) => one.test(probe)) };
}

/** Whether no character is in both. */
export function areDisjoint(a: CharSet, b: CharSet): boolean {
  return !(a.beyond && b.beyond) && !a.ascii.some((has, code) => has && b.ascii[code]);
}
