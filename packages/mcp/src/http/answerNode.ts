import type { IncomingMessage, ServerResponse } from "node:http";
import { nodeBody } from "./body.js";
import { refusal } from "./jsonResponse.js";
import type { Site } from "./site.js";
import { writeResponse } from "./writeResponse.js";

/** Answers a request of node:http from a site. Never rejects. */
export async function answerNode(site: Site, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const gone = new AbortController();
  res.once("close", () => {
    if (!res.writableFinished) gone.abort();
  });
  const target = toWebRequest(req, gone.signal);
  const response =
    target === undefined
      ? refusal(400, "This request has a method, an address or a header that is not valid.")
      : await site.handle(target.request, target.url, nodeBody(req));
  await writeResponse(response, req, res).catch(() => res.destroy());
}

/** A web-standard request without the body, which is read apart; undefined where the standard has no such request. */
function toWebRequest(req: IncomingMessage, signal: AbortSignal): { readonly request: Request; readonly url: URL } | undefined {
  try {
    // Express takes the path that a handler is mounted at off `url`.
    const { originalUrl = req.url ?? "/" } = req as { originalUrl?: string };
    const url = new URL(originalUrl, `http://${req.headers.host ?? "localhost"}`);
    const headers = new Headers();
    for (const [name, value] of Object.entries(req.headersDistinct)) for (const one of value ?? []) headers.append(name, one);
    return { request: new Request(url, { method: req.method ?? "GET", headers, signal }), url };
  } catch {
    return undefined;
  }
}
