import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** What `npm run conformance:serve` runs, on a free port. */
export interface ConformanceServer {
  /** `http://127.0.0.1:PORT/mcp`, as it was printed. */
  readonly url: string;
  /** Sends SIGTERM and gives the exit code. */
  stop(): Promise<number | null>;
}

/** Starts the server and waits for its address. */
export async function startConformanceServer(): Promise<ConformanceServer> {
  const child = spawn(process.execPath, ["scripts/serveConformance.mjs"], { cwd: root, env: { ...process.env, PORT: "0" }, stdio: ["ignore", "pipe", "pipe"] });
  const url = await printedAddress(child);
  return {
    url,
    async stop() {
      if (child.exitCode !== null) return child.exitCode;
      child.kill("SIGTERM");
      const [code] = (await once(child, "exit")) as [number | null];
      return code;
    },
  };
}

function printedAddress({ stdout, stderr }: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let out = "";
    let err = "";
    stdout?.setEncoding("utf8").on("data", (text: string) => {
      out += text;
      const address = /^http:\S+(?=\n)/m.exec(out)?.[0];
      if (address !== undefined) resolve(address);
    });
    stderr?.setEncoding("utf8").on("data", (text: string) => {
      err += text;
    });
    stdout?.once("close", () => reject(new Error(`The server ended without saying its address:\n${out}${err}`)));
  });
}
