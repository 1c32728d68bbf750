import type { Finding, JsonObject, JsonPath, JsonSchema } from "@fettle/contract";
import { nearestWord, type Problem, type SchemaEngine } from "@fettle/schema";
import type { SourceDocument } from "./sourceDocument.js";
import { specCodes } from "./specCodes.js";

type ShapeCode = "unknown-key" | "missing-field" | "wrong-type" | "wrong-value" | "bad-format" | "too-long" | "too-short" | "out-of-range" | "duplicate-item";

/**
 * Checks a document against a meta-schema and words each problem for the person who wrote the file.
 *
 * @param at - path of the checked part inside the document
 * @param namespace - first half of the codes: `spec` or `config`
 * @param keyRule - id of the rule that unknown keys break
 */
export function checkShape(
  engine: SchemaEngine,
  schema: JsonSchema,
  document: SourceDocument,
  options: { readonly at?: JsonPath; readonly value?: unknown; readonly namespace: "spec" | "config"; readonly keyRule: string },
): Finding[] {
  const at = options.at ?? [];
  const value = "value" in options ? options.value : valueAt(document.data, at);
  const checked = engine.compile(schema).check(value, { repair: false, defaults: false });
  if (checked.valid) return [];
  return checked.problems.map((problem) => {
    const { code, message, hint, keyed } = word(problem, value, document, [...at, ...problem.path]);
    const rule = code === "unknown-key" ? options.keyRule : commentOf(problem.schema);
    const path = [...at, ...problem.path, ...(keyed && problem.key !== undefined && code === "unknown-key" ? [problem.key] : [])];
    return {
      code: options.namespace === "spec" ? specCodes.code(code) : `config/${code}`,
      severity: "error",
      message,
      path,
      at: code === "unknown-key" ? "key" : "value",
      ...(hint !== undefined && { hint }),
      ...(rule !== undefined && { rule }),
    };
  });
}

interface Worded {
  readonly code: ShapeCode;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly keyed?: true;
}

function word(problem: Problem, root: unknown, document: SourceDocument, fullPath: JsonPath): Worded {
  const schema: JsonObject = typeof problem.schema === "object" ? problem.schema : {};
  const value = valueAt(root, problem.path);
  const description = typeof schema["description"] === "string" ? schema["description"] : undefined;
  const shown = show(value);
  switch (problem.keyword) {
    case "additionalProperties":
    case "unevaluatedProperties":
    case "propertyNames": {
      const known = Object.keys((schema["properties"] ?? {}) as JsonObject);
      const near = problem.key === undefined ? undefined : nearestWord(problem.key, known);
      const absent = known.filter((key) => !isObject(value) || !(key in value));
      return {
        code: "unknown-key",
        message: `${show(problem.key)} is not a key here`,
        hint: near ? `Did you mean "${near}"?` : absent.length > 0 && absent.length <= 12 ? `Keys here: ${absent.join(", ")}.` : undefined,
        keyed: true,
      };
    }
    case "required": {
      const missing = problem.key ?? "";
      const property = ((schema["properties"] ?? {}) as Record<string, JsonObject>)[missing];
      const what = typeof property?.["description"] === "string" ? property["description"] : undefined;
      return { code: "missing-field", message: `"${missing}" is missing`, hint: what ? `Add it: ${what}` : "Add it.", keyed: true };
    }
    case "type": {
      const wanted = String(schema["type"]);
      const written = document.written(fullPath);
      const quotes = wanted === "string" && written !== undefined && value !== null ? `Put it in quotes: "${written}"` : undefined;
      return { code: "wrong-type", message: `must be ${article(wanted)}, got ${kindOf(value)}${quotes ? ` ${written}` : ""}`, hint: quotes ?? description };
    }
    case "const":
    case "enum": {
      const allowed = problem.keyword === "const" ? [schema["const"]] : [...((schema["enum"] ?? []) as unknown[])];
      const near =
        typeof value === "string"
          ? nearestWord(
              value,
              allowed.filter((item): item is string => typeof item === "string"),
            )
          : undefined;
      return {
        code: "wrong-value",
        message: `${shown} is not ${allowed.length === 1 ? show(allowed[0]) : `one of ${allowed.map(String).join(", ")}`}`,
        hint: near ? `Did you mean "${near}"?` : description,
      };
    }
    case "pattern":
      return { code: "bad-format", message: `${shown} has the wrong form`, hint: description };
    case "format":
      return { code: "bad-format", message: `${shown} is not a valid ${String(schema["format"])}`, hint: description };
    case "maxLength":
      return {
        code: "too-long",
        message: `has ${[...String(value)].length} characters, at most ${String(schema["maxLength"])} are allowed`,
        hint: "Shorten it.",
      };
    case "minLength":
      return { code: "too-short", message: "must not be empty", hint: description };
    case "minItems":
    case "minProperties":
      return { code: "too-short", message: `must hold at least ${String(schema[problem.keyword])}`, hint: description };
    case "maxItems":
    case "maxProperties":
      return { code: "too-long", message: `must hold at most ${String(schema[problem.keyword])}`, hint: description };
    case "uniqueItems":
      return { code: "duplicate-item", message: "holds an item twice", hint: "Keep one of the two." };
    case "minimum":
    case "maximum":
    case "exclusiveMinimum":
    case "exclusiveMaximum":
      return { code: "out-of-range", message: `${shown} is out of range: ${problem.keyword} is ${String(schema[problem.keyword])}`, hint: description };
    default:
      return { code: "wrong-value", message: problem.message, hint: description };
  }
}

const commentOf = (schema: JsonSchema): string | undefined =>
  typeof schema === "object" && typeof schema["$comment"] === "string" ? schema["$comment"] : undefined;

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);

export function valueAt(root: unknown, path: JsonPath): unknown {
  let value = root;
  for (const step of path)
    value = typeof value === "object" && value !== null && Object.hasOwn(value, step) ? (value as Record<string | number, unknown>)[step] : undefined;
  return value;
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

function kindOf(value: unknown): string {
  if (value === null) return "nothing (null)";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "keys and values" : `the ${typeof value}`;
}

function article(type: string): string {
  const words: Record<string, string> = {
    string: "a text",
    object: "keys and values",
    array: "a list",
    integer: "a whole number",
    number: "a number",
    boolean: "true or false",
    null: "empty",
  };
  return type
    .split(",")
    .map((part) => words[part] ?? part)
    .join(" or ");
}
