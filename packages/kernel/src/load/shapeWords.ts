import type { JsonObject, JsonPath } from "@fettle/contract";
import { nearestWord, type Problem } from "@fettle/schema";
import type { SourceDocument } from "./sourceDocument.js";
import { valueAt } from "./valueAt.js";

/** What can be wrong with the shape of a document; both tables of codes have them. */
export type ShapeCode =
  | "unknown-key"
  | "missing-field"
  | "wrong-type"
  | "wrong-value"
  | "bad-format"
  | "too-long"
  | "too-short"
  | "out-of-range"
  | "duplicate-item";

/** A problem as the author of the file should read it. Message and hint read well when they are joined by `. `. */
export interface WordedProblem {
  readonly code: ShapeCode;
  readonly message: string;
  readonly hint?: string | undefined;
}

/**
 * Words a problem with a document for the person who wrote it.
 *
 * @param root - the value that was checked
 * @param path - where the problem is in the document, which `root` may be a part of
 */
export function wordProblem(problem: Problem, root: unknown, document: SourceDocument, path: JsonPath): WordedProblem {
  const schema: JsonObject = typeof problem.schema === "object" ? problem.schema : {};
  const value = valueAt(root, problem.path);
  const description = typeof schema["description"] === "string" ? schema["description"] : undefined;
  const wanted = description && `Wanted here: ${description}`;
  const limit = schema[problem.keyword];
  const length = Array.isArray(value) ? value.length : isObject(value) ? Object.keys(value).length : [...String(value)].length;
  switch (problem.keyword) {
    case "additionalProperties":
    case "unevaluatedProperties":
      return unknownKey(problem, schema, value);
    case "propertyNames": {
      const names = schema["propertyNames"];
      const form = isObject(names) && typeof names["description"] === "string" ? names["description"] : undefined;
      return form === undefined
        ? unknownKey(problem, schema, value)
        : { code: "unknown-key", message: `${show(problem.key)} is not a key here`, hint: `Wanted here: ${form}` };
    }
    case "required": {
      const missing = problem.key ?? "";
      const property = ((schema["properties"] ?? {}) as Record<string, JsonObject>)[missing];
      const what = typeof property?.["description"] === "string" ? property["description"] : undefined;
      return { code: "missing-field", message: `"${missing}" is missing`, hint: what ? `Add it: ${what}` : "Add it." };
    }
    case "type":
      return wrongType(schema, value, valueAt(document.data, path) === value ? document.written(path) : undefined, description);
    case "const":
      return { code: "wrong-value", message: `must be ${show(limit)}, got ${show(value)}`, hint: wanted ?? `Write ${show(limit)}.` };
    case "enum": {
      const allowed = Array.isArray(limit) ? limit : [];
      const texts = allowed.filter((item): item is string => typeof item === "string");
      const near = typeof value === "string" ? nearestWord(value, texts) : undefined;
      return {
        code: "wrong-value",
        message: `${show(value)} is not one of ${allowed.map(String).join(", ")}`,
        hint: near ? `Did you mean "${near}"?` : "Take one of them.",
      };
    }
    case "pattern":
      return { code: "bad-format", message: `${show(value)} has the wrong form`, hint: wanted };
    case "format":
      return {
        code: "bad-format",
        message: `${show(value)} is not a valid ${String(limit)}`,
        hint: limit === "date" ? "Write a day that exists, like 2026-12-31." : wanted,
      };
    case "maxLength":
      return { code: "too-long", message: `has ${length} characters, at most ${String(limit)} are allowed`, hint: "Shorten it." };
    case "minLength":
      return {
        code: "too-short",
        message: limit === 1 ? "must not be empty" : `has ${count(length, "character")}, at least ${String(limit)} are needed`,
        hint: description && `Write it: ${description}`,
      };
    case "minItems":
      return { code: "too-short", message: `must hold at least ${count(limit, "item")}, holds ${length || "none"}`, hint: wanted };
    case "minProperties":
      return { code: "too-short", message: `must have at least ${count(limit, "key")}, has ${length || "none"}`, hint: wanted };
    case "maxItems":
      return { code: "too-long", message: `must hold at most ${count(limit, "item")}, holds ${length}`, hint: wanted ?? "Take the others out." };
    case "maxProperties":
      return { code: "too-long", message: `must have at most ${count(limit, "key")}, has ${length}`, hint: wanted ?? "Take the others out." };
    case "uniqueItems":
      return { code: "duplicate-item", message: `holds ${itemTwice(value)} twice`, hint: "Keep one of the two." };
    case "minimum":
    case "maximum":
    case "exclusiveMinimum":
    case "exclusiveMaximum":
      return { code: "out-of-range", message: `must be ${BOUNDS[problem.keyword]} ${String(limit)}, got ${show(value)}`, hint: wanted };
    default:
      return { code: "wrong-value", message: problem.message, hint: wanted };
  }
}

