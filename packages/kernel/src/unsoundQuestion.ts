import type { HandlerQuestion } from "@fettle/contract";
import { isRecord } from "./isRecord.js";
import { toJson } from "./toJson.js";

/** What is wrong with a question, and where in what `needInput` was given. */
export interface UnsoundQuestion {
  /** `requests.confirm.params.message` */
  readonly path: string;
  readonly problem: string;
}

/**
 * What is wrong with what a handler, prompt or resource gave to `needInput`, so that no client can answer it; undefined where nothing is.
 * Only what every client needs is looked at: hosts differ in the schemas that their forms can show.
 */
export function unsoundQuestion({ requests, state }: Pick<HandlerQuestion, "requests" | "state">): UnsoundQuestion | undefined {
  if (state !== undefined && typeof state !== "string") return { path: "state", problem: "it must be a string" };
  if (!isRecord(requests) || Object.keys(requests).length === 0) return { path: "requests", problem: "it must be an object with at least one request" };
  for (const [key, request] of Object.entries(requests)) {
    const wrong = unsoundRequest(request, `requests.${key}`);
    if (wrong !== undefined) return wrong;
  }
  const json = toJson(requests, "requests");
  return json.ok ? undefined : { path: json.path, problem: json.problem };
}

function unsoundRequest(request: unknown, path: string): UnsoundQuestion | undefined {
  if (!isRecord(request)) return { path, problem: "it must be an object with method and params" };
  const { method, params } = request;
  const needs = (member: string, what: string): UnsoundQuestion => ({ path: `${path}.params.${member}`, problem: `it must be ${what}` });
  if (method === "roots/list") return params === undefined || isRecord(params) ? undefined : { path: `${path}.params`, problem: "it must be an object" };
  if (method !== "elicitation/create" && method !== "sampling/createMessage")
    return { path: `${path}.method`, problem: "it must be elicitation/create, sampling/createMessage or roots/list" };
  if (!isRecord(params)) return { path: `${path}.params`, problem: "it must be an object" };
  if (method === "sampling/createMessage") {
    if (!Array.isArray(params["messages"])) return needs("messages", "a list of messages");
    return typeof params["maxTokens"] === "number" ? undefined : needs("maxTokens", "a number");
  }
  if (typeof params["message"] !== "string") return needs("message", "a text for the user");
  if (params["mode"] === "url") return typeof params["url"] === "string" ? undefined : needs("url", "an address");
  if (params["mode"] !== undefined && params["mode"] !== "form") return needs("mode", "form or url");
  return isRecord(params["requestedSchema"]) ? undefined : needs("requestedSchema", "a JSON Schema of the answer");
}
