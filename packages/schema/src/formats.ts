// The table alone: the package itself brings Ajv along.
import { fullFormats } from "ajv-formats/dist/formats.js";

/** A check of a text. */
export type FormatCheck = (text: string) => boolean;

/** No text of these formats is longer: RFC 5321, RFC 1035, and dates of any sane year. */
const SHORT: Readonly<Record<string, number>> = {
  date: 20,
  time: 40,
  "date-time": 60,
  duration: 200,
  email: 320,
  "idn-email": 320,
  hostname: 255,
  ipv4: 15,
  ipv6: 45,
  uuid: 36,
};
const ENFORCED = [...Object.keys(SHORT), "uri", "uri-reference", "iri", "iri-reference", "uri-template", "json-pointer", "relative-json-pointer", "regex"];
/** What surely is a date-time: up to the 28th of a month, up to second 59. The rest, and what is none, is the library's to say, which takes ten times as long. */
const SURE_TIME = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** What an IRI may hold where a URI has a percent-encoded byte: `ucschar` of RFC 3987, 2.2. */
const UCSCHAR = /[\u{A0}-\u{D7FF}\u{F900}-\u{FDCF}\u{FDF0}-\u{FFEF}\u{10000}-\u{EFFFD}]/gu;
/** What the parts of an address may hold beside ASCII by RFC 6531: anything but controls, blanks and what means nothing. */
const BEYOND_ASCII = /[^\p{ASCII}\p{C}\p{Z}]/gu;
/** Formats that are another one once each of these characters has a stand-in. */
const INTERNATIONAL: Readonly<Record<string, { readonly as: string; readonly characters: RegExp; readonly standIn: string }>> = {
  iri: { as: "uri", characters: UCSCHAR, standIn: "%AA" },
  "iri-reference": { as: "uri-reference", characters: UCSCHAR, standIn: "%AA" },
  "idn-email": { as: "email", characters: BEYOND_ASCII, standIn: "a" },
};

const FORMATS: Readonly<Record<string, unknown>> = fullFormats;

let table: ReadonlyMap<string, FormatCheck> | undefined;

/** The formats that are enforced, by name. All others only annotate, those of OpenAPI (`int32`, `password`) too. */
export function formatChecks(): ReadonlyMap<string, FormatCheck> {
  table ??= makeTable();
  return table;
}

function makeTable(): ReadonlyMap<string, FormatCheck> {
  const checks = new Map<string, FormatCheck>();
  for (const name of ENFORCED) {
    const check = toCheck(name, FORMATS[name]);
    const longest = SHORT[name];
    if (check !== undefined) checks.set(name, longest === undefined ? check : (text) => text.length <= longest && check(text));
  }
  return checks;
}

function toCheck(name: string, format: unknown): FormatCheck | undefined {
  const international = INTERNATIONAL[name];
  if (international !== undefined) {
    const { as, characters, standIn } = international;
    const check = toCheck(as, FORMATS[as]);
    return check && ((text) => check(text.replace(characters, standIn)));
  }
  // ajv-formats also takes "urn:uuid:..." for a uuid and a blank for the T of RFC 3339.
  if (name === "uuid") return (text) => UUID.test(text);
  if (format instanceof RegExp) return (text) => format.test(text);
  if (typeof format === "function" && name === "date-time") return (text) => SURE_TIME.test(text) || (!/\s/.test(text) && format(text) === true);
  if (typeof format === "function") return (text) => format(text) === true;
  if (typeof format === "object" && format !== null && "validate" in format) return toCheck(name, format.validate);
  return undefined;
}
