import type { CodeInfo, JsonObject, JsonSchema } from "@fettle/contract";
import { nearestWord } from "@fettle/schema";
import { v1 } from "@fettle/spec-types/schemas";
import { codes as loadCodes, tableEntries } from "./codes.js";
import { codeUrl } from "./format/report.js";
import type { Terminal } from "./terminal.js";
import { UsageError } from "./usageError.js";
import { visible } from "./visible.js";

/**
 * `fettle check --explain`: prints what a code or a rule of the spec means.
 *
 * @throws UsageError when nothing is called so, with the nearest name
 */
export async function explainCode(name: string, { json }: { readonly json: boolean }, { out, outPaint }: Pick<Terminal, "out" | "outPaint">): Promise<number> {
  const codes = await allCodes();
  const info = codes.get(name);
  if (info) {
    const type = info.type === undefined ? {} : { error_type: info.type };
    if (json) out(`${JSON.stringify({ code: name, message: info.message, hint: info.hint, ...type, url: codeUrl(name) }, null, 2)}\n`);
    else
      out(`${outPaint("strong", name)}${info.type === undefined ? "" : `  ${info.type}`}\n${info.message}\n${info.hint}\n${outPaint("dim", codeUrl(name))}\n`);
    return 0;
  }
  const fields = ruleFields().get(name);
  if (fields) {
    if (json) out(`${JSON.stringify({ rule: name, fields }, null, 2)}\n`);
    else
      out(
        `${outPaint("strong", name)}  a rule of spec version 1\n${fields.map(({ file, field, text }) => `  ${file}  ${outPaint("place", field)}  ${text}\n`).join("")}`,
      );
    return 0;
  }
  const nearest = nearestWord(name, [...codes.keys(), ...ruleFields().keys()]);
  const inNamespace = [...codes.keys()].filter((code) => code.startsWith(`${name.split("/")[0]}/`));
  throw new UsageError(
    `Nothing is called ${visible(name)}.${nearest === undefined ? "" : ` Did you mean ${nearest}?`}`,
    inNamespace.length > 0 ? `Codes: ${inNamespace.join(", ")}` : "A code looks like spec/unknown-key, a rule like T-NAME-1; fettle check names both.",
  );
}

/** With the codes of packages that are slow to load. */
async function allCodes(): Promise<ReadonlyMap<string, CodeInfo>> {
  const { mcpCodes } = await import("@fettle/mcp");
  return new Map([...loadCodes, ...tableEntries(mcpCodes)]);
}

interface RuleField {
  /** Which kind of file. */
  readonly file: string;
  /** Path of the field, with dots; `(root)` for the whole. */
  readonly field: string;
  readonly text: string;
}

/** The fields that each rule id speaks of: the meta-schemas carry the ids as $comment. */
function ruleFields(): ReadonlyMap<string, readonly RuleField[]> {
  const found = new Map<string, RuleField[]>();
  for (const [file, schema] of Object.entries(v1)) {
    for (const { rule, field, text } of commented(JSON.parse(JSON.stringify(schema)))) found.set(rule, [...(found.get(rule) ?? []), { file, field, text }]);
  }
  return found;
}

function commented(root: JsonObject): { rule: string; field: string; text: string }[] {
  const found: { rule: string; field: string; text: string }[] = [];
  const walk = (schema: JsonSchema | undefined, field: string): void => {
    if (schema === undefined || !isObject(schema)) return;
    const { $comment, description, $ref } = schema;
    if (typeof $comment === "string" && typeof description === "string")
      found.push({ rule: $comment, field: field === "" ? "(root)" : field, text: description });
    const target = typeof $ref === "string" ? $ref.replace("#/$defs/", "") : undefined;
    const defs = schema === root ? undefined : root["$defs"];
    if (target !== undefined && isObject(defs)) walk(asSchema(defs[target]), field);
    const { properties, items } = schema;
    if (isObject(properties)) for (const [key, member] of Object.entries(properties)) walk(asSchema(member), field === "" ? key : `${field}.${key}`);
    walk(asSchema(items), `${field}[]`);
  };
  walk(root, "");
  return found;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function asSchema(value: unknown): JsonSchema | undefined {
  return isObject(value) ? value : undefined;
}
