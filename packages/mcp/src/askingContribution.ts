import { type Caller, type ContributionContext, type HandlerQuestion, isHandlerQuestion, type JsonObject } from "@fettle/contract";
import { toJson } from "@fettle/kernel";
import type { Result, Server, ServerContext } from "@modelcontextprotocol/server";
import { plainName } from "./plainName.js";
import { type ClientCapabilities, canAsk, clientCapabilities } from "./questions/clientCapabilities.js";
import type { Questions } from "./questions/questions.js";
import { requestNotices, type SendLog } from "./requestNotices.js";

/** A request to a prompt or resource. */
export interface ContributionRequest {
  readonly method: "prompts/get" | "resources/read";
  readonly params: JsonObject;
  readonly caller: Caller;
  readonly ctx: ServerContext;
  readonly sendLog: SendLog;
}

/** What a contribution is given, as far as the wire has it; the log is the kernel's. */
export interface ContributionWire extends Omit<ContributionContext, "log"> {
  readonly onLog: SendLog;
}

/** Lets a prompt or resource answer, and ask the user where it wants that. */
export function askingContribution(
  server: Server,
  questions: Questions,
  { method, params, caller, ctx, sendLog }: ContributionRequest,
  answer: (context: ContributionWire) => Promise<Result | HandlerQuestion>,
): Promise<Result> {
  const key = params[method === "prompts/get" ? "name" : "uri"];
  const shown = plainName(key);
  const subject = method === "prompts/get" ? `The prompt${shown === undefined ? "" : ` ${shown}`}` : "The resource";
  const name = typeof key === "string" ? key : "";
  const args = params["arguments"];
  const capabilities = (): ClientCapabilities | undefined => clientCapabilities(server.getClientCapabilities(), ctx);
  // What the protocol doesn't allow of progress isn't sent; there is no tool whose author could be told.
  const { progress = () => {}, log, over } = requestNotices(params["_meta"], ctx, sendLog, () => {});
  const wire = {
    caller,
    signal: ctx.mcpReq.signal,
    canAsk: (...asked) => canAsk(capabilities(), ...asked),
    progress,
    onLog: log,
  } satisfies ContributionWire;
  const answered = questions.answer({ method, name, subject, args, caller, ctx, capabilities }, async (answers) => {
    const given = await answer({ ...wire, ...answers });
    if (!isHandlerQuestion(given)) {
      // It was checked where the plugin gave it; a Date or URL in it becomes what it is in JSON.
      const json = toJson(given);
      return { result: (json.ok ? json.value : given) as Result };
    }
    const { requests, state } = given;
    return { question: { requests, ...(state !== undefined && { state }) } };
  });
  return answered.finally(over);
}
