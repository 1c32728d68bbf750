import type { Kernel } from "@fettle/kernel";
import type { CliLog } from "./log.js";
import { UsageError } from "./usageError.js";

/** What a transport gives: an end that may come from the other side, and a way to end it. */
export interface Serving {
  /** Resolves when the other side ends it. */
  readonly ending: Promise<void>;
  close(): Promise<void>;
}

/** How long calls in flight have at the end, in milliseconds, where the config doesn't say. */
export const DEFAULT_DRAIN_MS = 8_000;
/** What the kernel adds to the drain for calls that it aborts (see `Kernel.close`), in milliseconds. */
export const ABORT_MS = 1_500;

/** Where the remarks of a transport go. */
export function listeners(log: CliLog): { readonly onerror: (error: Error) => void; readonly ondebug: (message: string) => void } {
  return { onerror: (error) => log.warn(error.message), ondebug: (message) => log.debug(message) };
}

/**
 * Serves a kernel over HTTP.
 *
 * @returns the address without a path, `http://127.0.0.1:3000`
 * @throws UsageError when it can't listen there
 */
export async function serveHttp(
  kernel: Kernel,
  { host, port }: { readonly host?: string; readonly port?: number },
  log: CliLog,
  drainMs: number,
): Promise<Serving & { readonly url: string }> {
  const { createHttpServer, ListenError } = await import("@fettle/mcp");
  const server = createHttpServer(kernel, listeners(log));
  try {
    const { url } = await server.listen({ ...(host !== undefined && { host }), ...(port !== undefined && { port }) });
    return { url, ending: new Promise(() => {}), close: () => server.close({ drainMs }) };
  } catch (error) {
    if (error instanceof ListenError) throw new UsageError(error.message, error.hint);
    throw error;
  }
}
