import type { JsonObject, Prompt, ResourceTemplate } from "@fettle/contract";
import { ProtocolError, ProtocolErrorCode, type Result } from "@modelcontextprotocol/server";
import { isJsonObject } from "./isJsonObject.js";
import { findPrompt, stringArguments } from "./prompts.js";

/** MCP allows no more in one answer. */
const MOST_VALUES = 100;

/**
 * The answer to `completion/complete`: values for an argument of a prompt or a variable of a resource template.
 * @throws ProtocolError -32602 for a reference that leads nowhere
 */
export async function complete(prompts: readonly Prompt[], templates: readonly ResourceTemplate[], params: JsonObject): Promise<Result> {
  const { ref, argument, context } = params;
  if (!isJsonObject(ref) || !isJsonObject(argument)) throw bad("completion/complete needs params.ref and params.argument, both objects.");
  const { name, value } = argument;
  if (typeof name !== "string" || typeof value !== "string") throw bad("params.argument needs a name and a value, both strings.");
  const known = stringArguments(isJsonObject(context) ? context["arguments"] : undefined);
  const values = (await valuesFor(ref, prompts, templates, name, value, known)) ?? [];
  return { completion: { values: values.slice(0, MOST_VALUES), total: values.length, hasMore: values.length > MOST_VALUES } };
}

function valuesFor(
  ref: JsonObject,
  prompts: readonly Prompt[],
  templates: readonly ResourceTemplate[],
  name: string,
  typed: string,
  known: Readonly<Record<string, string>>,
): ReturnType<NonNullable<Prompt["complete"]>> | undefined {
  if (ref["type"] === "ref/prompt") return findPrompt(prompts, ref["name"]).complete?.(name, typed, known);
  if (ref["type"] !== "ref/resource") throw bad('params.ref.type must be "ref/prompt" or "ref/resource".');
  const template = templates.find(({ uriTemplate }) => uriTemplate === ref["uri"]);
  if (template === undefined) throw bad("There is no such resource template. resources/templates/list shows those there are.");
  return template.complete?.(name, typed, known);
}

function bad(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
