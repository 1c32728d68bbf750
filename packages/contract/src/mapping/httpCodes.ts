import { type CodeTable, defineCodes } from "../codes.js";

type HttpKey =
  | "rejected"
  | "unauthorized"
  | "forbidden"
  | "not-found"
  | "timeout"
  | "conflict"
  | "too-large"
  | "too-many-requests"
  | "unavailable"
  | "server-error"
  | "unexpected-status";

/** What a service answers over HTTP. The messages go out as why_it_happened, the hints as how_to_fix. */
export const httpCodes: CodeTable<HttpKey> = defineCodes("http", {
  rejected: {
    type: "input_error",
    message: "The service finds something wrong with what it was sent.",
    hint: "Check the arguments against the tool's description, and call again with others.",
  },
  unauthorized: {
    type: "permission_error",
    message: "The service doesn't accept the server's credentials: they are missing, wrong or expired.",
    hint: "Tell the person who runs the server; other arguments won't help.",
  },
  forbidden: {
    type: "permission_error",
    message: "The service doesn't allow this to the account that the server uses.",
    hint: "Use something that the account may see, or ask the person who runs the server for access.",
  },
  "not-found": {
    type: "resource_error",
    message: "The service has nothing under that name or id, or doesn't show it to this account.",
    hint: "Check the name or id, or list what there is, and call again with one that exists.",
  },
  timeout: {
    type: "external_error",
    message: "The service gave up waiting.",
    hint: "Ask for less at once, or try later; if the call changes something, look first whether it did.",
  },
  conflict: {
    type: "state_error",
    message: "The thing has changed meanwhile, or is in a state that doesn't allow this.",
    hint: "Read it again, then decide from what is there now.",
  },
  "too-large": { type: "input_error", message: "What was sent is larger than the service takes.", hint: "Send less at once." },
  "too-many-requests": {
    type: "rate_limit_error",
    message: "The service takes no more requests from this server for now.",
    hint: "Wait, then send the same call again.",
  },
  unavailable: { type: "external_error", message: "The service is overloaded or down for a while.", hint: "Try again later." },
  "server-error": {
    type: "external_error",
    message: "The service failed inside.",
    hint: "If the call changes something, look whether it did before you send it again; if it stays so, tell the person who runs the server.",
  },
  "unexpected-status": {
    type: "internal_error",
    message: "The service answered in a way that the tool doesn't understand.",
    hint: "Tell the person who runs the server; sending the call again won't help.",
  },
});

const BY_STATUS: Readonly<Record<number, HttpKey>> = {
  400: "rejected",
  401: "unauthorized",
  403: "forbidden",
  404: "not-found",
  407: "unauthorized",
  408: "timeout",
  409: "conflict",
  410: "not-found",
  412: "conflict",
  413: "too-large",
  414: "too-large",
  422: "rejected",
  423: "conflict",
  428: "conflict",
  429: "too-many-requests",
  431: "too-large",
  451: "forbidden",
  502: "unavailable",
  503: "unavailable",
  504: "timeout",
};

/** The key for an HTTP status that isn't a success. */
export function httpKey(status: number): HttpKey {
  return BY_STATUS[status] ?? (status >= 500 && status < 600 ? "server-error" : "unexpected-status");
}
