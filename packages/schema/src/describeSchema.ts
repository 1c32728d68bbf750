import type { JsonSchema } from "@fettle/contract";
import { defaultOf } from "./defaultOf.js";
import { formatName } from "./formatPath.js";
import { isObject, isSchema, type Members, own } from "./jsonType.js";
import type { SchemaIndex } from "./schemaIndex.js";
import { showValue } from "./showValue.js";

const MOST_VALUES = 15;
const LONGEST_ROW = 200;
const DEEPEST = 6;

const FORMAT_HINTS: Readonly<Record<string, string>> = {
  date: 'YYYY-MM-DD, e.g. "2026-12-31"',
  "date-time": 'YYYY-MM-DDTHH:MM:SSZ, e.g. "2026-12-31T23:59:59Z"',
  time: 'HH:MM:SSZ, e.g. "23:59:59Z"',
  duration: 'ISO 8601, e.g. "P1DT12H"',
  email: 'e.g. "ada@example.org"',
  hostname: 'e.g. "www.example.org"',
  ipv4: 'e.g. "192.0.2.1"',
  ipv6: 'e.g. "2001:db8::1"',
  uri: 'e.g. "https://example.org/a"',
  "uri-reference": 'e.g. "/a?b=1"',
  iri: 'e.g. "https://exämple.org/ä"',
  "iri-reference": 'e.g. "/ä"',
  "idn-email": 'e.g. "jörg@exämple.org"',
  "uri-template": 'e.g. "/a/{id}"',
  uuid: 'e.g. "123e4567-e89b-12d3-a456-426614174000"',
  "json-pointer": 'e.g. "/a/0"',
  "relative-json-pointer": 'e.g. "1/a"',
  regex: 'a regular expression, e.g. "^[a-z]+$"',
};

/** `format date (YYYY-MM-DD, e.g. "2026-12-31")`. */
export function formatText(format: string): string {
  const hint = Object.hasOwn(FORMAT_HINTS, format) ? FORMAT_HINTS[format] : undefined;
  return hint === undefined ? `format ${format}` : `format ${format} (${hint})`;
}

/** `["a","b"]`: at most 15 values and about 200 characters, and then how many more there are. */
export function valuesText(values: readonly unknown[]): string {
  return `[${inRow(values, (value) => showValue(value, 40), ",", ", and ")}]`;
}

/**
 * As many entries as there is room for in a line that also has to say what came and what was meant, and how many more there are. Only those that are
 * shown are made a text: there may be thousands.
 */
function inRow<T>(entries: readonly T[], show: (entry: T) => string, comma: string, and: string, most: number = MOST_VALUES): string {
  let row = "";
  for (const [i, entry] of entries.entries()) {
    const text = i < most ? show(entry) : undefined;
    if (text === undefined || (i > 0 && row.length + text.length > LONGEST_ROW)) return `${row}${and}${entries.length - i} more`;
    row += i === 0 ? text : comma + text;
  }
  return row;
}

/** `a, b or c`. */
export function joinOr(words: readonly string[]): string {
  const unique = [...new Set(words)];
  return unique.length < 2 ? unique.join("") : `${unique.slice(0, -1).join(", ")} or ${unique.at(-1)}`;
}

/** Names in a row, at most 15 and about 200 characters, and then how many more; what isn't plain is in quotes, where `show` doesn't say otherwise. */
export function namesText(names: readonly string[], show: (name: string) => string = formatName, most: number = MOST_VALUES): string {
  return inRow(names, show, ", ", " and ", most);
}

/** `, one of ["a","b"]. The default is "a"`: what is said of an argument that isn't there. */
export function wantedText(index: SchemaIndex, schema: JsonSchema): string {
  const what = describeSchema(index, schema);
  const fallback = defaultOf(index, schema);
  return (what === undefined ? "" : `, ${what}`) + (fallback === undefined ? "" : `. The default is ${showValue(fallback)}`);
}

