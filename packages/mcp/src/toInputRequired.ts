import type { HandlerQuestion } from "@fettle/contract";
import type { Result } from "@modelcontextprotocol/server";

/** Questions as an answer on the wire. The SDK turns them into requests of its own for clients before 2026-07-28. */
export function toInputRequired({ requests, state }: Pick<HandlerQuestion, "requests" | "state">): Result {
  return { resultType: "input_required", inputRequests: requests, ...(state !== undefined && { requestState: state }) };
}
