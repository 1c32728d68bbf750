import { type HandlerQuestion, isHandlerQuestion, type JsonObject, type Prompt } from "@fettle/contract";
import type { Kernel } from "@fettle/kernel";
import type { Result } from "@modelcontextprotocol/server";
import type { ContributionWire } from "./askingContribution.js";
import { checkPrompt } from "./checkContribution.js";
import { isJsonObject } from "./isJsonObject.js";
import { pageOf } from "./listCursor.js";
import { plainName } from "./plainName.js";
import { ProtocolError } from "./protocolError.js";
import { WIRE_CODE } from "./wireError.js";

/**
 * The answer to `prompts/list`: a page of what the plugins contribute, without its functions.
 * @throws ProtocolError -32602 for a cursor that isn't one
 */
export function listPrompts(prompts: readonly Prompt[], size: number, cursor: unknown): Result {
  const { page, ...next } = pageOf(prompts, ({ name }) => name, size, cursor);
  return {
    ...next,
    prompts: page.map(({ name, title, description, arguments: args }) => ({
      name,
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      ...(args !== undefined && { arguments: args }),
    })),
  };
}

/**
 * The answer to `prompts/get`, or what the prompt asks.
 * @throws ProtocolError -32602 for an unknown prompt, a missing argument, or one that isn't a string
 */
export async function getPrompt(
  kernel: Pick<Kernel, "prompts" | "contribute">,
  params: JsonObject,
  { signal, onLog, ...ctx }: ContributionWire,
): Promise<Result | HandlerQuestion> {
  const prompt = findPrompt(kernel.prompts, params["name"]);
  const args = stringArguments(params["arguments"]);
  const missing = (prompt.arguments ?? []).filter(({ name, required }) => required === true && args[name] === undefined).map(({ name }) => name);
  if (missing.length > 0) throw new ProtocolError(WIRE_CODE.invalidParams, `The prompt ${prompt.name} needs ${missing.join(", ")}.`);
  const subject = subjectOf(prompt);
  const ask = { of: prompt, hook: "prompts.get", subject, signal, args, check: checkPrompt(subject), onLog };
  const given = await kernel.contribute(ask, (own, log) => prompt.get(args, { ...ctx, signal: own, log }));
  return isHandlerQuestion(given) ? given : { ...given };
}

/** A prompt in words that may go back to the client. */
export function subjectOf({ name }: Prompt): string {
  const shown = plainName(name);
  return shown === undefined ? "The prompt" : `The prompt ${shown}`;
}

/** The prompt of that name. */
export function findPrompt(prompts: readonly Prompt[], name: unknown): Prompt {
  const prompt = prompts.find((candidate) => candidate.name === name);
  if (prompt !== undefined) return prompt;
  throw new ProtocolError(WIRE_CODE.invalidParams, `There is no such prompt. prompts/list shows the ${prompts.length} there are.`);
}

/** Arguments of a prompt: MCP has them all as strings. */
export function stringArguments(value: unknown): Record<string, string> {
  const args: Record<string, string> = {};
  if (value === undefined) return args;
  if (!isJsonObject(value)) throw new ProtocolError(WIRE_CODE.invalidParams, "params.arguments must be an object of strings.");
  for (const [key, argument] of Object.entries(value)) {
    if (typeof argument !== "string") throw new ProtocolError(WIRE_CODE.invalidParams, `The argument ${key} must be a string.`);
    args[key] = argument;
  }
  return args;
}
