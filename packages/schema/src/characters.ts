/** Whether a text has fewer code points than `count`. They are counted only where the length in UTF-16 leaves it open: it is up to twice as much. */
export function hasFewer(text: string, count: number): boolean {
  if (text.length < count) return true;
  return text.length < 2 * count && countCharacters(text) < count;
}

/** Code points, as JSON Schema counts: an emoji is one. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
