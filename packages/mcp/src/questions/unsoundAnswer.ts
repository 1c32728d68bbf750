import type { JSONRPCErrorResponse } from "@modelcontextprotocol/server";
import { WIRE_CODE } from "../wireError.js";

/** What an answer that is none lacks. */
export const NO_RESPONSE = "The answer was not a JSON-RPC response: it needs a result that is an object, or an error with a code and a message.";

/** What an answer that is none is taken for. It ends the question that it is for, which otherwise would wait for its time to pass. */
export function unsoundAnswer(id: string | number): JSONRPCErrorResponse {
  return { jsonrpc: "2.0", id, error: { code: WIRE_CODE.invalidRequest, message: NO_RESPONSE } };
}
