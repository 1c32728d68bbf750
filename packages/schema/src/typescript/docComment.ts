import type { JsonSchema } from "@fettle/contract";
import { isObject, own, type SchemaObject } from "../jsonType.js";

/** Longest default that is told, in characters. */
const LONGEST_DEFAULT = 80;

/** A schema's texts as a doc comment: its description, format, default, whether it is deprecated, and notes of ours. Empty where there is nothing to say. */
export function docComment(schema: JsonSchema, indent: string, notes: readonly string[] = []): string {
  const lines = [...(isObject(schema) ? words(schema) : []), ...notes];
  if (lines.length === 0) return "";
  const safe = lines.flatMap((line) => line.trim().split(/\r\n|[\r\n\u2028\u2029]/)).map((line) => line.replaceAll("*/", "*\\/").trimEnd());
  if (safe.length === 1) return `${indent}/** ${safe[0]} */\n`;
  return `${indent}/**\n${safe.map((line) => `${indent} *${line === "" ? "" : ` ${line}`}\n`).join("")}${indent} */\n`;
}

function words(schema: SchemaObject): readonly string[] {
  const description = own(schema, "description") ?? own(schema, "title");
  const format = own(schema, "format");
  const fallback = own(schema, "default");
  const shown = fallback === undefined ? undefined : JSON.stringify(fallback);
  return [
    ...(typeof description === "string" && description.trim() !== "" ? [description] : []),
    ...(typeof format === "string" ? [`@format ${format}`] : []),
    ...(shown !== undefined && shown.length <= LONGEST_DEFAULT ? [`@default ${shown}`] : []),
    ...(own(schema, "deprecated") === true ? ["@deprecated"] : []),
  ];
}
