/**
 * An error that a request is answered with at the level of the protocol. The SDK takes what is thrown by its code, message and data, so that this one serves
 * with it and without: its own class comes only with all of it.
 */
export class ProtocolError extends Error {
  /** Of JSON-RPC or MCP: see `WIRE_CODE`. */
  readonly code: number;
  /** Becomes `error.data`. */
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.name = "ProtocolError";
    this.code = code;
    this.data = data;
  }
}
