import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** The repository's folder. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** The built CLI, as a user runs it. */
export const CLI = fileURLToPath(new URL("../../packages/fettle/bin/fettle.js", import.meta.url));

export interface RunningServer {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  readonly process: ChildProcess;
  /** What it wrote to stderr so far. */
  stderr(): string;
  /** Sends SIGTERM and gives the exit code and how long it took, in milliseconds. */
  stop(): Promise<{ readonly code: number | null; readonly ms: number }>;
}

/** Starts `fettle serve --http` on a free port, by this Node or another, and waits until it says that it is ready. */
export async function serveHttp(
  env: Readonly<Record<string, string | undefined>>,
  args: readonly string[] = [],
  node: string = process.execPath,
): Promise<RunningServer> {
  const child = spawn(node, [CLI, "serve", "--http", "--port", "0", ...args], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.on("data", () => {
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(stderr);
      if (found) resolve(found[0]);
    });
    child.once("exit", (code) => reject(new Error(`fettle serve ended with ${code} before it was ready:\n${stderr}`)));
  });
  return {
    url,
    process: child,
    stderr: () => stderr,
    async stop() {
      if (child.exitCode !== null) return { code: child.exitCode, ms: 0 };
      const started = performance.now();
      child.kill("SIGTERM");
      const [code] = (await once(child, "exit")) as [number | null];
      return { code, ms: performance.now() - started };
    },
  };
}
