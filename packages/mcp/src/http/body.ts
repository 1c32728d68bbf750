import type { IncomingMessage } from "node:http";

/** Reads a request's body, up to so many bytes. */
export type ReadBody = (maxBytes: number) => Promise<Uint8Array | "too-large">;

const READ_ALREADY = "The body of the request was read before the request came here: hand it over before anything that reads bodies.";

/** The body of a node:http request. Past the limit nothing more is read, and where Content-Length says so nothing at all; the socket stays, to be answered on. */
export function nodeBody(req: IncomingMessage & { readonly body?: unknown }): ReadBody {
  return (maxBytes) => {
    // A framework read it already: Express with a body parser.
    if (req.readableEnded) {
      if (req.body === undefined) return Promise.reject(new Error(READ_ALREADY));
      const bytes = req.body instanceof Uint8Array ? req.body : Buffer.from(typeof req.body === "string" ? req.body : JSON.stringify(req.body));
      return Promise.resolve(bytes.length > maxBytes ? "too-large" : bytes);
    }
    if (Number(req.headers["content-length"]) > maxBytes) return Promise.resolve("too-large");
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let size = 0;
      req.on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (size <= maxBytes) {
          chunks.push(chunk);
          return;
        }
        req.removeAllListeners("data").pause();
        resolve("too-large");
      });
      req.on("end", () => resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)));
      req.on("error", reject);
      req.on("close", () => reject(new Error("The client went away before its request was whole.")));
    });
  };
}

/** The body of a web-standard request. */
export function webBody(request: Request): ReadBody {
  return async (maxBytes) => {
    if (Number(request.headers.get("content-length")) > maxBytes) return "too-large";
    if (request.bodyUsed) throw new Error(READ_ALREADY);
    if (request.body === null) return new Uint8Array();
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of request.body) {
      size += chunk.length;
      if (size > maxBytes) return "too-large";
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  };
}
