import { type ChildProcess, spawn } from "node:child_process";
import { type HookRun, HookTrace } from "./hookTrace.js";

/** What a git process said. */
export interface GitRun {
  readonly code: number;
  readonly stdout: Buffer;
  /** At most 16 KiB, control characters taken out. */
  readonly stderr: string;
  /** Whether stdout was cut, at `maxBytes` or because it was `enough`. The process was stopped then and `code` says nothing. */
  readonly cut: boolean;
  /** The hook that failed, where `traceHooks` was on and one did. */
  readonly failedHook?: HookRun;
}

export interface GitProcessOptions {
  readonly executable: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Text for stdin. Default none: stdin is closed. */
  readonly input?: string;
  /** Most bytes of stdout to keep. Default 8 MiB. */
  readonly maxBytes?: number;
  /** Looks at each piece of stdout as it comes; true stops git, since nothing more is needed. */
  readonly enough?: (piece: Buffer) => boolean;
  /** Record which hooks ran and how they ended. */
  readonly traceHooks?: boolean;
}

const DEFAULT_MAX_BYTES = 8 * 1024 * 1024;
const MAX_STDERR = 16 * 1024;
/** git removes its lock files on SIGTERM; one that doesn't go is killed. */
const TERM_TO_KILL_MS = 2_000;
/** A hook may leave a background process that holds the pipes; nobody waits for that one. */
const EXIT_TO_CLOSE_MS = 500;
function signalGroup(child: ChildProcess, name: NodeJS.Signals): void {
  try {
    // The group: hooks and filters are children of git. Windows has no groups.
    if (child.pid !== undefined && process.platform !== "win32") process.kill(-child.pid, name);
    else child.kill(name);
  } catch {
    // It has ended by itself.
  }
}

/** Text of a program for people, made safe to show: no escape sequences or control characters. */
function plainText(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
  return text.replace(/\x1b\[[0-9;?]*[A-Za-z]/g, "").replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, "");
}

/**
 * Runs git once, without a shell, without a terminal, in a process group of its own. The call's signal, which is aborted at its deadline
 * too, stops the whole group.
 *
 * @throws the signal's reason when the call was given up meanwhile; failures of git are told by `code` and `stderr`
 */
export function runGit(args: readonly string[], signal: AbortSignal, options: GitProcessOptions): Promise<GitRun> {
  if (signal.aborted) return Promise.reject(signal.reason);

  return new Promise((resolve, reject) => {
    const trace = options.traceHooks ? new HookTrace() : undefined;
    const child = spawn(options.executable, args, {
      cwd: options.cwd,
      // Trace2 writes JSON lines to the given file descriptor (git: Documentation/technical/api-trace2).
      env: trace ? { ...options.env, GIT_TRACE2_EVENT: "3" } : options.env,
      stdio: [options.input === undefined ? "ignore" : "pipe", "pipe", "pipe", trace ? "pipe" : "ignore"],
      // A session of its own: no terminal to prompt on, one group to stop.
      detached: process.platform !== "win32",
      windowsHide: true,
      shell: false,
    });
    const maxBytes = options.maxBytes ?? DEFAULT_MAX_BYTES;
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    let outBytes = 0;
    let errBytes = 0;
    let cut = false;
    let gaveUp = false;
    let exitCode: number | null = null;
    let killTimer: NodeJS.Timeout | undefined;
    let closeTimer: NodeJS.Timeout | undefined;

    const stop = () => {
      if (killTimer) return;
      signalGroup(child, "SIGTERM");
      killTimer = setTimeout(() => signalGroup(child, "SIGKILL"), TERM_TO_KILL_MS);
    };
    const giveUp = () => {
      gaveUp = true;
      stop();
    };
    signal.addEventListener("abort", giveUp, { once: true });

    child.stdout?.on("data", (piece: Buffer) => {
      if (cut) return;
      const room = maxBytes - outBytes;
      out.push(piece.length > room ? piece.subarray(0, room) : piece);
      outBytes += Math.min(piece.length, room);
      if (piece.length > room || options.enough?.(piece)) {
        cut = true;
        stop();
      }
    });
    child.stderr?.on("data", (piece: Buffer) => {
      if (errBytes < MAX_STDERR) err.push(piece.subarray(0, MAX_STDERR - errBytes));
      errBytes += piece.length;
    });
    const traceStream = child.stdio[3];
    if (trace && traceStream && "on" in traceStream) traceStream.on("data", (piece: Buffer) => trace.write(piece));
    // EPIPE: git ended without reading all of its input. Its exit code tells why.
    child.stdin?.on("error", () => undefined);
    if (options.input !== undefined) child.stdin?.end(options.input);

    const end = (settle: () => void) => {
      // git is gone, but a hook that it started may not be.
      if (killTimer) signalGroup(child, "SIGKILL");
      clearTimeout(killTimer);
      clearTimeout(closeTimer);
      signal.removeEventListener("abort", giveUp);
      settle();
    };
    const finish = () =>
      end(() => {
        if (gaveUp) return reject(signal.reason);
        resolve({
          code: exitCode ?? 128,
          stdout: Buffer.concat(out),
          stderr: plainText(Buffer.concat(err)),
          cut,
          ...(trace?.failed && { failedHook: trace.failed }),
        });
      });
    child.on("error", (error) => end(() => reject(error)));
    child.on("exit", (code) => {
      exitCode = code;
      closeTimer = setTimeout(() => {
        for (const stream of child.stdio) stream?.destroy();
        finish();
      }, EXIT_TO_CLOSE_MS);
    });
    child.on("close", finish);
  });
}
