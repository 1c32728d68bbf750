import type { Kernel } from "@fettle/kernel";
import type { OnError } from "../reportError.js";
import { toResponse } from "./answer.js";
import type { HttpSettings } from "./httpDefaults.js";
import { FetchRequest } from "./httpRequest.js";
import { httpSettings } from "./httpSettings.js";
import { Site } from "./site.js";

export interface HttpOptions {
  /** Overrides of the config's `http` section, member by member. */
  readonly http?: HttpSettings;
  /** Receives errors that no client is told of. Nothing that a client sent is quoted in them. */
  readonly onerror?: OnError;
  /** Receives remarks for who writes tools, for the server's log at debug level. Nothing that a client sent is in them. */
  readonly ondebug?: (message: string) => void;
}

/** A kernel as a web-standard handler. */
export interface FetchHandler {
  /** Answers one request: `/mcp`, `/healthz`, `/readyz` and the routes of plugins, behind the Host and Origin checks. Never rejects. */
  fetch(request: Request): Promise<Response>;
  /**
   * Takes no new calls, lets those in flight end for `drainMs` milliseconds (default the config's `http.drain_ms`), answers the rest with the
   * error `kernel/closing` and aborts them, ends all sessions and streams. Close the kernel at the same time: it cuts calls off in order.
   */
  close(options?: { readonly drainMs?: number }): Promise<void>;
}

/**
 * Serves a kernel inside of any server that speaks web-standard requests. Timeouts of headers and connections are that server's.
 *
 * @throws TypeError when `options.http` isn't valid
 * @example
 * const handler = createFetchHandler(kernel);
 * app.all("/mcp", (c) => handler.fetch(c.req.raw)); // Hono
 */
export function createFetchHandler(kernel: Kernel, options: HttpOptions = {}): FetchHandler {
  const settings = httpSettings(kernel, options.http);
  const site = new Site(kernel, settings, options);
  return {
    fetch: async (request) => toResponse(await site.handle(new FetchRequest(request))),
    close: ({ drainMs = settings.drain_ms } = {}) => closeSite(site, drainMs),
  };
}

/** The end of a site in order. */
export async function closeSite(site: Site, drainMs: number): Promise<void> {
  await site.drain(drainMs);
  await site.close();
}
