/** What web pages of an allowed origin may send to `/mcp`, and how long a browser may remember it, in seconds. */
const PREFLIGHT = {
  "access-control-allow-methods": "GET, POST, DELETE",
  "access-control-allow-headers":
    "Content-Type, Accept, Authorization, Last-Event-ID, Mcp-Session-Id, MCP-Protocol-Version, Mcp-Method, Mcp-Name, traceparent, tracestate",
  "access-control-max-age": "7200",
};

/** Answers the question of a browser whether a page may call. Its origin was checked. */
export function preflight(): Response {
  return new Response(null, { status: 204, headers: PREFLIGHT });
}

/** Lets the page of an origin that was checked read a response, the session's id included. */
export function readableBy(origin: string, response: Response): Response {
  response.headers.set("access-control-allow-origin", origin);
  response.headers.set("access-control-expose-headers", "Mcp-Session-Id, MCP-Protocol-Version, Deprecation, Sunset, Retry-After");
  response.headers.append("vary", "Origin");
  return response;
}
