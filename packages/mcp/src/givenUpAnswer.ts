import { stateError, type ToolError } from "@fettle/contract";
import type { JSONRPCRequest, JSONRPCResponse } from "@modelcontextprotocol/server";
import { isStateless } from "./isStateless.js";
import { plainName } from "./plainName.js";
import { errorResult } from "./toCallToolResult.js";
import { WIRE_CODE, wireError } from "./wireError.js";

/** Why a request is given up: the server shuts down, the client ended its session, or cancelled the request. */
export type GivenUpCause = "closing" | "session-ended" | "cancelled";

/**
 * The answer to a request that is given up before its own is there: without one a client would wait for ever. For a tool call it is what the
 * kernel says of calls that it gives up itself (`kernel/closing`, `kernel/cancelled`), for all else a protocol error.
 */
export function givenUpAnswer(request: JSONRPCRequest, cause: GivenUpCause): JSONRPCResponse {
  const { id, method, params } = request;
  if (method === "tools/call") {
    const error = errorOf(cause, plainName(params?.["name"]) ?? "the call", " It may have taken effect: look before calling again.");
    const result = errorResult(error, undefined);
    return { jsonrpc: "2.0", id, result: isStateless(request) ? { ...result, resultType: "complete" } : result };
  }
  const error = errorOf(cause, plainName(method) ?? "the request", "");
  return { ...wireError(id, WIRE_CODE.refused, error.what_went_wrong, { "dev.fettle/error": error }), id };
}

function errorOf(cause: GivenUpCause, name: string, fate: string): ToolError {
  if (cause === "closing")
    return stateError("kernel/closing", {
      what: `The server shut down before ${name} ended.${fate}`,
      fix: "Call again in a moment, if it still is needed.",
    }).toToolError();
  const why = cause === "cancelled" ? `${name} was cancelled.` : `The session was ended before ${name} ended.`;
  return stateError("kernel/cancelled", { what: `${why}${fate}` }).toToolError();
}
