import damerauLevenshtein from "damerau-levenshtein";

/** Longer words are never misspellings that somebody can be helped with, and comparing them costs the product of their lengths. */
const LONGEST = 100;
const MOST_CANDIDATES = 1000;

/** How many pairs of letters may be compared yet. */
export interface Letters {
  left: number;
}

/** Letters for the words of one task: some ten milliseconds. A misspelt value among a hundred takes a tenth of it at most. */
export function someLetters(): Letters {
  return { left: 1_000_000 };
}

/**
 * The candidate that `word` is probably a misspelling of: edit distance, case aside, at most a third of the longer word, where two letters
 * that changed places are one edit. Undefined where none is near, or the letters are used up.
 *
 * @param letters bounds the work where many words are looked for; a call by itself has bounds of its own
 * @example nearestWord("urgnet", ["low", "urgent"]) // "urgent"
 */
export function nearestWord(word: string, candidates: Iterable<string>, letters: Letters = someLetters()): string | undefined {
  if (word.length === 0 || word.length > LONGEST) return undefined;
  const folded = word.toLowerCase();
  let nearest: string | undefined;
  let best = 1 / 3;
  let seen = 0;
  for (const candidate of candidates) {
    if (++seen > MOST_CANDIDATES || letters.left < 0) break;
    if (candidate.length > LONGEST || candidate === word) continue;
    const longest = Math.max(word.length, candidate.length);
    // Most candidates are out by their length, and most others without being compared letter by letter.
    if (Math.abs(word.length - candidate.length) / longest > best) continue;
    const other = candidate.toLowerCase();
    letters.left -= word.length;
    if (fewestEdits(folded, other) / longest > best) continue;
    letters.left -= word.length * candidate.length;
    const share = damerauLevenshtein(folded, other).steps / longest;
    if (share < best || (share === best && nearest === undefined)) {
      best = share;
      nearest = candidate;
    }
  }
  return nearest;
}

/** No two words are nearer than this. */
function fewestEdits(a: string, b: string): number {
  let missing = 0;
  for (const letter of a) if (!b.includes(letter)) missing += 1;
  return Math.max(missing, Math.abs(a.length - b.length));
}
