import type { IncomingMessage, ServerResponse } from "node:http";
import { nodeBody, type ReadBody, webBody } from "./body.js";

/** A request, of node:http or web-standard. A web-standard one costs more to make than a small call, so for those of node:http it is made when the SDK needs it. */
export interface HttpRequest {
  readonly method: string;
  readonly url: URL;
  readonly readBody: ReadBody;
  /** Whether the client went away. */
  readonly gone: boolean;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
  /** The value of a header, by its name in lower case; of a header that came several times all of them, joined. */
  header(name: string): string | null;
  /** All headers, by their names in lower case. */
  headers(): Readonly<Record<string, string>>;
  /** The same request as the SDK takes it, without its body; always the same object. */
  web(): Request;
}

/** A web-standard request. */
export class FetchRequest implements HttpRequest {
  readonly url: URL;
  readonly readBody: ReadBody;
  readonly #request: Request;

  constructor(request: Request) {
    this.url = new URL(request.url);
    this.readBody = webBody(request);
    this.#request = request;
  }

  get method(): string {
    return this.#request.method;
  }

  get gone(): boolean {
    return this.#request.signal.aborted;
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }

  header(name: string): string | null {
    return this.#request.headers.get(name);
  }

  headers(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#request.headers);
  }

  web(): Request {
    return this.#request;
  }
}

/** A request of node:http. */
export class NodeRequest implements HttpRequest {
  readonly method: string;
  readonly url: URL;
  readonly readBody: ReadBody;
  readonly #req: IncomingMessage;
  #controller: AbortController | undefined;
  #gone = false;
  #web: Request | undefined;

  /** @throws TypeError for an address that is none */
  constructor(req: IncomingMessage, res: ServerResponse) {
    // Express takes the path that a handler is mounted at off `url`.
    const { originalUrl = req.url ?? "/" } = req as { originalUrl?: string };
    this.url = new URL(originalUrl, `http://${req.headers.host ?? "localhost"}`);
    this.method = req.method ?? "GET";
    this.readBody = nodeBody(req);
    this.#req = req;
    res.once("close", () => {
      if (!res.writableFinished) this.#leave();
    });
  }

  get gone(): boolean {
    return this.#gone;
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#gone) this.#controller.abort();
    return this.#controller.signal;
  }

  header(name: string): string | null {
    const values = this.#req.headersDistinct[name];
    return values === undefined ? null : joined(name, values);
  }

  headers(): Readonly<Record<string, string>> {
    const headers: Record<string, string> = {};
    for (const [name, values] of Object.entries(this.#req.headersDistinct)) headers[name] = joined(name, values ?? []);
    return headers;
  }

  web(): Request {
    if (this.#web !== undefined) return this.#web;
    const request = new Request(this.url, { method: this.method, headers: this.headers() });
    // The signal that the standard makes for each request is made here when it is wanted.
    this.#web = Object.defineProperty(request, "signal", { get: () => this.signal });
    return this.#web;
  }

  #leave(): void {
    this.#gone = true;
    this.#controller?.abort();
  }
}

/** Values of a header that came several times, as the standard joins them. */
function joined(name: string, values: readonly string[]): string {
  return values.length === 1 && values[0] !== undefined ? values[0] : values.join(name === "cookie" ? "; " : ", ");
}
