import type { Kernel } from "@fettle/kernel";
import { jsonResponse, refusal } from "./jsonResponse.js";

/** Whether the process is alive: it answers, so it is. */
export function healthz(request: Request): Response {
  return onlyGet(request) ?? jsonResponse(200, { status: "ok" }, NOT_STORED);
}

/** Whether calls can be served: 200, or 503 with the reasons, where the asker may know them. */
export async function readyz(request: Request, kernel: Kernel, draining: boolean, withReasons: boolean): Promise<Response> {
  const wrong = onlyGet(request);
  if (wrong !== undefined) return wrong;
  const { ready, reasons } = draining ? { ready: false, reasons: ["The server is shutting down."] } : await kernel.health();
  if (ready) return jsonResponse(200, { status: "ready" }, NOT_STORED);
  return jsonResponse(503, { status: "not ready", ...(withReasons && { reasons }) }, NOT_STORED);
}

const NOT_STORED = { "cache-control": "no-store" };

function onlyGet({ method }: Request): Response | undefined {
  return method === "GET" || method === "HEAD" ? undefined : refusal(405, `${method} is not served at this address.`, { headers: { allow: "GET, HEAD" } });
}
