import { isOlderRevision } from "../handshake.js";
import { OLDER_REVISIONS } from "../revisions.js";
import { isRequest, screenMessage } from "../screenMessage.js";
import { WIRE_CODE } from "../wireError.js";
import { jsonAnswer, refusal, type TextAnswer } from "./answer.js";
import type { HttpRequest } from "./httpRequest.js";

/** Why a request isn't for a session that is open: in words that say what to send, which the SDK's don't. */
export function unfitForSession(request: HttpRequest, body: unknown): TextAnswer | undefined {
  const version = request.header("mcp-protocol-version");
  if (isRequest(body) && body.method === "initialize") {
    const text =
      "This session is open already: initialize opens another. Leave the Mcp-Session-Id header out for that, or go on in this session with other requests.";
    return refusal(400, text, { id: body.id, code: WIRE_CODE.invalidRequest });
  }
  if (version !== null && !isOlderRevision(version)) {
    const text = `The MCP-Protocol-Version header of this request names no revision that has sessions here. Send the one that initialize was answered with; served are ${OLDER_REVISIONS.join(", ")}.`;
    return refusal(400, text, { id: isRequest(body) ? body.id : null });
  }
  if (request.method === "POST" && !takesBoth(request)) return notAcceptable();
  if (request.method !== "GET" || (request.header("accept") ?? "").includes("text/event-stream")) return undefined;
  return refusal(406, "The Accept header of a GET must name text/event-stream, since it opens a stream of events: send Accept: text/event-stream.");
}

/** Whether the client reads both forms of an answer. */
export function takesBoth(request: HttpRequest): boolean {
  const accept = request.header("accept") ?? "";
  return accept.includes("application/json") && accept.includes("text/event-stream");
}

/** The refusal of a POST whose client doesn't {@link takesBoth}. */
export function notAcceptable(): TextAnswer {
  return refusal(
    406,
    "The Accept header of a POST must name both application/json and text/event-stream, since the answer may be either: send Accept: application/json, text/event-stream.",
  );
}

/** The refusal of what needs a session and names none. */
export function needsSession(body: unknown): TextAnswer {
  if (Array.isArray(body)) return jsonAnswer(400, screenMessage(body));
  return refusal(
    400,
    "This request has no Mcp-Session-Id header. Send initialize first and repeat the id that it answers with, or speak protocol revision 2026-07-28, which has no sessions.",
  );
}
