/** Ways to write a text otherwise, without another meaning: the first ones change least. */
const WAYS: readonly ((text: string) => string)[] = [
  (text) => text.trim(),
  (text) => text.trim().replace(/^(["'`])(.*)\1$/su, "$2"),
  (text) => text.trim().replaceAll(/[\s_]+/gu, "-"),
  (text) => text.trim().replaceAll(/[\s-]+/gu, "_"),
  (text) => text.trim().replaceAll(/[\s/]+/gu, "-"),
  (text) => text.trim().replaceAll(/[^\p{L}\p{N}]+/gu, "-"),
  (text) => text.trim().replaceAll(/[^\p{L}\p{N}]+/gu, "_"),
  (text) => text.replaceAll(/[\s,]+/gu, ""),
  (text) => text.replace(/^[#@$]+/u, ""),
  (text) => text.replaceAll(/[^\p{L}\p{N}]+/gu, ""),
  (text) => text.replaceAll(/[^\d+.-]+/gu, ""),
  (text) => text.replaceAll(/\D+/gu, ""),
];
const CASES: readonly ((text: string) => string)[] = [(text) => text, (text) => text.toUpperCase(), (text) => text.toLowerCase()];
const LONGEST_NUMBER = 12;

/**
 * The text that was probably meant where one must match a pattern: the same one in another case or with other separators, with the fixed beginning
 * that the pattern or its example has, with zeros before its number. Undefined where no such text matches.
 */
export function guessText(text: string, pattern: string, example?: string): string | undefined {
  const matches = matcherOf(pattern);
  if (matches === undefined) return undefined;
  const written = WAYS.flatMap((way) => CASES.map((inCase) => inCase(way(text))));
  const begins = [...beginnings(pattern, example)];
  const begun = begins.flatMap((begin) => written.map((each) => `${begin}${each}`));
  for (const each of [...written, ...begun]) if (matches(each)) return each;
  for (const each of [...written, ...begun]) {
    const padded = withZeros(each).find(matches);
    if (padded !== undefined) return padded;
  }
  return regrouped(text, example).find(matches);
}

function matcherOf(pattern: string): ((text: string) => boolean) | undefined {
  try {
    const compiled = new RegExp(pattern, "u");
    return (text) => compiled.test(text);
  } catch {
    return undefined;
  }
}

/** `ORD-` of `^ORD-[0-9]+$` and of the example `ORD-12`. */
function* beginnings(pattern: string, example: string | undefined): Iterable<string> {
  const literal = /^\^((?:[\w\s:/#@-]|\\[./-])+)/u.exec(pattern)?.[1]?.replaceAll("\\", "");
  if (literal !== undefined) yield literal;
  const begin = example === undefined ? undefined : /^\D+/u.exec(example)?.[0];
  if (begin !== undefined) yield begin;
}

function withZeros(text: string): readonly string[] {
  const number = /\d+$/u.exec(text)?.[0];
  if (number === undefined) return [];
  const before = text.slice(0, -number.length);
  return Array.from({ length: LONGEST_NUMBER }, (_, i) => before + number.padStart(i + 1, "0"));
}

/** The letters and digits of a text with the separators where an example of the same length has them: `AB12` as `AB-12`. */
function regrouped(text: string, example: string | undefined): readonly string[] {
  const letters = text.replaceAll(/[^\p{L}\p{N}]/gu, "");
  if (example === undefined || letters.length !== example.replaceAll(/[^\p{L}\p{N}]/gu, "").length) return [];
  let next = 0;
  const written = example.replaceAll(/[\p{L}\p{N}]/gu, () => letters.charAt(next++));
  return CASES.map((inCase) => inCase(written));
}
