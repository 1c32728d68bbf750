import { createKernel, type Kernel } from "@fettle/kernel";
import { count } from "../format/count.js";
import { createReport } from "../format/report.js";
import { giveBackMemory } from "../giveBackMemory.js";
import { type CliLog, createLog } from "../log.js";
import { logDiagnostics } from "../logDiagnostics.js";
import { openProject, requireSpecs } from "../project.js";
import { ABORT_MS, DEFAULT_DRAIN_MS, listeners, type Serving, serveHttp } from "../serving.js";
import { stopSignal } from "../stopSignal.js";
import type { Terminal } from "../terminal.js";
import { UsageError } from "../usageError.js";

export interface ServeOptions {
  readonly config?: string;
  readonly stdio?: boolean;
  readonly http?: boolean;
  readonly host?: string;
  readonly port?: number;
  /** Don't start when any spec has an error. */
  readonly strict?: boolean;
}

/** `fettle serve`: serves until SIGTERM, SIGINT or the end of stdin, then lets the calls in flight end. Resolves to the exit code. */
export async function serve(options: ServeOptions, terminal: Terminal): Promise<number> {
  const http = wantsHttp(options);
  const log = createLog(terminal, "info");
  let drainMs = DEFAULT_DRAIN_MS;
  const stop = stopSignal(log, () => drainMs + ABORT_MS);
  try {
    const project = await openProject(options, terminal, log);
    drainMs = project.config.config.http?.drain_ms ?? DEFAULT_DRAIN_MS;
    const kernel = await createKernel({ ...project, ...(options.strict && { strict: true }) });
    try {
      requireSpecs(project, kernel.catalog().tools.length + kernel.diagnostics.length);
      await tellProblems(kernel, log, terminal);
      await serveUntil(
        stop.asked,
        kernel,
        () => (http ? listen(kernel, options, log, drainMs) : speak(kernel, terminal, log, drainMs)),
        reloader(kernel, log, terminal),
        drainMs,
      );
    } finally {
      await kernel.close({ drainMs });
    }
    log.info("ended");
    return 0;
  } finally {
    stop.release();
  }
}

async function listen(kernel: Kernel, options: ServeOptions, log: CliLog, drainMs: number): Promise<Serving> {
  const { url, ...serving } = await serveHttp(kernel, options, log, drainMs);
  await giveBackMemory();
  log.announce(`serving ${count(kernel.catalog().tools.length, "tool")} at ${url}/mcp, health at ${url}/healthz and ${url}/readyz`);
  return serving;
}

async function serveUntil(stopped: Promise<void>, kernel: Kernel, begin: () => Promise<Serving>, reload: () => void, drainMs: number): Promise<void> {
  process.on("SIGHUP", reload);
  try {
    const serving = await begin();
    await Promise.race([stopped, serving.ending]);
    // Both at once: no new call is taken, neither by the kernel nor by the transport, while those in flight end. The transport waits a little
    // longer than the kernel, so that calls which the kernel aborts are answered too.
    await Promise.all([serving.close(), kernel.close({ drainMs })]);
  } finally {
    process.off("SIGHUP", reload);
  }
}

function wantsHttp({ stdio, http, host, port }: ServeOptions): boolean {
  if (stdio === http) throw new UsageError(stdio ? "Serve on one of the two: --stdio or --http." : "Say how to serve: --stdio or --http.");
  if (stdio && (host !== undefined || port !== undefined)) throw new UsageError("--host and --port are for --http; on --stdio there is no address.");
  return http === true;
}

async function speak(kernel: Kernel, terminal: Terminal, log: CliLog, drainMs: number): Promise<Serving> {
  const { serveStdio } = await import("@fettle/mcp");
  const server = serveStdio(kernel, { stdout: terminal.data, drainMs, ...listeners(log) });
  log.announce(`serving ${count(kernel.catalog().tools.length, "tool")} on stdio`);
  return server;
}

/** Frames for a person, log lines for programs. */
async function tellProblems(kernel: Kernel, log: CliLog, { err, errIsTty, errPaint, columns, cwd }: Terminal): Promise<void> {
  const { diagnostics, sources } = kernel;
  if (diagnostics.length === 0) return;
  if (!errIsTty) return logDiagnostics(diagnostics, log, cwd);
  // Measuring how wide texts are takes as long to load as all of the kernel.
  const { pretty } = await import("../format/pretty.js");
  err(`${pretty(createReport({ diagnostics, sources, tools: 0, files: 0, cwd }), { columns, paint: errPaint })}\n`);
}

/** Loads specs and handlers again, one reload at a time. */
function reloader(kernel: Kernel, log: CliLog, { cwd }: Terminal): () => void {
  let last = Promise.resolve();
  return () => {
    last = last.then(async () => {
      const { swapped, diagnostics } = await kernel.reload();
      logDiagnostics(diagnostics, log, cwd);
      if (swapped) log.announce(`loaded again: serving ${count(kernel.catalog().tools.length, "tool")}`);
      else log.error("not loaded again: a spec that is served has an error now, so the tools stay as they were");
    });
  };
}
