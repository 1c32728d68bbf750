import type { IncomingMessage, ServerResponse } from "node:http";
import type { Kernel } from "@fettle/kernel";
import { answerNode } from "./answerNode.js";
import { closeSite, type HttpOptions } from "./createFetchHandler.js";
import { httpSettings } from "./httpSettings.js";
import { Site } from "./site.js";

/** A kernel as a handler of node:http requests. */
export interface NodeHandler {
  /** Answers one request, as `fetch` of `createFetchHandler` does. Never rejects. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** As of `createFetchHandler`. Close the kernel at the same time. */
  close(options?: { readonly drainMs?: number }): Promise<void>;
}

/**
 * Serves a kernel inside of a server of node:http, or of a framework that hands out its requests, such as Express. Timeouts of headers and
 * connections are that server's. A body that was parsed already is taken from `request.body`.
 *
 * @throws TypeError when `options.http` isn't valid
 * @example
 * const handler = createNodeHandler(kernel);
 * createServer((req, res) => (req.url === "/mcp" ? handler.handle(req, res) : res.end("hello"))).listen(3000);
 */
export function createNodeHandler(kernel: Kernel, options: HttpOptions = {}): NodeHandler {
  const settings = httpSettings(kernel, options.http);
  const site = new Site(kernel, settings, options);
  return {
    handle: (request, response) => answerNode(site, request, response),
    close: ({ drainMs = settings.drain_ms } = {}) => closeSite(site, drainMs),
  };
}
