import { own } from "./jsonType.js";
import { nearestWord } from "./nearestWord.js";

/** Whether two keys are one name in two conventions: `resource_type`, `resourceType`, `Resource-Type`. */
export function sameWords(a: string, b: string): boolean {
  return a !== b && foldKey(a) === foldKey(b);
}

/** A key without what tells naming conventions apart. */
export function foldKey(key: string): string {
  return key.replace(/[\s_.-]/g, "").toLowerCase();
}

/**
 * For each unknown key the declared one that was probably meant: the same name in another convention, else the nearest by spelling.
 * Never one that is present already.
 */
export function findMisspelt(unknown: readonly string[], declared: readonly string[], value: Readonly<Record<string, unknown>>): Map<string, string> {
  const meant = new Map<string, string>();
  if (unknown.length === 0) return meant;
  const free = declared.filter((key) => own(value, key) === undefined);
  if (free.length === 0) return meant;
  for (const key of unknown.slice(0, 20)) {
    const suggestion = free.find((each) => sameWords(key, each)) ?? nearestWord(key, free);
    if (suggestion !== undefined) meant.set(key, suggestion);
  }
  return meant;
}
