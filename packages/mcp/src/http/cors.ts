import { type Answer, headerOf, type TextAnswer, withHeaders } from "./answer.js";

/** What web pages of an allowed origin may send to `/mcp`, and how long a browser may remember it, in seconds. */
const PREFLIGHT = {
  "access-control-allow-methods": "GET, POST, DELETE",
  "access-control-max-age": "7200",
  // The answer differs by what is asked for: no cache may hand it to another question.
  vary: "Access-Control-Request-Headers",
};
const HEADERS = "Content-Type, Accept, Authorization, Last-Event-ID, Mcp-Session-Id, MCP-Protocol-Version, Mcp-Method, Mcp-Name, traceparent, tracestate";

/** A header that carries an argument of a tool: which there are is for the tools to say. */
const OF_ARGUMENT = /^mcp-param-[!#$%&'*+.^_`|~0-9a-z-]+$/i;

/** Answers the question of a browser whether a page may call, with these headers besides the usual ones. Its origin was checked. */
export function preflight(asked: string | null): TextAnswer {
  const ofArguments = (asked ?? "").split(",").map((name) => name.trim());
  const headers = [HEADERS, ...ofArguments.filter((name) => OF_ARGUMENT.test(name))].join(", ");
  return { status: 204, headers: { ...PREFLIGHT, "access-control-allow-headers": headers }, text: "" };
}

/** Lets the page of an origin that was checked read an answer, the session's id included. */
export function readableBy(origin: string, answer: Answer): Answer {
  const vary = headerOf(answer, "vary");
  return withHeaders(answer, {
    "access-control-allow-origin": origin,
    "access-control-expose-headers": "Mcp-Session-Id, MCP-Protocol-Version, Deprecation, Sunset, Retry-After",
    vary: vary === undefined ? "Origin" : `${vary}, Origin`,
  });
}
