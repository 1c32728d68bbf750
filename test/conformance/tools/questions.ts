import { type HandlerContext, type InputRequest, type JsonObject, stateError } from "fettle";

/** A form for the user. `properties` are those of the form's schema. */
export function form(message: string, properties: JsonObject, required: readonly string[] = []): InputRequest {
  return { method: "elicitation/create", params: { message, requestedSchema: { type: "object", properties, ...(required.length > 0 && { required }) } } };
}

/** A question to the client's model. */
export function prompt(text: string, maxTokens: number): InputRequest {
  return { method: "sampling/createMessage", params: { messages: [{ role: "user", content: { type: "text", text } }], maxTokens } };
}

/** The client's roots. */
export const roots: InputRequest = { method: "roots/list", params: {} };

/** @throws state_error conformance/cannot-ask where the client can't be asked so */
export function requireAsking(ctx: HandlerContext, method: InputRequest["method"]): void {
  if (ctx.canAsk(method)) return;
  throw stateError("conformance/cannot-ask", {
    what: `${ctx.tool.name} needs a client that can be asked by ${method}, and this one can't.`,
    why: "the client did not declare the capability",
    fix: "Tell the user that this client lacks the ability; calling again will not help.",
  });
}
