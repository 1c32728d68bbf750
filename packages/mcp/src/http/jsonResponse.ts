import { WIRE_CODE, wireError } from "../wireError.js";

/** A response that remembers its text: who writes it need not read it out of its stream. */
export class TextResponse extends Response {
  readonly content: string;

  constructor(content: string, init: ResponseInit) {
    super(content, init);
    this.content = content;
  }
}

/** A JSON answer. */
export function jsonResponse(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Response {
  return new TextResponse(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } });
}

/** A refusal at the HTTP level, as a JSON-RPC error: that is what MCP clients show. */
export function refusal(
  status: number,
  message: string,
  options: { readonly code?: number; readonly id?: string | number | null; readonly headers?: Readonly<Record<string, string>> } = {},
): Response {
  return jsonResponse(status, wireError(options.id ?? null, options.code ?? WIRE_CODE.refused, message), options.headers);
}
