import { type Caller, isThrownToolError, type JsonObject, type Outcome } from "@fettle/contract";
import type { Kernel } from "@fettle/kernel";
import type { Result, Server } from "@modelcontextprotocol/server";
import { contentBlock } from "./contentBlock.js";
import { plainName } from "./plainName.js";
import { clientCapabilities } from "./questions/clientCapabilities.js";
import type { Answers, Questions, Round } from "./questions/questions.js";
import type { QuickCall } from "./quickCall.js";
import type { SendLog } from "./requestNotices.js";
import { badProgress, toAsk } from "./toAsk.js";
import { errorResult, metaOf, toCallToolResult } from "./toCallToolResult.js";
import { unknownTool } from "./unknownTool.js";
import type { WireContext } from "./wireContext.js";

/** What a call needs of the shell that it came in by. */
export interface CallSurroundings {
  readonly kernel: Kernel;
  readonly server: Server;
  readonly questions: Questions;
  readonly sendLog: SendLog;
  readonly report: (error: unknown) => void;
  readonly debug: ((message: string) => void) | undefined;
  /** The first round, where it began before the SDK came in. */
  readonly begun?: QuickCall | undefined;
  /** Sees the outcome's `meta` before the answer goes out, for what has to be said in HTTP headers too. */
  readonly onMeta?: (meta: JsonObject) => void;
}

/**
 * Answers a `tools/call`: makes the ask, calls, asks the user where the tool wants that, makes the result.
 *
 * @throws ProtocolError -32602 when no tool has that name, since the protocol wants it so where other failures are isError results; and for
 * answers and states of questions that aren't right
 */
export async function callTool(surroundings: CallSurroundings, params: JsonObject, caller: Caller, ctx: WireContext): Promise<Result> {
  const { kernel, server, questions, sendLog, report, debug, onMeta } = surroundings;
  let { begun } = surroundings;
  const capabilities = (): ReturnType<typeof clientCapabilities> => clientCapabilities(server.getClientCapabilities(), ctx);
  const { ask, over } = toAsk(params, ctx, caller, capabilities, sendLog, badProgress(kernel, params["name"], debug));
  const round = async (answers: Answers): Promise<Round> => {
    const outcome = await (begun?.goOn(ctx) ?? kernel.call({ ...ask, ...answers }));
    begun = undefined;
    if (outcome.kind === "error" && outcome.error.error_code === "kernel/unknown-tool") throw unknownTool(outcome);
    if (outcome.meta !== undefined) onMeta?.(outcome.meta);
    if (outcome.kind === "input_required") return { question: questionOf(kernel, outcome) };
    const project: Parameters<typeof toCallToolResult>[1]["project"] = (result) => {
      const schema = outcome.tool && kernel.catalog().get(outcome.tool.name, outcome.tool.version)?.spec.output;
      return server.projectCallToolResult(result, schema);
    };
    return { result: toCallToolResult(outcome, { report, project, toBlock: contentBlock }) };
  };
  try {
    const subject = plainName(ask.name) ?? "The tool";
    return await questions.answer({ method: "tools/call", name: ask.name, subject, args: ask.args, caller, ctx, capabilities }, round);
  } catch (error) {
    if (isThrownToolError(error)) return errorResult(error.toToolError(), undefined);
    throw error;
  } finally {
    over();
  }
}

function questionOf(kernel: Kernel, outcome: Extract<Outcome, { kind: "input_required" }>): Extract<Round, { question: unknown }>["question"] {
  const { requests, state, tool } = outcome;
  const meta = metaOf(outcome);
  const timeoutMs = tool && kernel.explain(tool.name, tool.version)?.timeoutMs;
  return { requests, ...(state !== undefined && { state }), ...(meta && { meta }), ...(timeoutMs !== undefined && { timeoutMs }) };
}
