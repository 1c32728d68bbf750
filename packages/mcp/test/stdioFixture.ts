import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { protectStdout, serveStdio } from "../src/index.js";
import { fixtureKernel } from "./fixtureTools.js";

const FILE = fileURLToPath(import.meta.url);

/** How to start this file as a stdio server. */
export const STDIO_COMMAND = {
  command: process.execPath,
  args: ["--conditions=source", "--import", import.meta.resolve("tsx"), FILE],
  // Coverage of the child counts too.
  env: Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined)),
};

/** Starts the fixture server with pipes. */
export function spawnFixture(): ChildProcess {
  return spawn(STDIO_COMMAND.command, STDIO_COMMAND.args, { stdio: "pipe", env: STDIO_COMMAND.env });
}

if (process.argv[1] === FILE) {
  protectStdout();
  console.log("printed while loading");
  const { kernel } = await fixtureKernel();
  const server = serveStdio(kernel, { onerror: (error) => process.stderr.write(`onerror: ${error.message}\n`) });
  process.once("SIGTERM", () => void server.close());
  await server.closed;
  await kernel.close();
}
