/** A JSON-RPC error answer. `id` is null where the request's own couldn't be read. */
export interface WireError {
  readonly jsonrpc: "2.0";
  readonly id: string | number | null;
  readonly error: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** The JSON-RPC and MCP error codes that this package answers with on its own. */
export const WIRE_CODE = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** Reserved for implementations by JSON-RPC; what the official SDKs use for refusals at the HTTP level. */
  refused: -32000,
  sessionNotFound: -32001,
  /** Of 2026-07-28. */
  unsupportedVersion: -32022,
} as const;

/** Makes a JSON-RPC error answer. */
export function wireError(id: string | number | null, code: number, message: string, data?: unknown): WireError {
  return { jsonrpc: "2.0", id, error: { code, message, ...(data !== undefined && { data }) } };
}