const BOUNDS = { minimum: "at least", maximum: "at most", exclusiveMinimum: "more than", exclusiveMaximum: "less than" };

function unknownKey(problem: Problem, schema: JsonObject, value: unknown): WordedProblem {
  const known = Object.keys((schema["properties"] ?? {}) as JsonObject);
  const near = problem.key === undefined ? undefined : nearestWord(problem.key, known);
  const absent = known.filter((key) => !isObject(value) || !(key in value));
  // At the top of a spec it may be the section of a plugin.
  const isSection = known.includes("spec_version") && problem.key !== undefined && isObject(value) && isObject(value[problem.key]);
  const mend = isSection ? "Take it out, mend its spelling, or switch on the plugin whose section it is." : "Take it out, or mend its spelling.";
  const others = absent.length > 0 && absent.length <= 12 ? `Keys that can be added here: ${absent.join(", ")}.` : mend;
  return { code: "unknown-key", message: `${show(problem.key)} is not a key here`, hint: near ? `Did you mean "${near}"?` : others };
}

/** @param written - the characters of a scalar, where it stands in the file as it is */
function wrongType(schema: JsonObject, value: unknown, written: string | undefined, description: string | undefined): WordedProblem {
  const type = String(schema["type"]);
  const types = type.split(",");
  const got =
    typeof value === "number"
      ? `the number ${written ?? value}`
      : value === null
        ? "nothing"
        : isList(value)
          ? "a list"
          : isObject(value)
            ? "keys and values"
            : show(value);
  const hint = (): string | undefined => {
    if (types.includes("string") && (typeof value === "number" || typeof value === "boolean")) return `Put it in quotes: "${written ?? value}"`;
    if (typeof value === "string") {
      const meant = MEANT.get(value.trim().toLowerCase());
      if (types.includes("boolean") && meant !== undefined) return `Write ${meant}.`;
      if ((types.includes("number") || types.includes("integer")) && /^-?\d+(\.\d+)?$/.test(value.trim())) return `Take the quotes off: ${value.trim()}`;
      const items = schema["items"];
      if (types.includes("array") && isObject(items) && items["type"] === "string" && value.length <= 60)
        return `Write it as a list: [${/^[\w./@-]+$/.test(value) ? value : show(value)}]`;
    }
    return description && `Write ${article(types)}: ${description}`;
  };
  return { code: "wrong-type", message: `must be ${article(types)}, got ${got}`, hint: hint() };
}

/** What stood for a truth value in YAML 1.1. */
const MEANT: ReadonlyMap<string, boolean> = new Map([
  ...["true", "yes", "y", "on", "1"].map((word) => [word, true] as const),
  ...["false", "no", "n", "off", "0"].map((word) => [word, false] as const),
]);

const TYPES: Readonly<Record<string, string>> = {
  string: "a text",
  object: "keys and values",
  array: "a list",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
  null: "empty",
};

const article = (types: readonly string[]): string => types.map((type) => TYPES[type] ?? type).join(" or ");

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);
const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

const count = (n: unknown, thing: string): string => `${String(n)} ${thing}${n === 1 ? "" : "s"}`;

function itemTwice(value: unknown): string {
  const items = isList(value) ? value.map((item) => JSON.stringify(item)) : [];
  const twice = items.find((item, i) => items.indexOf(item) < i);
  return twice === undefined ? "an item" : bounded(twice);
}

const show = (value: unknown): string => bounded(JSON.stringify(value) ?? "nothing");
const bounded = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}...` : text);
