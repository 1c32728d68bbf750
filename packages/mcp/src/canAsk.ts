import type { InputRequest } from "@fettle/contract";
import { CLIENT_CAPABILITIES_META_KEY, type Server, type ServerContext } from "@modelcontextprotocol/server";

/** What a client said that it can do. */
export type ClientCapabilities = NonNullable<ReturnType<Server["getClientCapabilities"]>>;

/** The client's capabilities as they hold for a request: of the handshake, or from 2026-07-28 on of the request itself. */
export function clientCapabilities(server: Server, ctx: ServerContext): ClientCapabilities | undefined {
  const envelope: Readonly<Record<string, unknown>> | undefined = ctx.mcpReq.envelope;
  return envelope === undefined ? server.getClientCapabilities() : (envelope[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined);
}

/** Whether a client with these capabilities can be asked by that method, in any of its modes. */
export function canAsk(capabilities: ClientCapabilities | undefined, method: InputRequest["method"]): boolean {
  switch (method) {
    case "elicitation/create":
      return capabilities?.elicitation !== undefined;
    case "sampling/createMessage":
      return capabilities?.sampling !== undefined;
    case "roots/list":
      return capabilities?.roots !== undefined;
    default:
      return false;
  }
}
