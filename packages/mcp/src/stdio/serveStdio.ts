import type { Readable, Writable } from "node:stream";
import type { Kernel } from "@fettle/kernel";
import { GRACE_MS } from "../graceMs.js";
import { offersOf } from "../methods.js";
import { type OnError, reportError } from "../reportError.js";
import { ToolLists } from "../toolLists.js";
import { protectStdout } from "./protectStdout.js";
import { QuickCalls } from "./quickCalls.js";
import { StdioTransport } from "./stdioTransport.js";

export interface StdioOptions {
  /** Default `process.stdin`. */
  readonly stdin?: Readable;
  /** Default `process.stdout`, which is then kept for the protocol: what else writes to it goes to stderr. */
  readonly stdout?: Writable;
  /** Receives errors that the client isn't told of. Nothing that the client sent is quoted in them. */
  readonly onerror?: OnError;
  /** Receives remarks for who writes tools, for the server's log at debug level. Nothing that the client sent is in them. */
  readonly ondebug?: (message: string) => void;
  /** Longest message in bytes. Default 10 MiB: answers to sampling may hold images. */
  readonly maxMessageBytes?: number;
  /** Time for calls in flight to answer once stdin ended or `close` was called, in milliseconds. Default the config's `http.drain_ms`, else 8,000. */
  readonly drainMs?: number;
}

export interface StdioServer {
  /**
   * Refuses new requests, lets those in flight answer for `drainMs`, answers the rest with the error `kernel/closing` some 0.6 s later, aborts
   * them and ends the connection. Close the kernel at the same time, with the same `drainMs`: it cuts calls off in order.
   */
  close(): Promise<void>;
  /** Resolves when the connection begins to end: `close` was called, stdin ended or stdout broke. */
  readonly ending: Promise<void>;
  /** Resolves when the connection has ended and everything is written: after `close`, or when stdin ended or stdout broke. */
  readonly closed: Promise<void>;
}

/** How long a client may take to read what was written when the connection ends, in milliseconds. */
const FLUSH_MS = 5_000;

const served = new WeakSet<Readable>();

/**
 * Serves a kernel over stdio, for protocol revisions 2024-11-05 to 2026-07-28: the client's first message decides which.
 *
 * @throws Error when this stdin is served already: it has one client
 * @example
 * const server = serveStdio(kernel);
 * await server.ending;
 * await Promise.all([server.close(), kernel.close()]);
 */
export function serveStdio(kernel: Kernel, options: StdioOptions = {}): StdioServer {
  return serveLanes(kernel, options, "both");
}

/** {@link serveStdio} with the quick lane or without: what it answers must not differ. */
export function serveLanes(kernel: Kernel, options: StdioOptions, lanes: "both" | "complete"): StdioServer {
  const report = reportError(options.onerror);
  const stdin = options.stdin ?? process.stdin;
  if (served.has(stdin))
    throw new Error("This stdin is served already, and it has one client. Serve more clients over HTTP, or hand in another stdin and stdout.");
  served.add(stdin);
  const given = options.stdout ?? process.stdout;
  const stdout = given === process.stdout ? protectStdout() : given;
  const drainMs = options.drainMs ?? kernel.config.config.http?.drain_ms ?? 8_000;

  const lists = new ToolLists(kernel);
  const quick = lanes === "both" ? new QuickCalls(report) : undefined;
  const transport = new StdioTransport({
    stdin,
    stdout,
    maxMessageBytes: options.maxMessageBytes ?? 10 * 1024 * 1024,
    offers: offersOf(kernel),
    quick,
  });
  let begin: () => void = () => {};
  const ending = new Promise<void>((resolve) => {
    begin = resolve;
  });
  let end: () => void = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  // Loaded here, so that a server over HTTP does without it. Nothing is read from stdin before.
  const connected = import("./completeLane.js").then(({ connect }) => {
    const lane = connect({ kernel, transport, quick, lists, report, debug: options.ondebug });
    transport.listen = lane.listen;
    const { onclose } = transport;
    transport.onclose = () => {
      onclose?.();
      begin();
      end();
    };
    return lane;
  });
  const closed = ended.then(async () => {
    lists.close();
    (await connected).release();
    if (!stdout.destroyed && !(await flushed(stdout))) {
      report(new Error(`Ended the connection to a client that has not read its last answers within ${FLUSH_MS / 1_000} s.`));
      stdout.destroy();
    }
  });
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= (async () => {
      begin();
      transport.refuseRequests();
      const lane = await connected;
      await transport.drained(drainMs + GRACE_MS);
      transport.giveUp();
      await lane.close();
      await closed;
    })();
    return closing;
  };
  transport.onend = () => void close();
  return { close, ending, closed };
}

/** Waits until all that was written is read, for so long at most. Gives whether it is. */
function flushed(stdout: Writable): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), FLUSH_MS);
    // An empty write is done when all before it are.
    stdout.write("", () => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
