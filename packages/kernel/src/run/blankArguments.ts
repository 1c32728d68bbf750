/** Strings shorter than this are too common to blank: the log would become unreadable. */
const SHORTEST = 8;

/** Makes a function that blanks every string of a call's arguments in a text, so that what callers send doesn't end up in logs. */
export function blankArguments(args: unknown): (text: string) => string {
  const secrets = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value === "string") {
      if (value.length >= SHORTEST) secrets.add(value);
    } else if (typeof value === "object" && value !== null) {
      for (const [key, member] of Object.entries(value)) {
        if (!Array.isArray(value)) collect(key);
        collect(member);
      }
    }
  };
  collect(args);
  // Longest first: a short one may be part of a long one.
  const ordered = [...secrets].sort((a, b) => b.length - a.length);
  return (text) => ordered.reduce((rest, secret) => rest.replaceAll(secret, "[argument]").replaceAll(JSON.stringify(secret).slice(1, -1), "[argument]"), text);
}
