import type { Finding, JsonPath, JsonSchema } from "@fettle/contract";
import type { SchemaEngine } from "@fettle/schema";
import { configCodes } from "./configCodes.js";
import { wordProblem } from "./shapeWords.js";
import type { SourceDocument } from "./sourceDocument.js";
import { specCodes } from "./specCodes.js";
import { valueAt } from "./valueAt.js";

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
    const path = [...at, ...problem.path];
    const { code, message, hint } = wordProblem(problem, value, document, path);
    const isKey = code === "unknown-key";
    const rule = isKey ? options.keyRule : commentOf(problem.schema);
    return {
      code: options.namespace === "spec" ? specCodes.code(code) : configCodes.code(code),
      severity: "error",
      message,
      path: isKey && problem.key !== undefined ? [...path, problem.key] : path,
      at: isKey ? "key" : "value",
      ...(hint !== undefined && { hint }),
      ...(rule !== undefined && { rule }),
    };
  });
}

const commentOf = (schema: JsonSchema): string | undefined =>
  typeof schema === "object" && typeof schema["$comment"] === "string" ? schema["$comment"] : undefined;
