// Serves over HTTP by the CLI, as `npm start` and `npm run conformance:serve` do.
import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

/**
 * Runs `fettle serve --http` with these arguments, until this process is told to end; its exit code becomes this process's.
 * @param {readonly string[]} args
 * @param {(address: string) => void} onAddress told `http://127.0.0.1:PORT` once, when the server is ready
 */
export function serveHttp(args, onAddress) {
  // In a process group of its own: a Ctrl+C at the terminal reaches this process only, which passes it on once.
  const child = spawn(process.execPath, [join(root, "packages/fettle/bin/fettle.js"), "serve", "--http", ...args], {
    cwd: root,
    stdio: ["ignore", "inherit", "pipe"],
    detached: true,
  });
  process.on("SIGINT", () => child.kill("SIGINT"));
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  // npm passes SIGTERM to the shell that it runs this script in, and the shell ends without passing it on: notice that it is gone.
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event !== undefined) {
    setInterval(() => {
      if (process.ppid !== parent) child.kill("SIGTERM");
    }, 250).unref();
  }

  let said = "";
  const lookForAddress = (/** @type {string} */ chunk) => {
    said += chunk;
    const address = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0];
    // The address may be cut by a chunk's end: wait for the line to be whole.
    if (!address || !said.slice(said.indexOf(address)).includes("\n")) return;
    child.stderr.off("data", lookForAddress);
    onAddress(address);
  };
  child.stderr.setEncoding("utf8");
  child.stderr.on("data", (chunk) => process.stderr.write(chunk));
  child.stderr.on("data", lookForAddress);
  child.on("exit", (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
}
