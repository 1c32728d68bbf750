import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { TextResponse } from "./jsonResponse.js";
import { isStream } from "./whenDone.js";

/** How long, and for how many bytes, a client that is still sending is listened to after it was refused. */
const LINGER = { ms: 500, bytes: 1_048_576 };

/** Writes a web-standard response to a node:http one. A client that goes away ends it silently. */
export async function writeResponse(response: Response, req: IncomingMessage, res: ServerResponse): Promise<void> {
  if (res.destroyed) {
    await response.body?.cancel();
    return;
  }
  const headers = Object.fromEntries(response.headers);
  // Whether the connection stays is between Node and the client, who may have asked for its end; the SDK's streams always say keep-alive.
  if (headers["connection"] !== "close") delete headers["connection"];
  if (response.body !== null && isStream(response)) {
    res.writeHead(response.status, headers);
    // What is there already goes out with the headers in one write: most answers are.
    res.cork();
    res.flushHeaders();
    setImmediate(() => res.writableEnded || res.uncork());
    // Fails only when the client went away, and then cancels the stream.
    await pipeline(Readable.fromWeb(response.body), res).catch(() => {});
    return;
  }
  // A text goes out in one piece with its headers, bytes in a piece of their own.
  const body = await contentOf(response);
  const length = Buffer.byteLength(body);
  if (req.complete) {
    res.writeHead(response.status, { ...headers, "content-length": length });
    res.end(req.method === "HEAD" ? undefined : body);
    return;
  }
  // Closing while a client still sends makes its system throw the answer away: take a little more, then close.
  res.writeHead(response.status, { ...headers, "content-length": length, connection: "close" });
  res.write(body);
  await linger(req);
  res.end();
}

function contentOf(response: Response): string | Promise<string | Buffer> {
  if (response instanceof TextResponse) return response.content;
  if (response.body === null) return "";
  return response.headers.get("content-type") === "application/json" ? response.text() : response.arrayBuffer().then((bytes) => Buffer.from(bytes));
}

function linger(req: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let left = LINGER.bytes;
    const done = (): void => {
      clearTimeout(timer);
      req.removeAllListeners("data").pause();
      resolve();
    };
    const timer = setTimeout(done, LINGER.ms);
    req.on("data", (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) done();
    });
    req.once("end", done);
    req.once("close", done);
    req.resume();
  });
}
