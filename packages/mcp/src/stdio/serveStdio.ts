import type { Readable, Writable } from "node:stream";
import type { Kernel } from "@fettle/kernel";
import { GRACE_MS } from "../graceMs.js";
import { offersOf } from "../methods.js";
import type { QuickCall } from "../quickCall.js";
import { type OnError, reportError } from "../reportError.js";
import { ToolLists } from "../toolLists.js";
import type { CompleteLane } from "./completeLane.js";
import { protectStdout } from "./protectStdout.js";
import { listNotices, QuickStart } from "./quickStart.js";
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
  const offers = offersOf(kernel);
  const debug = options.ondebug;
  const quick =
    lanes === "both" ? new QuickStart({ kernel, lists, report, debug, notify: (notice) => transport.send({ jsonrpc: "2.0", ...notice }) }) : undefined;
  let lane: CompleteLane | undefined;
  const transport: StdioTransport = new StdioTransport({
    stdin,
    stdout,
    maxMessageBytes: options.maxMessageBytes ?? 10 * 1024 * 1024,
    offers,
    quick,
    async complete() {
      const { connect } = await import("./completeLane.js");
      if (transport.closed) return;
      const begun = (id: string | number): QuickCall | undefined => quick?.begun(id);
      lane = connect({ kernel, transport, lists, report, debug, begun, ...(quick && { level: quick.level }) });
      transport.listen = lane.listen;
    },
  });
  transport.onerror = report;
  // The complete lane tells its client itself.
  const stopListening = kernel.onListChanged((changed) => {
    if (lane !== undefined || quick?.handshake === undefined) return;
    for (const notice of listNotices(changed, offers)) transport.send(notice).catch(report);
  });
  let begin: () => void = () => {};
  const ending = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const ended = new Promise<void>((resolve) => {
    transport.onclosed = () => {
      begin();
      resolve();
    };
  });
  const closed = ended.then(async () => {
    stopListening();
    lists.close();
    lane?.release();
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
      await transport.drained(drainMs + GRACE_MS);
      transport.giveUp();
      await (lane ?? transport).close();
      await closed;
    })();
    return closing;
  };
  transport.onend = () => void close();
  transport.begin();
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
