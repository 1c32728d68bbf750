import { WIRE_CODE, wireError } from "../wireError.js";

type HeaderValues = Readonly<Record<string, string>>;

/** An answer of our own: a status, headers by their names in lower case, and a text. A web-standard response costs more to make than a small call. */
export interface TextAnswer {
  readonly status: number;
  readonly headers: HeaderValues;
  readonly text: string;
}

/** What a request is answered with: a text of our own, or what the SDK or a plugin's route gave. */
export type Answer = TextAnswer | Response;

/** A JSON answer. */
export function jsonAnswer(status: number, body: unknown, headers: HeaderValues = {}): TextAnswer {
  return { status, headers: { "content-type": "application/json", ...headers }, text: JSON.stringify(body) };
}

/** An answer in a session as a stream of one event, the form that answers have there. It goes out whole, so that it has no id to come back with. */
export function eventAnswer(message: object, sessionId: string): TextAnswer {
  const headers = { "content-type": "text/event-stream", "cache-control": "no-cache, no-transform", "mcp-session-id": sessionId };
  return { status: 200, headers, text: `event: message\ndata: ${JSON.stringify(message)}\n\n` };
}

/** A refusal at the HTTP level, as a JSON-RPC error: that is what MCP clients show. */
export function refusal(
  status: number,
  message: string,
  options: { readonly code?: number; readonly id?: string | number | null; readonly headers?: HeaderValues } = {},
): TextAnswer {
  return jsonAnswer(status, wireError(options.id ?? null, options.code ?? WIRE_CODE.refused, message), options.headers);
}

/** An answer with these headers besides its own, or in their place. */
export function withHeaders(answer: Answer, headers: HeaderValues): Answer {
  if (!(answer instanceof Response)) return { ...answer, headers: { ...answer.headers, ...headers } };
  for (const [name, value] of Object.entries(headers)) answer.headers.set(name, value);
  return answer;
}

/** The value of a header of an answer, by its name in lower case. */
export function headerOf({ headers }: Answer, name: string): string | undefined {
  return headers instanceof Headers ? (headers.get(name) ?? undefined) : headers[name];
}

/** An answer as the standard has it. */
export function toResponse(answer: Answer): Response {
  if (answer instanceof Response) return answer;
  const { status, headers, text } = answer;
  return new Response(NO_BODY.has(status) ? null : text, { status, headers });
}

/** Statuses whose responses have no body. */
const NO_BODY = new Set([204, 304]);
