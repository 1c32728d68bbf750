/**
 * Whether a text of a spec is still to be written: it begins with `TODO:` (rule T-TODO-1). What stands there speaks to the author, so whoever shows texts
 * to models or to callers leaves it out.
 */
export function isUnwritten(text: string): boolean {
  return /^\s*TODO:/.test(text);
}
