const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const UNITS: Readonly<Record<string, readonly [before: string, unit: string]>> = {
  s: ["PT", "S"],
  m: ["PT", "M"],
  h: ["PT", "H"],
  d: ["P", "D"],
  w: ["P", "W"],
};
const SCHEME = /^[a-z][a-z0-9+.-]*:/iu;

/** How a text is brought into a format, as anybody knows who knows the format. */
const WAYS: Readonly<Record<string, (text: string) => string | undefined>> = {
  date: asDate,
  "date-time": asDateTime,
  time: asTime,
  duration: asDuration,
  email: asEmail,
  "idn-email": asEmail,
  hostname: (text) => asHost(text),
  ipv4: (text) => /(?:\d{1,3}\.){3}\d{1,3}/u.exec(text)?.[0],
  ipv6: (text) => /^\[([\da-f:]+)\]/iu.exec(text)?.[1],
  uri: asUri,
  iri: asUri,
  uuid: asUuid,
  "json-pointer": (text) => `/${text.replaceAll(/[.[\]/]+/gu, "/").replaceAll(/^\/|\/$/gu, "")}`,
};

/** The text in a format, where it can be brought into it. */
export function guessFormat(text: string, format: string): string | undefined {
  const way = Object.hasOwn(WAYS, format) ? WAYS[format] : undefined;
  return way?.(text.trim());
}

const two = (digits: string | number | undefined): string => String(digits).padStart(2, "0");

function asDate(text: string): string | undefined {
  const [, year, month, day] = /^(\d{4})[-/.]?(\d{1,2})[-/.]?(\d{1,2})(?:[T\s].*)?$/u.exec(text) ?? [];
  if (year !== undefined) return `${year}-${two(month)}-${two(day)}`;
  const [, first, second, last] = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})$/u.exec(text) ?? [];
  if (last !== undefined) {
    const dayFirst = text.includes(".") || Number(first) > 12;
    if (!dayFirst && Number(second) <= 12) return undefined;
    return dayFirst ? `${last}-${two(second)}-${two(first)}` : `${last}-${two(first)}-${two(second)}`;
  }
  const name = MONTHS.findIndex((month) => text.toLowerCase().includes(month)) + 1;
  const written = /\b(\d{4})\b/u.exec(text)?.[1];
  const number = /\b(\d{1,2})(?:st|nd|rd|th)?\b/u.exec(text)?.[1];
  return name > 0 && written !== undefined && number !== undefined ? `${written}-${two(name)}-${two(number)}` : undefined;
}

function asTime(text: string): string | undefined {
  const [, hour, minute, second = "00", fraction = "", zone = "Z"] = /^(\d{1,2}):(\d{2})(?::(\d{2})(\.\d+)?)?\s*(Z|[+-]\d{2}:\d{2})?$/iu.exec(text) ?? [];
  return hour === undefined ? undefined : `${two(hour)}:${minute}:${second}${fraction}${zone.toUpperCase()}`;
}

function asDateTime(text: string): string | undefined {
  const [day = "", ...clock] = text.split(/[T\s]+/iu);
  const date = asDate(day);
  const time = clock.length === 0 ? "00:00:00Z" : asTime(clock.join(""));
  return date === undefined || time === undefined ? undefined : `${date}T${time}`;
}

function asDuration(text: string): string | undefined {
  const [, number, unit] = /^(\d+)\s*(s|m|h|d|w)[a-z]*$/iu.exec(text) ?? [];
  const [before, after] = UNITS[unit?.toLowerCase() ?? ""] ?? [];
  return number === undefined || before === undefined ? undefined : `${before}${number}${after}`;
}

function asEmail(text: string): string | undefined {
  const plain = text.replace(/\s+(?:\(at\)|\[at\]|at)\s+/iu, "@").replaceAll(/\s+(?:\(dot\)|\[dot\]|dot)\s+/giu, ".");
  return /[^\s<>:;,"]+@[^\s<>:;,"]+/u.exec(plain)?.[0];
}

function asHost(text: string): string | undefined {
  const host = text.replace(/^[a-z][a-z0-9+.-]*:\/\//iu, "").replace(/[/:?#].*$/su, "");
  return host === "" ? undefined : host.replaceAll(/[\s_]+/gu, "-");
}

function asUri(text: string): string | undefined {
  const whole = text.replace(/^<(.*)>$/su, "$1");
  return (SCHEME.test(whole) ? whole : `https://${whole.replace(/^\/\//u, "")}`).replaceAll(/\s/gu, "%20");
}

function asUuid(text: string): string | undefined {
  const hex = text.replace(/^urn:uuid:/iu, "").replaceAll(/[{}\s-]/gu, "");
  return /^[\da-f]{32}$/iu.test(hex) ? hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/u, "$1-$2-$3-$4-$5") : undefined;
}
