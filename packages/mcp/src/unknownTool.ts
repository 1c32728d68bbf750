import type { Outcome } from "@fettle/contract";
import { ProtocolError } from "./protocolError.js";
import { WIRE_CODE } from "./wireError.js";

/** The answer to a call of a tool that doesn't exist. */
export function unknownTool({ error }: Extract<Outcome, { kind: "error" }>): ProtocolError {
  const text = [error.what_went_wrong, ...error.how_to_fix].join(" ");
  const nearest = error.alternative_tools.filter((name) => !text.includes(name));
  const message = nearest.length === 0 ? text : `${text} Did you mean ${nearest.join(", ")}?`;
  return new ProtocolError(WIRE_CODE.invalidParams, message, { "dev.fettle/error": error });
}
