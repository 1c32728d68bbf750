import { own } from "./jsonType.js";
import { type Letters, nearestWord } from "./nearestWord.js";

/** Whether two keys are one name in two conventions: `resource_type`, `resourceType`, `Resource-Type`. */
export function sameWords(a: string, b: string): boolean {
  return a !== b && foldKey(a) === foldKey(b);
}

/** A key without what tells naming conventions apart, and without quotes of its own. */
export function foldKey(key: string): string {
  return key.replace(/[\s_.\-"'`]/g, "").toLowerCase();
}

/** More unknown keys than this are no slips. */
export const MOST_COMPARED = 20;

/** The first keys of an object that are wanted, at most `most`: of an object with many others the rest isn't looked at. */
export function someKeys(object: Readonly<Record<string, unknown>>, wanted: (key: string) => boolean, most: number): readonly string[] {
  const found: string[] = [];
  for (const key in object) {
    if (found.length === most) break;
    if (Object.hasOwn(object, key) && wanted(key)) found.push(key);
  }
  return found;
}

/**
 * For each unknown key the declared one that was probably meant: the same name in another convention, else the nearest by spelling.
 * Never one that is present already.
 */
export function findMisspelt(
  unknown: readonly string[],
  declared: readonly string[],
  value: Readonly<Record<string, unknown>>,
  letters: Letters,
): Map<string, string> {
  const meant = new Map<string, string>();
  if (unknown.length === 0) return meant;
  const free = declared.filter((key) => own(value, key) === undefined);
  if (free.length === 0) return meant;
  for (const key of unknown.slice(0, MOST_COMPARED)) {
    const folded = foldKey(key);
    const suggestion = free.find((each) => each !== key && foldKey(each) === folded) ?? nearestWord(key, free, letters);
    if (suggestion !== undefined) meant.set(key, suggestion);
  }
  return meant;
}
