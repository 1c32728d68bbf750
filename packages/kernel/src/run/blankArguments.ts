/** Strings shorter than this are too common to blank: the log would become unreadable. */
const SHORTEST = 8;

/** Most characters of a text that are looked through; the log keeps fewer. */
const LONGEST_TEXT = 32_768;

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
    const clean = secrets.reduce(blanked, cut ? text.slice(0, LONGEST_TEXT) : text);
    return cut ? secrets.reduce(withoutHead, clean) : clean;
  };
}

function stringsIn(args: unknown): ReadonlySet<string> {
  const found = new Set<string>();
  const waiting = [args];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value === "string") {
      if (value.length >= SHORTEST) found.add(value);
    } else if (Array.isArray(value)) for (const item of value) waiting.push(item);
    else if (typeof value === "object" && value !== null) for (const [key, member] of Object.entries(value)) waiting.push(key, member);
  }
  return found;
}

function blanked(text: string, secret: string): string {
  return text.replaceAll(secret, BLANK).replaceAll(JSON.stringify(secret).slice(1, -1), BLANK);
}

/** A text that was cut, without the beginning of a string that it was cut in. */
function withoutHead(text: string, secret: string): string {
  for (const whole of [secret, JSON.stringify(secret).slice(1, -1)]) {
    const head = whole.slice(0, SHORTEST);
    for (let at = text.indexOf(head, Math.max(0, text.length - whole.length)); at !== -1; at = text.indexOf(head, at + 1)) {
      if (whole.startsWith(text.slice(at))) return text.slice(0, at) + BLANK;
    }
  }
  return text;
}
