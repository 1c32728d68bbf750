import { refusal } from "./jsonResponse.js";
import { isStream } from "./whenDone.js";

/**
 * The answer on a stream that carries nothing else, as plain JSON: a third of the writes, and clients need no reader of streams. Other responses
 * pass as they are. Waits until the stream ends.
 */
export async function plainAnswer(response: Response): Promise<Response> {
  if (!isStream(response)) return response;
  // An event without data comes first where streams can be resumed.
  const [line] = (await response.text()).split("\n").filter((each) => each.startsWith("data: {"));
  if (line === undefined) return refusal(500, "The server ended this request without an answer. Send it again.");
  const headers = new Headers({ "content-type": "application/json" });
  const session = response.headers.get("mcp-session-id");
  if (session !== null) headers.set("mcp-session-id", session);
  return new Response(line.slice("data: ".length), { status: response.status, headers });
}
