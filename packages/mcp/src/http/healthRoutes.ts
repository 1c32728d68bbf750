import type { Kernel } from "@fettle/kernel";
import { jsonAnswer, refusal, type TextAnswer } from "./answer.js";
import type { HttpRequest } from "./httpRequest.js";

/** Whether the process is alive: it answers, so it is. */
export function healthz(request: HttpRequest): TextAnswer {
  return onlyGet(request) ?? jsonAnswer(200, { status: "ok" }, NOT_STORED);
}

/** Whether calls can be served: 200, or 503 with the reasons, where the asker may know them. */
export async function readyz(request: HttpRequest, kernel: Kernel, draining: boolean, withReasons: boolean): Promise<TextAnswer> {
  const wrong = onlyGet(request);
  if (wrong !== undefined) return wrong;
  const { ready, reasons } = draining ? { ready: false, reasons: ["The server is shutting down."] } : await kernel.health();
  if (ready) return jsonAnswer(200, { status: "ready" }, NOT_STORED);
  return jsonAnswer(503, { status: "not ready", ...(withReasons && { reasons }) }, NOT_STORED);
}

const NOT_STORED = { "cache-control": "no-store" };

function onlyGet({ method }: HttpRequest): TextAnswer | undefined {
  return method === "GET" || method === "HEAD" ? undefined : refusal(405, `${method} is not served at this address.`, { headers: { allow: "GET, HEAD" } });
}
