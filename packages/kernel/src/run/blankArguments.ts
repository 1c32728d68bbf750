/** Strings shorter than this are too common to blank: the log would become unreadable. */
const SHORTEST = 8;

/** Most characters of a text that are looked through; the log keeps fewer. */
const LONGEST_TEXT = 16_384;

/** From so many strings on, those that can't be in a text are sorted out by one look through it: a caller may send a hundred thousand. */
const MANY = 64;

/** Most characters that are gone through to blank one text, for all strings together. A text that needs more is left out: it would hold up the server. */
const MOST_WORK = 30_000_000;

const BLANK = "[argument]";

/**
 * Makes a function that blanks every string of a call's arguments in a text, so that what callers send doesn't end up in logs. Of a text that is longer
 * than the log keeps the end is left out.
 */
export function blankArguments(args: unknown): (text: string) => string {
  // Longest first: a short one may be part of a long one.
  const secrets = [...stringsIn(args)].sort((a, b) => b.length - a.length);
  return (text) => {
    const cut = text.length > LONGEST_TEXT;
    const kept = cut ? text.slice(0, LONGEST_TEXT) : text;
    const near = secrets.length > MANY ? secrets.filter(beginningIn(kept)) : secrets;
    if (near.length * kept.length > MOST_WORK) return "(left out: too many strings of the arguments may be in it)";
    const clean = near.reduce((rest, secret) => rest.replaceAll(secret, BLANK), kept);
    return cut ? near.reduce(withoutHead, clean) : clean;
  };
}

/** Every string of the arguments, keys too, as it is and as it stands in JSON. */
function stringsIn(args: unknown): ReadonlySet<string> {
  const found = new Set<string>();
  const waiting = [args];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value === "string") {
      if (value.length >= SHORTEST) found.add(value).add(JSON.stringify(value).slice(1, -1));
    } else if (Array.isArray(value)) for (const item of value) waiting.push(item);
    else if (typeof value === "object" && value !== null) for (const [key, member] of Object.entries(value)) waiting.push(key, member);
  }
  return found;
}

/** Tells which strings begin somewhere in a text, and so may be in it. */
function beginningIn(text: string): (secret: string) => boolean {
  const heads = new Set<string>();
  for (let at = 0; at + SHORTEST <= text.length; at += 1) heads.add(text.slice(at, at + SHORTEST));
  return (secret) => heads.has(secret.slice(0, SHORTEST));
}

/** A text that was cut, without the beginning of a string that it was cut in. */
function withoutHead(text: string, secret: string): string {
  const head = secret.slice(0, SHORTEST);
  for (let at = text.indexOf(head, Math.max(0, text.length - secret.length)); at !== -1; at = text.indexOf(head, at + 1)) {
    if (secret.startsWith(text.slice(at))) return text.slice(0, at) + BLANK;
  }
  return text;
}
