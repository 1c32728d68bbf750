import { isHandlerQuestion } from "@fettle/contract";
import { toJson, unsoundQuestion } from "@fettle/kernel";
import { formatPath } from "@fettle/schema";
import { type StandardSchemaV1, specTypeSchemas } from "@modelcontextprotocol/server";
import { isJsonObject } from "./isJsonObject.js";
import { badQuestion, unsendable } from "./questions/questionErrors.js";

/** What is wrong with what a plugin gave, if anything. */
type Check = (given: unknown, id: string) => Error | undefined;

/** Checks what a prompt gives: messages as MCP has them, or a question that can be asked. */
export const checkPrompt =
  (subject: string): Check =>
  (given, id) =>
    questionFault(subject, given) ?? resultFault(subject, id, specTypeSchemas.GetPromptResult, given);

/** Checks what a resource gives: a list of contents, or a question that can be asked; and its hint for how long to keep it. */
export const checkContents =
  (subject: string, cache: unknown): Check =>
  (given, id) => {
    if (isHandlerQuestion(given)) return questionFault(subject, given);
    if (cache !== undefined && !isCacheHint(cache))
      return unsendable(subject, "cache", "it must have ttlMs, a number of milliseconds from 0 on, and scope, public or private", id);
    if (!Array.isArray(given)) return unsendable(subject, "(the whole result)", "it must be a list of contents, each with a uri and a text or blob", id);
    return resultFault(subject, id, specTypeSchemas.ReadResourceResult, { contents: given });
  };

/** Checks what a completion gives: a list of texts, or nothing. */
export const checkCompletion =
  (subject: string): Check =>
  (given, id) => {
    if (given === undefined || (Array.isArray(given) && given.every((value) => typeof value === "string"))) return undefined;
    return unsendable(`The completion of ${subject.charAt(0).toLowerCase()}${subject.slice(1)}`, "(the whole result)", "it must be a list of texts", id);
  };

function questionFault(subject: string, given: unknown): Error | undefined {
  const wrong = isHandlerQuestion(given) ? unsoundQuestion(given) : undefined;
  return wrong && badQuestion(subject, wrong.path, wrong.problem);
}

function resultFault(subject: string, id: string, schema: StandardSchemaV1, given: unknown): Error | undefined {
  if (isHandlerQuestion(given)) return undefined;
  const json = toJson(given);
  if (!json.ok) return unsendable(subject, json.path, json.problem, id);
  const checked = schema["~standard"].validate(json.value);
  if (checked instanceof Promise || checked.issues === undefined) return undefined;
  const [issue] = checked.issues;
  const path = (issue?.path ?? []).map((step) => (typeof step === "object" ? step.key : step)).map((step) => (typeof step === "number" ? step : String(step)));
  return unsendable(subject, formatPath(path) || "(the whole result)", `it isn't what MCP has there (${issue?.message ?? "unsound"})`, id);
}

function isCacheHint(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { ttlMs, scope } = value;
  return typeof ttlMs === "number" && Number.isFinite(ttlMs) && ttlMs >= 0 && (scope === "public" || scope === "private");
}
