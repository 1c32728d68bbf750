import type { IncomingMessage, ServerResponse } from "node:http";
import { nodeBody } from "./body.js";
import { refusal } from "./jsonResponse.js";
import type { Site } from "./site.js";
import { writeResponse } from "./writeResponse.js";

/** Answers a request of node:http from a site. Never rejects. */
export async function answerNode(site: Site, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const client = new Presence();
  res.once("close", () => {
    if (!res.writableFinished) client.leave();
  });
  const target = toWebRequest(req, client);
  const response =
    target === undefined
      ? refusal(400, "This request has a method, an address or a header that is not valid.")
      : await site.handle(target.request, target.url, nodeBody(req));
  await writeResponse(response, req, res).catch(() => res.destroy());
}

/** Whether a client is still there. The signal that the standard makes for each request costs more than a small call, so this one is made when it is wanted. */
class Presence {
  #controller: AbortController | undefined;
  #left = false;

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#left) this.#controller.abort();
    return this.#controller.signal;
  }

  leave(): void {
    this.#left = true;
    this.#controller?.abort();
  }
}

/** A web-standard request without the body, which is read apart; undefined where the standard has no such request. */
function toWebRequest(req: IncomingMessage, client: Presence): { readonly request: Request; readonly url: URL } | undefined {
  try {
    // Express takes the path that a handler is mounted at off `url`.
    const { originalUrl = req.url ?? "/" } = req as { originalUrl?: string };
    const url = new URL(originalUrl, `http://${req.headers.host ?? "localhost"}`);
    const headers: [string, string][] = [];
    for (const [name, values] of Object.entries(req.headersDistinct)) for (const value of values ?? []) headers.push([name, value]);
    const request = new Request(url, { method: req.method ?? "GET", headers });
    return { request: Object.defineProperty(request, "signal", { get: () => client.signal }), url };
  } catch {
    return undefined;
  }
}
