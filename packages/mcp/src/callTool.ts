import type { Caller, JsonObject, Outcome } from "@fettle/contract";
import type { Kernel } from "@fettle/kernel";
import { ProtocolError, ProtocolErrorCode, type Result, type Server, type ServerContext } from "@modelcontextprotocol/server";
import { clientCapabilities } from "./canAsk.js";
import { type SendLog, toAsk } from "./toAsk.js";
import { toCallToolResult } from "./toCallToolResult.js";

/** What a call needs of the shell that it came in by. */
export interface CallSurroundings {
  readonly kernel: Kernel;
  readonly server: Server;
  readonly sendLog: SendLog;
  readonly report: (error: unknown) => void;
  readonly debug: ((message: string) => void) | undefined;
  /** Sees the outcome's `meta` before the answer goes out, for what has to be said in HTTP headers too. */
  readonly onMeta?: (meta: JsonObject) => void;
}

/**
 * Answers a `tools/call`: makes the ask, calls, makes the result.
 *
 * @throws ProtocolError -32602 when no tool has that name: the protocol wants it so, where other failures are isError results
 */
export async function callTool(
  { kernel, server, sendLog, report, debug, onMeta }: CallSurroundings,
  params: JsonObject,
  caller: Caller,
  ctx: ServerContext,
): Promise<Result> {
  const { ask, over } = toAsk(
    params,
    ctx,
    caller,
    () => clientCapabilities(server, ctx),
    sendLog,
    () => {
      const tool = kernel.catalog().get(ask.name)?.name ?? "a tool";
      debug?.(`the progress of ${tool} was not sent on where it was no finite number or did not rise, as MCP wants it to`);
    },
  );
  const outcome = await kernel.call(ask);
  over();
  if (outcome.kind === "error" && outcome.error.error_code === "kernel/unknown-tool") throw unknownTool(outcome);
  if (outcome.meta !== undefined) onMeta?.(outcome.meta);
  return toCallToolResult(outcome, {
    report,
    project: (result) => {
      const schema = outcome.tool && kernel.catalog().get(outcome.tool.name, outcome.tool.version)?.spec.output;
      return server.projectCallToolResult(result, schema);
    },
  });
}

function unknownTool({ error }: Extract<Outcome, { kind: "error" }>): ProtocolError {
  const text = [error.what_went_wrong, ...error.how_to_fix].join(" ");
  const nearest = error.alternative_tools.filter((name) => !text.includes(name));
  const message = nearest.length === 0 ? text : `${text} Did you mean ${nearest.join(", ")}?`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message, { "dev.fettle/error": error });
}
