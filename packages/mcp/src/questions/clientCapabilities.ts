import type { InputRequest } from "@fettle/contract";
import type { ClientCapabilities } from "@modelcontextprotocol/server";
import { META_KEY } from "../revisions.js";
import type { WireContext } from "../wireContext.js";

/** What a client said that it can do. */
export type { ClientCapabilities };

/** The client's capabilities as they hold for a request: of the handshake, or from 2026-07-28 on of the request itself. */
export function clientCapabilities(ofHandshake: ClientCapabilities | undefined, ctx: WireContext): ClientCapabilities | undefined {
  const envelope: Readonly<Record<string, unknown>> | undefined = ctx.mcpReq.envelope;
  return envelope === undefined ? ofHandshake : (envelope[META_KEY.clientCapabilities] as ClientCapabilities | undefined);
}

/** The capability that a client needs to be asked something, and lacks: `elicitation`, `elicitation.url`, `sampling.tools` ... */
export function lackedCapability(capabilities: ClientCapabilities | undefined, request: InputRequest): string | undefined {
  const { elicitation, sampling, roots } = capabilities ?? {};
  switch (request.method) {
    case "elicitation/create": {
      if (elicitation === undefined) return "elicitation";
      const mode = request.params["mode"] === "url" ? "url" : "form";
      // A client that names no mode is one from before there were modes, when all were forms.
      if (mode === "form" && elicitation.url === undefined) return undefined;
      return elicitation[mode] === undefined ? `elicitation.${mode}` : undefined;
    }
    case "sampling/createMessage": {
      if (sampling === undefined) return "sampling";
      const withTools = request.params["tools"] !== undefined || request.params["toolChoice"] !== undefined;
      return withTools && sampling.tools === undefined ? "sampling.tools" : undefined;
    }
    case "roots/list":
      return roots === undefined ? "roots" : undefined;
  }
}

/** Whether a client can be asked by that method. */
export function canAsk(capabilities: ClientCapabilities | undefined, method: InputRequest["method"], mode: "form" | "url" = "form"): boolean {
  const known = method === "elicitation/create" || method === "sampling/createMessage" || method === "roots/list";
  return known && lackedCapability(capabilities, { method, params: { mode } }) === undefined;
}
