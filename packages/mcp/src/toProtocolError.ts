import { isThrownToolError, renderToolError } from "@fettle/contract";
import { ProtocolError } from "./protocolError.js";
import { WIRE_CODE } from "./wireError.js";

/** What a client may be told of a thrown value: protocol errors as they are, authors' errors as text, of all others nothing. */
export function toProtocolError(error: unknown, report: (error: unknown) => void): ProtocolError {
  if (error instanceof ProtocolError) return error;
  if (isThrownToolError(error)) {
    const toolError = error.toToolError();
    const code = toolError.error_type === "internal_error" || toolError.error_type === "external_error" ? WIRE_CODE.internalError : WIRE_CODE.invalidParams;
    return new ProtocolError(code, renderToolError(toolError), { "dev.fettle/error": toolError });
  }
  report(error);
  return new ProtocolError(WIRE_CODE.internalError, "The server failed while it answered. This is a fault of the server, not of the request.");
}
