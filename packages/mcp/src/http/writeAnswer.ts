import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Answer } from "./answer.js";
import { isStream } from "./whenDone.js";

/** How long, and for how many bytes, a client that is still sending is listened to after it was refused. */
const LINGER = { ms: 500, bytes: 1_048_576 };

/** Writes an answer to a response of node:http. A client that goes away ends it silently. */
export async function writeAnswer(answer: Answer, req: IncomingMessage, res: ServerResponse): Promise<void> {
  if (!(answer instanceof Response)) return res.destroyed ? undefined : writeWhole(answer.status, answer.headers, answer.text, req, res);
  if (res.destroyed) {
    await answer.body?.cancel();
    return;
  }
  const headers = Object.fromEntries(answer.headers);
  // Whether the connection stays is between Node and the client, who may have asked for its end; the SDK's streams always say keep-alive.
  if (headers["connection"] !== "close") delete headers["connection"];
  if (answer.body !== null && isStream(answer)) {
    res.writeHead(answer.status, headers);
    // What is there already goes out with the headers in one write: most answers are. It is the socket that waits, since a response that
    // ends while it is corked loses its chunks in Node 22.23.
    const { socket } = res;
    socket?.cork();
    res.flushHeaders();
    setImmediate(() => socket?.uncork());
    // Fails only when the client went away, and then cancels the stream.
    await pipeline(Readable.fromWeb(answer.body), res).catch(() => {});
    return;
  }
  return writeWhole(answer.status, headers, answer.body === null ? "" : Buffer.from(await answer.arrayBuffer()), req, res);
}

async function writeWhole(
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string | Buffer,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const length = Buffer.byteLength(body);
  if (req.complete) {
    res.writeHead(status, { ...headers, "content-length": length });
    res.end(req.method === "HEAD" ? undefined : body);
    return;
  }
  // Closing while a client still sends makes its system throw the answer away: take a little more, then close.
  res.writeHead(status, { ...headers, "content-length": length, connection: "close" });
  res.write(body);
  await linger(req);
  res.end();
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
