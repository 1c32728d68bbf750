import type { Kernel } from "@fettle/kernel";
import type { JSONRPCMessage, JSONRPCRequest } from "@modelcontextprotocol/server";
import { isStateless } from "./isStateless.js";
import { plainName } from "./plainName.js";
import { WIRE_CODE } from "./wireError.js";

/** Which optional parts of MCP a kernel's plugins make it serve. */
export interface Offers {
  readonly prompts: boolean;
  readonly resources: boolean;
  readonly completions: boolean;
  /** Whether changes of a resource can be told. */
  readonly subscriptions: boolean;
}

/** What there is besides tools. */
export function offersOf({
  contributes,
  prompts,
  resources,
  resourceTemplates,
}: Pick<Kernel, "contributes" | "prompts" | "resources" | "resourceTemplates">): Offers {
  return {
    ...contributes,
    completions: [...prompts, ...resourceTemplates].some((contribution) => contribution.complete !== undefined),
    subscriptions: [...resources, ...resourceTemplates].some(({ watch }) => watch !== undefined),
  };
}

/** The methods that only one of the two protocol eras has. */
const OF_ONE_ERA = new Set([
  "initialize",
  "ping",
  "logging/setLevel",
  "server/discover",
  "subscriptions/listen",
  "resources/subscribe",
  "resources/unsubscribe",
]);

/** Says that there is no such method, and which there are. A name that is long or odd isn't repeated. */
function unknownMethod(request: JSONRPCRequest, { prompts, resources, completions, subscriptions }: Offers): string {
  const stateless = isStateless(request);
  const served = ["tools/list", "tools/call"];
  if (prompts) served.push("prompts/list", "prompts/get");
  if (resources) served.push("resources/list", "resources/templates/list", "resources/read");
  if (subscriptions && !stateless) served.push("resources/subscribe", "resources/unsubscribe");
  if (completions) served.push("completion/complete");
  if (stateless) served.push("server/discover", "subscriptions/listen");
  const name = plainName(request.method);
  const where = name !== undefined && OF_ONE_ERA.has(name) ? " in this protocol revision" : "";
  return `This server has no ${name === undefined ? "such method" : `method ${name}`}${where}. It serves ${served.join(", ")}.`;
}

/** An answer as it is, unless it is one of the SDK's bare errors: "Method not found" says {@link unknownMethod}, "Unsupported protocol version" what to send. */
export function inOwnWords<M extends JSONRPCMessage>(message: M, request: JSONRPCRequest, offers: Offers): M {
  if (!("error" in message)) return message;
  const { code, message: bare, data } = message.error;
  if (code === WIRE_CODE.methodNotFound && bare === "Method not found")
    return { ...message, error: { ...message.error, message: unknownMethod(request, offers) } };
  if (code !== WIRE_CODE.unsupportedVersion || !bare.startsWith("Unsupported protocol version")) return message;
  const supported: unknown = (data as { readonly supported?: unknown } | undefined)?.supported;
  const served = Array.isArray(supported) ? supported.join(", ") : "2026-07-28";
  const text = `This server doesn't speak the protocol revision that the request names. Send it again under ${served}, or begin with initialize for an older revision.`;
  return { ...message, error: { ...message.error, message: text } };
}
