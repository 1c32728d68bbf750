import { type Caller, type ContributionContext, type HandlerQuestion, isHandlerQuestion, type JsonObject } from "@fettle/contract";
import { toJson } from "@fettle/kernel";
import type { Result, Server, ServerContext } from "@modelcontextprotocol/server";
import { plainName } from "./plainName.js";
import { clientCapabilities } from "./questions/clientCapabilities.js";
import type { Questions } from "./questions/questions.js";

/** A request to a prompt or resource. */
export interface ContributionRequest {
  readonly method: "prompts/get" | "resources/read";
  readonly params: JsonObject;
  readonly caller: Caller;
  readonly ctx: ServerContext;
}

/** Lets a prompt or resource answer, and ask the user where it wants that. */
export function askingContribution(
  server: Server,
  questions: Questions,
  { method, params, caller, ctx }: ContributionRequest,
  answer: (context: ContributionContext) => Promise<Result | HandlerQuestion>,
): Promise<Result> {
  const key = params[method === "prompts/get" ? "name" : "uri"];
  const shown = plainName(key);
  const subject = method === "prompts/get" ? `The prompt${shown === undefined ? "" : ` ${shown}`}` : "The resource";
  const name = typeof key === "string" ? key : "";
  const args = params["arguments"];
  return questions.answer({ method, name, subject, args, caller, ctx, capabilities: () => clientCapabilities(server, ctx) }, async (answers) => {
    const given = await answer({ caller, signal: ctx.mcpReq.signal, ...answers });
    if (!isHandlerQuestion(given)) {
      // It was checked where the plugin gave it; a Date or URL in it becomes what it is in JSON.
      const json = toJson(given);
      return { result: (json.ok ? json.value : given) as Result };
    }
    const { requests, state } = given;
    return { question: { requests, ...(state !== undefined && { state }) } };
  });
}
