import type { InputRequest } from "@fettle/contract";
import type { ServerContext, StandardSchemaV1 } from "@modelcontextprotocol/server";

/** What the work on a request needs of its surroundings. The SDK's context is one; the quick lane makes its own. */
export interface WireContext {
  readonly sessionId?: string | undefined;
  readonly mcpReq: Pick<ServerContext["mcpReq"], "signal" | "notify" | "requestState" | "envelope" | "inputResponses" | "droppedInputResponseKeys"> & {
    /** Asks the client something that belongs to this request. */
    send(request: ToClient, schema: StandardSchemaV1<unknown, unknown>, options: SendOptions): Promise<unknown>;
  };
  readonly http?: Pick<NonNullable<ServerContext["http"]>, "req" | "closeSSE"> | undefined;
}

/** A request to the client. */
export interface ToClient {
  readonly method: InputRequest["method"];
  readonly params?: Record<string, unknown>;
}

export interface SendOptions {
  /** How long the answer may take, in milliseconds. */
  readonly timeout: number;
  readonly signal: AbortSignal;
}
