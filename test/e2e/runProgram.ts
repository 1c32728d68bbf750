import { spawn } from "node:child_process";

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end. It is killed after a minute, so that one that waits for somebody fails its test. */
export function runProgram(command: string, args: readonly string[], options: { readonly cwd: string; readonly home: string }): Promise<Ended> {
  // Nothing of the person who runs the tests: their clients' settings, colours, or Node's options.
  const env = { PATH: process.env["PATH"], HOME: options.home, NO_COLOR: "1" };
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: options.cwd, env, stdio: ["ignore", "pipe", "pipe"], timeout: 60_000 });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, stdout, stderr }));
  });
}
