import { type ChildProcess, spawn } from "node:child_process";
import { StringDecoder } from "node:string_decoder";
import { atExit } from "./atExit.js";
import { bothEnds, HeadAndTail } from "./headAndTail.js";
import { type HookRun, HookTrace } from "./hookTrace.js";
import { sharedStream } from "./sharedStream.js";

/** What a git process said. */
export interface GitRun {
  readonly code: number;
  readonly stdout: Buffer;
  /** What git itself said, at most some 16,000 characters of its two ends, control characters taken out. With `traceHooks` without what hooks said. */
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
  readonly input?: string | Buffer;
  /** Most bytes of stdout to keep. Default 8 MiB. */
  readonly maxBytes?: number;
  /** Let git run to its end also when stdout is longer than `maxBytes`; the rest is thrown away. Default false: git is stopped. */
  readonly dropRest?: boolean;
  /** Looks at each piece of stdout as it comes; true stops git, since nothing more is needed. */
  readonly enough?: (piece: Buffer) => boolean;
  /** Find out which hook failed and what it said. */
  readonly traceHooks?: boolean;
}

const DEFAULT_MAX_BYTES = 8 * 1024 * 1024;
/** Characters of each end of stderr, and of a hook's words. */
const HALF_STDERR = 8 * 1024;
const MAX_HOOK_WORDS = 2_000;
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
function plainText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
  return text.replace(/\x1b\[[0-9;?]*[A-Za-z]/g, "").replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, "");
}

/** The words of a hook for an answer: hints and empty lines left out. */
function hookWords(said: string): string {
  const lines = plainText(said)
    .split("\n")
    .filter((line) => line.trim() !== "");
  return bothEnds(lines.join("\n"), MAX_HOOK_WORDS);
}

/**
 * Runs git once, without a shell, without a terminal, in a process group of its own. The call's signal, which is aborted at its deadline
 * too, stops the whole group; so does the end of the server's process.
 *
 * @throws the signal's reason when the call was given up meanwhile; failures of git are told by `code` and `stderr`
 */
export async function runGit(args: readonly string[], signal: AbortSignal, options: GitProcessOptions): Promise<GitRun> {
  const shared = options.traceHooks ? await sharedStream() : undefined;
  if (signal.aborted) {
    for (const socket of shared ? [shared.writeEnd, shared.readEnd] : []) socket.destroy();
    throw signal.reason;
  }

  return new Promise((resolve, reject) => {
    const trace = options.traceHooks ? new HookTrace() : undefined;
    const child = spawn(options.executable, args, {
      cwd: options.cwd,
      // Trace2 writes JSON lines to the given file descriptor (git: Documentation/technical/api-trace2): here to the stream of stderr, but under
      // another number, so that a hook's own use of stderr never meets them.
      env: trace ? { ...options.env, GIT_TRACE2_EVENT: "3" } : options.env,
      stdio: [options.input === undefined ? "ignore" : "pipe", "pipe", shared?.writeEnd ?? "pipe", trace ? (shared?.writeEnd ?? "pipe") : "ignore"],
      // A session of its own: no terminal to prompt on, one group to stop.
      detached: process.platform !== "win32",
      windowsHide: true,
      shell: false,
    });
    shared?.writeEnd.destroy();
    const taken = atExit(() => signalGroup(child, "SIGKILL"));
    const maxBytes = options.maxBytes ?? DEFAULT_MAX_BYTES;
    const out: Buffer[] = [];
    const err = trace ?? new HeadAndTail(HALF_STDERR);
    let outBytes = 0;
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
      if ((piece.length > room && !options.dropRest) || options.enough?.(piece)) {
        cut = true;
        stop();
      }
    });
    const streams = shared ? [shared.readEnd] : [child.stderr, child.stdio[3]];
    for (const stream of streams) {
      const decoder = new StringDecoder("utf8");
      if (stream && "on" in stream) stream.on("data", (piece: Buffer) => err.add(decoder.write(piece)));
    }
    // EPIPE: git ended without reading all of its input. Its exit code tells why.
    child.stdin?.on("error", () => undefined);
    if (options.input !== undefined) child.stdin?.end(options.input);

    const end = (settle: () => void) => {
      // git is gone, but a hook that it started may not be.
      if (killTimer) signalGroup(child, "SIGKILL");
      taken();
      clearTimeout(killTimer);
      clearTimeout(closeTimer);
      shared?.readEnd.destroy();
      signal.removeEventListener("abort", giveUp);
      settle();
    };
    const finish = () =>
      end(() => {
        if (gaveUp) return reject(signal.reason);
        const failed = trace?.failed;
        resolve({
          code: exitCode ?? 128,
          stdout: Buffer.concat(out),
          stderr: plainText(trace ? trace.ownWords() : err.toString()),
          cut,
          ...(failed && { failedHook: { name: failed.name, code: failed.code, said: hookWords(failed.said.toString()) } }),
        });
      });
    // The end of a stream that isn't the child's own isn't waited for by "close".
    const heard = new Promise<void>((done) => {
      if (shared) shared.readEnd.once("close", () => done());
      else done();
    });
    child.on("error", (error) => end(() => reject(error)));
    child.on("exit", (code) => {
      exitCode = code;
      if (killTimer) signalGroup(child, "SIGKILL");
      closeTimer = setTimeout(() => {
        for (const stream of child.stdio) stream?.destroy();
        finish();
      }, EXIT_TO_CLOSE_MS);
    });
    child.on("close", () => void heard.then(finish));
  });
}
