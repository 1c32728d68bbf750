import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { protectStdout, serveStdio } from "../src/index.js";
import { fixtureKernel } from "./fixtureTools.js";
import { questionsKernel } from "./questionTools.js";

const FILE = fileURLToPath(import.meta.url);

/** Which tools are served: those of fixtureTools.ts, or those that ask. */
export type Fixture = "tools" | "questions";

/** How to start this file as a stdio server. */
export function stdioCommand(fixture: Fixture = "tools"): { command: string; args: string[]; env: Record<string, string> } {
  return {
    command: process.execPath,
    args: ["--conditions=source", "--import", import.meta.resolve("tsx"), FILE, fixture],
    // Coverage of the child counts too.
    env: Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined)),
  };
}

/** Starts the fixture server with pipes. */
export function spawnFixture(fixture?: Fixture): ChildProcess {
  const { command, args, env } = stdioCommand(fixture);
  return spawn(command, args, { stdio: "pipe", env });
}

if (process.argv[1] === FILE) {
  protectStdout();
  console.log("printed while loading");
  const { kernel } = await (process.argv[2] === "questions" ? questionsKernel() : fixtureKernel());
  const server = serveStdio(kernel, { onerror: (error) => process.stderr.write(`onerror: ${error.message}\n`) });
  process.once("SIGTERM", () => void server.close());
  await server.closed;
  await kernel.close();
}
