import type { Terminal } from "./terminal.js";

/**
 * Has errors and rejections that nobody caught logged, and survived: one stray promise of one handler must not end the calls of all others, nor keep the
 * answer of its own call from coming out. For the rest of the process.
 *
 * @returns waits until those seen so far are written
 */
export function catchStrays(terminal: Pick<Terminal, "err" | "errIsTty" | "errPaint" | "env">): () => Promise<void> {
  let written = Promise.resolve();
  const tell =
    (what: string) =>
    (reason: unknown): void => {
      const { name, message, stack } = reason instanceof Error ? reason : { name: typeof reason, message: String(reason), stack: undefined };
      written = written.then(async () => {
        // Whoever runs handlers has loaded the log already; --help needn't.
        const { createLog } = await import("./log.js");
        createLog(terminal, "warn").error(`${what}: ${message}`, { error_name: name, ...(stack !== undefined && { error_stack: stack }) });
      });
    };
  process.on("uncaughtException", tell("an error was caught by nobody"));
  process.on("unhandledRejection", tell("a rejected promise was caught by nobody"));
  return () => written;
}