/** `between 1 and 100`, `at least 1`, `more than 0 and at most 1`: the bounds of a number, undefined without any. */
export function boundsText(schema: Members): string | undefined {
  const number = (key: string): number | undefined => {
    const value = own(schema, key);
    return typeof value === "number" ? value : undefined;
  };
  const min = number("minimum");
  const max = number("maximum");
  const above = number("exclusiveMinimum");
  const below = number("exclusiveMaximum");
  const lowIsOpen = above !== undefined && (min === undefined || above >= min);
  const highIsOpen = below !== undefined && (max === undefined || below <= max);
  if (!lowIsOpen && !highIsOpen && min !== undefined && max !== undefined) return `between ${min} and ${max}`;
  const low = lowIsOpen ? `more than ${above}` : min === undefined ? undefined : `at least ${min}`;
  const high = highIsOpen ? `less than ${below}` : max === undefined ? undefined : `at most ${max}`;
  return low !== undefined && high !== undefined ? `${low} and ${high}` : (low ?? high);
}

/** `between 2 and 5 items`, `at least 1 character`: two bounds on a count. Undefined without any. */
export function countText(min: unknown, max: unknown, one: string, many: string): string | undefined {
  const unit = (n: unknown): string => (n === 1 ? one : many);
  const low = typeof min === "number" && min > 0 ? min : undefined;
  const high = typeof max === "number" ? max : undefined;
  if (low !== undefined && high !== undefined) return low === high ? `exactly ${low} ${unit(low)}` : `between ${low} and ${high} ${unit(high)}`;
  if (low !== undefined) return `at least ${low} ${unit(low)}`;
  return high === undefined ? undefined : `at most ${high} ${unit(high)}`;
}

/** What fits a schema, in a few words: `integer between 1 and 100`, `one of ["a","b"]`. Undefined where it says nothing short. */
export function describeSchema(index: SchemaIndex, schema: JsonSchema, depth: number = 0): string | undefined {
  if (typeof schema === "boolean" || depth > DEEPEST) return undefined;
  if (Object.hasOwn(schema, "const")) return showValue(own(schema, "const"));
  const values = own(schema, "enum");
  if (Array.isArray(values)) return values.length === 1 ? showValue(values[0]) : `one of ${valuesText(values)}`;
  const type = own(schema, "type");
  if (typeof type === "string") return describeType(index, schema, type, depth);
  if (Array.isArray(type)) return joinOr(type.map((each) => describeType(index, schema, String(each), depth)));
  for (const key of ["anyOf", "oneOf"]) {
    const branches = own(schema, key);
    if (!Array.isArray(branches) || branches.length === 0 || branches.length > MOST_VALUES) continue;
    const words = branches.map((branch) => (isSchema(branch) ? describeSchema(index, branch, depth + 1) : undefined));
    if (words.every((word) => word !== undefined)) return joinOr(words);
  }
  const ref = own(schema, "$ref");
  if (typeof ref === "string") {
    const target = index.resolve(schema, ref);
    if (target !== undefined) return describeSchema(index, target.schema, depth + 1);
  }
  const all = own(schema, "allOf");
  if (Array.isArray(all)) {
    for (const each of all) {
      const word = isSchema(each) ? describeSchema(index, each, depth + 1) : undefined;
      if (word !== undefined) return word;
    }
  }
  return undefined;
}

function describeType(index: SchemaIndex, schema: Members, type: string, depth: number): string {
  switch (type) {
    case "integer":
    case "number": {
      const bounds = boundsText(schema);
      return bounds === undefined ? type : `${type} ${bounds}`;
    }
    case "string": {
      const format = own(schema, "format");
      if (typeof format === "string") return `string in ${formatText(format)}`;
      const length = countText(own(schema, "minLength"), own(schema, "maxLength"), "character", "characters");
      return length === undefined || own(schema, "minLength") === 1 ? type : `string of ${length}`;
    }
    case "array": {
      const items = own(schema, "items");
      const word = isObject(items) && isSchema(items) ? describeSchema(index, items, depth + 2) : undefined;
      return word === undefined ? type : `array of ${word}`;
    }
    case "object": {
      const required = own(schema, "required");
      const names = Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
      return names.length === 0 || depth > 1 ? type : `object with ${namesText(names, formatName, 5)}`;
    }
    default:
      return type;
  }
}
