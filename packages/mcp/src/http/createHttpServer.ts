import { createServer, type IncomingMessage, type Server as NodeServer, type ServerResponse } from "node:http";
import { isIPv6 } from "node:net";
import type { Kernel } from "@fettle/kernel";
import { answerNode } from "./answerNode.js";
import type { HttpOptions } from "./createFetchHandler.js";
import { httpSettings } from "./httpSettings.js";
import { listenError, listenTwice } from "./listenError.js";
import { Site } from "./site.js";

export interface HttpServer {
  /**
   * Starts to listen. Defaults are the config's, else 127.0.0.1 and 3000; port 0 picks a free one.
   *
   * @returns the address for people and clients, `http://127.0.0.1:3000`; MCP is at `/mcp`
   * @throws ListenError when the port is none or in use, the host is no address of this machine, or the server listens already or was closed
   */
  listen(address?: { readonly host?: string; readonly port?: number }): Promise<{ readonly url: string }>;
  /**
   * Listens no more, takes no new calls on open connections, lets the calls in flight end for `drainMs` milliseconds (default the config's
   * `http.drain_ms`, else 8,000), answers the rest with the error `kernel/closing` some 0.6 s later and aborts them, ends sessions, streams and
   * connections. Close the kernel at the same time, with the same `drainMs`: it cuts calls off in order.
   */
  close(options?: { readonly drainMs?: number }): Promise<void>;
}

/** How long answers that are on their way may take to leave once everything else has ended, in milliseconds. */
const FLUSH_MS = 500;

/**
 * Serves a kernel over Streamable HTTP, for protocol revisions 2024-11-05 to 2026-07-28, with health routes and the routes of plugins.
 *
 * @throws TypeError when `options.http` isn't valid
 * @example
 * const server = createHttpServer(kernel);
 * const { url } = await server.listen({ port: 0 });
 * process.once("SIGTERM", async () => {
 *   await Promise.all([server.close(), kernel.close()]);
 * });
 */
export function createHttpServer(kernel: Kernel, options: HttpOptions = {}): HttpServer {
  const settings = httpSettings(kernel, options.http);
  const site = new Site(kernel, settings, options);
  const server = createServer(
    {
      headersTimeout: Math.min(settings.headers_timeout_ms, settings.request_timeout_ms),
      requestTimeout: settings.request_timeout_ms,
      keepAliveTimeout: settings.keep_alive_timeout_ms,
      // Node looks for late requests only this often; its default of 30 s would make shorter limits meaningless.
      connectionsCheckingInterval: Math.min(1_000, settings.headers_timeout_ms, settings.request_timeout_ms),
    },
    (req, res) => void answerNode(site, req, res),
  );
  // Without a listener Node asks for the body before anybody looked at its length.
  server.on("checkContinue", (req: IncomingMessage, res: ServerResponse) => {
    if (!(Number(req.headers["content-length"]) > settings.max_body_bytes)) res.writeContinue();
    void answerNode(site, req, res);
  });
  let state: "new" | "listening" | "closed" = "new";
  return {
    async listen({ host = settings.host, port = settings.port } = {}) {
      if (state !== "new") throw listenTwice(state);
      state = "listening";
      try {
        return await listen(server, site, host, port);
      } catch (error) {
        // Another port may be free.
        if (state === "listening") state = "new";
        throw error;
      }
    },
    close: async ({ drainMs = settings.drain_ms } = {}) => {
      state = "closed";
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      await site.drain(drainMs);
      await site.close();
      // Connections that finish their last answer now are idle a moment later.
      const sweep = setInterval(() => server.closeIdleConnections(), 20);
      const deadline = setTimeout(() => server.closeAllConnections(), FLUSH_MS);
      await closed;
      clearInterval(sweep);
      clearTimeout(deadline);
    },
  };
}

function listen(server: NodeServer, site: Site, host: string, port: number): Promise<{ readonly url: string }> {
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException): void => reject(listenError(error, host, port));
    server.once("error", failed);
    const listening = (): void => {
      server.off("error", failed);
      site.listening(host);
      const address = server.address();
      const chosen = typeof address === "object" && address !== null ? address.port : port;
      resolve({ url: `http://${reachable(host)}:${chosen}` });
    };
    try {
      server.listen({ host, port }, listening);
    } catch (error) {
      // Node throws at once for a port that is none.
      server.off("error", failed);
      server.off("listening", listening);
      failed(error as NodeJS.ErrnoException);
    }
  });
}

/** A host to call a server by that listens on `host`. */
function reachable(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return isIPv6(host) ? `[${host}]` : host;
}
