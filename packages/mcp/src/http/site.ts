import type { Kernel } from "@fettle/kernel";
import { reportError } from "../reportError.js";
import { toProtocolError } from "../toProtocolError.js";
import { wireError } from "../wireError.js";
import { type Answer, jsonAnswer, refusal } from "./answer.js";
import { preflight, readableBy } from "./cors.js";
import type { HttpOptions } from "./createFetchHandler.js";
import { healthz, readyz } from "./healthRoutes.js";
import { HostChecks } from "./hostChecks.js";
import type { HttpDefaults } from "./httpDefaults.js";
import type { HttpRequest } from "./httpRequest.js";
import { McpEndpoint } from "./mcpEndpoint.js";
import { pluginRoute } from "./pluginRoutes.js";

/** Everything that is served over HTTP, as a function from request to answer: `/mcp`, `/healthz`, `/readyz` and the routes of plugins. */
export class Site {
  readonly #kernel: Kernel;
  readonly #settings: HttpDefaults;
  readonly #endpoint: McpEndpoint;
  readonly #report: (error: unknown) => void;
  #checks: HostChecks;
  #draining = false;

  constructor(kernel: Kernel, settings: HttpDefaults, { onerror, ondebug }: Pick<HttpOptions, "onerror" | "ondebug">) {
    this.#kernel = kernel;
    this.#settings = settings;
    this.#report = reportError(onerror);
    this.#endpoint = new McpEndpoint(kernel, settings, this.#report, ondebug);
    this.#checks = new HostChecks(settings.allowed_hosts, settings.allowed_origins);
  }

  /** Says which address is listened on, so that it is served under that name. */
  listening(host: string): void {
    this.#checks = new HostChecks(this.#settings.allowed_hosts, this.#settings.allowed_origins, host);
  }

  /** Answers one request. Never rejects. */
  async handle(request: HttpRequest): Promise<Answer> {
    try {
      return await this.#handle(request);
    } catch (error) {
      // Of who calls, for example: without that no session is opened or found.
      const { code, message, data } = toProtocolError(error, (fault) => request.gone || this.#report(fault));
      return jsonAnswer(500, wireError(null, code, message, data));
    }
  }

  /** See {@link McpEndpoint.drain}. From now on `/readyz` says no. */
  async drain(ms: number): Promise<void> {
    this.#draining = true;
    await this.#endpoint.drain(ms);
  }

  close(): Promise<void> {
    this.#draining = true;
    return this.#endpoint.close();
  }

  async #handle(request: HttpRequest): Promise<Answer> {
    const { url, method } = request;
    const { pathname } = url;
    const origin = request.header("origin");
    const wrong = this.#checks.refusal(request.header("host") ?? url.host, origin);
    // Probes of orchestrators name a pod's address as the host. They learn whether it is up, and only callers by a known name learn why not.
    if (pathname === "/healthz") return healthz(request);
    if (pathname === "/readyz") return readyz(request, this.#kernel, this.#draining, wrong === undefined);
    if (wrong !== undefined) return refusal(403, wrong);
    if (pathname === "/mcp") {
      if (origin === null) return this.#endpoint.handle(request);
      const asks = method === "OPTIONS" && request.header("access-control-request-method") !== null;
      return readableBy(origin, asks ? preflight(request.header("access-control-request-headers")) : await this.#endpoint.handle(request));
    }
    const route = pluginRoute(this.#kernel.routes, method, pathname);
    if (route === undefined) return refusal(404, "There is nothing at this address. MCP is served at /mcp.");
    if ("allow" in route) return refusal(405, `${method} is not served at this address.`, { headers: { allow: route.allow } });
    const body = await request.readBody(this.#settings.max_body_bytes);
    if (body === "too-large") return refusal(413, `The body of a request may have at most ${this.#settings.max_body_bytes} bytes.`);
    const headers = request.headers();
    const caller = await this.#kernel.identify({ transport: "http", headers, meta: {} });
    const answer = await route.handle({ method, url, headers, body, caller });
    return new Response(answer.body ?? null, { status: answer.status, headers: { ...answer.headers } });
  }
}
