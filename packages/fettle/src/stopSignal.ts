import { endProcess } from "./endProcess.js";
import type { CliLog } from "./log.js";

/** The wish of whoever runs the process that it ends. */
export interface StopSignal {
  /** Resolves at the first SIGTERM or SIGINT. */
  readonly asked: Promise<void>;
  /** Stops listening. */
  release(): void;
}

/**
 * Waits for SIGTERM or SIGINT (Ctrl-C). A second one ends the process at once; so does the time limit, with exit code 0, since whoever stops a server
 * (systemd, Kubernetes, a shell) kills it some seconds later anyway.
 *
 * @param limitMs how long the end may take, in milliseconds
 */
export function stopSignal(log: CliLog, limitMs: () => number): StopSignal {
  let stopping = false;
  let limit: NodeJS.Timeout | undefined;
  let resolve: () => void = () => {};
  const asked = new Promise<void>((done) => {
    resolve = done;
  });
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping) {
      log.warn(`${signal} again: ended at once`);
      endProcess(1);
    }
    stopping = true;
    log.info(`${signal}: no new calls; waiting for those in flight`);
    limit = setTimeout(() => {
      log.warn("ended, though something was still running", { waited_ms: limitMs() });
      endProcess(0);
    }, limitMs());
    resolve();
  };
  process.on("SIGTERM", stop).on("SIGINT", stop);
  const release = (): void => {
    clearTimeout(limit);
    process.off("SIGTERM", stop).off("SIGINT", stop);
  };
  return { asked, release };
}
