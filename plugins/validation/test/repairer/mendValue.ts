import { guessFormat } from "./guessFormat.js";
import { guessText } from "./guessText.js";
import { type Path, Reader } from "./reader.js";
import { onlyValue, valuesIn } from "./readMessage.js";

interface Told {
  readonly rule: string;
  readonly hint: string;
}

/** A value of the wrong type, by the hint after it. The value itself where there is none that says what to send. */
export function mendType({ expected, hint }: { readonly expected: string; readonly hint: string }, value: unknown): unknown {
  const hinted = byHint(hint, value);
  if (hinted !== undefined) return hinted.value;
  const listed = valuesIn(expected);
  if (listed?.all && listed.values.length === 1) return listed.values[0];
  return onlyValue(new Reader(expected))?.value ?? value;
}

function byHint(hint: string, value: unknown): { readonly value: unknown } | undefined {
  if (hint.startsWith("Did you mean ")) return new Reader(hint, "Did you mean ".length).value();
  if (hint === "Put it in quotes") return { value: String(value) };
  if (hint === "Send the item without the list" && Array.isArray(value)) return { value: value[0] };
  if (hint === "Send a list in square brackets") return { value: typeof value === "string" ? value.split(",").map((item) => item.trim()) : [value] };
  if (hint === "Send true or false, without quotes") return yesOrNo(value);
  if (/^Send the (?:object|array) itself, not as text$/u.test(hint)) return { value: JSON.parse(String(value)) };
  if (/^Send \S+ without quotes$/u.test(hint)) return new Reader(hint, "Send ".length).value();
  return undefined;
}

function yesOrNo(value: unknown): { readonly value: boolean } | undefined {
  const text = String(value).trim().toLowerCase();
  if (["yes", "y", "on", "1"].includes(text)) return { value: true };
  return ["no", "n", "off", "0"].includes(text) ? { value: false } : undefined;
}

/** A value that breaks a rule. The value itself where only the caller can know what was meant. */
export function mendRule({ rule, hint }: Told, value: unknown): unknown {
  const hinted = byHint(hint, value);
  if (hinted !== undefined) return hinted.value;
  if (typeof value === "number" && (rule.startsWith("be ") || rule.startsWith("have "))) return mendNumber(rule.slice(3), value);
  if (rule.startsWith("match pattern ") && typeof value === "string") return guessText(value, ...patternOf(rule)) ?? value;
  if (rule.startsWith("match format ") && typeof value === "string") return guessFormat(value, /^match format (\S+)/u.exec(rule)?.[1] ?? "") ?? value;
  if (rule.startsWith("have ")) return cut(rule, value);
  if (Array.isArray(value)) return mendList(rule, value);
  return rule.startsWith("be ") ? mendChoice(rule.slice(3), value) : value;
}

/** A pattern and its example. */
function patternOf(rule: string): readonly [pattern: string, example: string | undefined] {
  const text = rule.slice("match pattern ".length);
  const example = / \(e\.g\. ("(?:[^"\\]|\\.)*")\)$/u.exec(text);
  return example === null ? [text, undefined] : [text.slice(0, example.index), String(JSON.parse(example[1] ?? '""'))];
}

/** The key that a key which breaks a rule was to be. */
export function renamed({ path, rule, hint }: Told & { readonly path: Path }): string | undefined {
  const key = path.at(-1);
  if (typeof key !== "string") return undefined;
  const mended = mendRule({ rule, hint }, key);
  return typeof mended === "string" && mended !== key ? mended : undefined;
}

function mendNumber(rule: string, value: number): unknown {
  const step = /^a multiple of (\S+)$/u.exec(rule)?.[1];
  if (step !== undefined) return Number((Math.round(value / Number(step)) * Number(step)).toPrecision(12));
  const bound = (pattern: RegExp): number | undefined => {
    const found = pattern.exec(rule)?.[1];
    return found === undefined ? undefined : Number(found);
  };
  const low = bound(/\b(?:between|at least) (\S+)/u);
  const high = bound(/(?:\bat most|\band) (-?[\d.e+-]+)$/u);
  if (low !== undefined && value < low) return low;
  if (high !== undefined && value > high) return high;
  const above = bound(/\bmore than (\S+)/u);
  const below = bound(/\bless than (\S+)/u);
  // The next whole number, where only whole ones are in play.
  if (above !== undefined && value <= above && Number.isInteger(above) && Number.isInteger(value)) return above + 1;
  if (below !== undefined && value >= below && Number.isInteger(below) && Number.isInteger(value)) return below - 1;
  return mendChoice(rule, value);
}

function mendChoice(rule: string, value: unknown): unknown {
  const only = onlyValue(new Reader(rule));
  if (only !== undefined) return only.value;
  const values = valuesIn(rule)?.values ?? [];
  const fold = (each: unknown): string =>
    String(each)
      .toLowerCase()
      .replaceAll(/[\s_-]/gu, "");
  const alike = values.filter((each) => fold(each) === fold(value));
  if (alike.length === 1) return alike[0];
  // One of several forms: the only one that the text can be brought into.
  const formats = [...rule.matchAll(/string in format (\S+)/gu)].map(([, format]) => guessFormat(String(value), format ?? ""));
  const guesses = [...new Set(formats.filter((guess) => guess !== undefined))];
  return guesses.length === 1 ? guesses[0] : value;
}

/** A text or list that is too long. What it is short of isn't known. */
function cut(rule: string, value: unknown): unknown {
  const schema = /^have no more items than its schema describes: item (\d+) is/u.exec(rule);
  const most = Number(schema?.[1] ?? /^have (?:exactly|at most|between \d+ and) (\d+) (?:character|item)/u.exec(rule)?.[1] ?? Number.NaN);
  if (Number.isNaN(most)) return value;
  if (Array.isArray(value)) return value.slice(0, most);
  if (typeof value !== "string") return value;
  const trimmed = [...value.trim()];
  return trimmed.slice(0, most).join("").trimEnd();
}

function mendList(rule: string, value: readonly unknown[]): unknown {
  if (rule === "be empty") return [];
  if (rule.startsWith("not hold the same item twice")) return value.filter((item, i) => value.findIndex((each) => same(each, item)) === i);
  const contains = /^contain (?:(at least|exactly|at most) (\d+)|between (\d+) and \d+) items? like this: /u.exec(rule);
  const like = contains === null ? undefined : onlyValue(new Reader(rule, contains[0].length));
  if (contains === null || like === undefined) return mendChoice(rule.replace(/^be /u, ""), value);
  const wanted = Number(contains[2] ?? contains[3]);
  const found = value.filter((each) => same(each, like.value)).length;
  if (found <= wanted) return [...value, ...Array.from({ length: wanted - found }, () => like.value)];
  let kept = 0;
  return value.filter((each) => !same(each, like.value) || ++kept <= wanted);
}

function same(a: unknown, b: unknown): boolean {
  return canonical(a) === canonical(b);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, each) =>
    typeof each === "object" && each !== null && !Array.isArray(each) ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1))) : each,
  );
}
