// Serves the Git tools over HTTP and prints the entry to paste into an MCP client.
//   npm start               port 3000, or a free one when 3000 is taken
//   npm start -- 4000       that port (PORT=4000 does the same)
import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const HOST = "127.0.0.1";
if (process.argv.includes("--setup")) await import("./setup.mjs");
const asked = process.argv.slice(2).find((arg) => arg !== "--setup") ?? process.env.PORT;
if (asked !== undefined && !(/^\d{1,5}$/.test(asked) && Number(asked) <= 65535)) {
  console.error(`start: ${asked} is not a port. Give a number from 0 to 65535, for example: npm start -- 4000`);
  process.exit(2);
}

const isFree = (port) =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, HOST, () => probe.close(() => resolve(true)));
  });

let port = asked ?? "3000";
if (asked === undefined && !(await isFree(3000))) {
  console.error("start: port 3000 is in use, so a free one is taken. To choose one yourself: npm start -- 4000");
  port = "0";
}

// In a process group of its own: a Ctrl+C at the terminal reaches this process only, which passes it on once.
const child = spawn(process.execPath, [join(root, "packages/fettle/bin/fettle.js"), "serve", "--http", "--host", HOST, "--port", port], {
  cwd: root,
  stdio: ["ignore", "inherit", "pipe"],
  detached: true,
});
process.on("SIGINT", () => child.kill("SIGINT"));
process.on("SIGTERM", () => child.kill("SIGTERM"));
// npm passes SIGTERM to the shell that it runs this script in, and the shell ends without passing it on: notice that it is gone.
const parent = process.ppid;
if (process.env.npm_lifecycle_event === "start") {
  setInterval(() => {
    if (process.ppid !== parent) child.kill("SIGTERM");
  }, 250).unref();
}

let said = "";
const lookForAddress = (chunk) => {
  said += chunk;
  const address = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0];
  // The address may be cut by a chunk's end: wait for the line to be whole.
  if (!address || !said.slice(said.indexOf(address)).includes("\n")) return;
  child.stderr.off("data", lookForAddress);
  const entry = { mcpServers: { "fettle-git": { type: "http", url: `${address}/mcp` } } };
  console.log(
    `\nThe Git tools are served at ${address}/mcp. Paste this into your MCP client's configuration:\n\n${JSON.stringify(entry, null, 2)}\n\nCtrl+C stops the server.`,
  );
};
child.stderr.setEncoding("utf8");
child.stderr.on("data", (chunk) => process.stderr.write(chunk));
child.stderr.on("data", lookForAddress);
child.on("exit", (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
