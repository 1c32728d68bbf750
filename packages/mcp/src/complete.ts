import type { JsonObject, Maybe } from "@fettle/contract";
import type { ContributionRun, Kernel } from "@fettle/kernel";
import { type Result, UriTemplate } from "@modelcontextprotocol/server";
import { checkCompletion } from "./checkContribution.js";
import { isJsonObject } from "./isJsonObject.js";
import { plainName } from "./plainName.js";
import { findPrompt, stringArguments, subjectOf } from "./prompts.js";
import { ProtocolError } from "./protocolError.js";
import { WIRE_CODE } from "./wireError.js";

/** MCP allows no more in one answer. */
const MOST_VALUES = 100;

type Completing = Pick<Kernel, "prompts" | "resourceTemplates" | "contribute">;

/**
 * The answer to `completion/complete`: values for an argument of a prompt or a variable of a resource template.
 * @throws ProtocolError -32602 for a reference that leads nowhere, or an argument that is none of its own
 */
export async function complete(kernel: Completing, params: JsonObject, signal: AbortSignal): Promise<Result> {
  const { ref, argument, context } = params;
  if (!isJsonObject(ref) || !isJsonObject(argument)) throw bad("completion/complete needs params.ref and params.argument, both objects.");
  const { name, value } = argument;
  if (typeof name !== "string" || typeof value !== "string") throw bad("params.argument needs a name and a value, both strings.");
  const known = stringArguments(isJsonObject(context) ? context["arguments"] : undefined);
  const source = sourceOf(kernel, ref);
  if (!source.names.includes(name)) {
    const named = plainName(name) === undefined ? "no argument of that name" : `no argument ${name}`;
    throw bad(`${source.subject} has ${named}. It has ${source.names.length === 0 ? "none" : source.names.join(", ")}.`);
  }
  const ask = { of: source.of, hook: source.hook, subject: source.subject, signal, args: [value, known], check: checkCompletion(source.subject) };
  const values = (await kernel.contribute(ask, () => source.complete(name, value, known))) ?? [];
  return { completion: { values: values.slice(0, MOST_VALUES), total: values.length, hasMore: values.length > MOST_VALUES } };
}

/** What completes, and in which words it is spoken of. */
interface Source extends Pick<ContributionRun, "of" | "hook" | "subject"> {
  /** The arguments of the prompt, or the variables of the template. */
  readonly names: readonly string[];
  complete(name: string, typed: string, known: Readonly<Record<string, string>>): Maybe<readonly string[]> | undefined;
}

function sourceOf({ prompts, resourceTemplates }: Completing, ref: JsonObject): Source {
  if (ref["type"] === "ref/prompt") {
    const prompt = findPrompt(prompts, ref["name"]);
    const names = (prompt.arguments ?? []).map((argument) => argument.name);
    return { of: prompt, hook: "prompts.complete", subject: subjectOf(prompt), names, complete: (...given) => prompt.complete?.(...given) };
  }
  if (ref["type"] !== "ref/resource") throw bad('params.ref.type must be "ref/prompt" or "ref/resource".');
  const template = resourceTemplates.find(({ uriTemplate }) => uriTemplate === ref["uri"]);
  if (template === undefined) throw bad("There is no such resource template. resources/templates/list shows those there are.");
  const names = new UriTemplate(template.uriTemplate).variableNames;
  return { of: template, hook: "resourceTemplates.complete", subject: "The resource template", names, complete: (...given) => template.complete?.(...given) };
}

function bad(message: string): ProtocolError {
  return new ProtocolError(WIRE_CODE.invalidParams, message);
}
