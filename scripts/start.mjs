// Serves the Git tools over HTTP and prints the entry to paste into an MCP client.
//   npm start               port 3000, or a free one when 3000 is taken
//   npm start -- 4000       that port (PORT=4000 does the same)
import { createServer } from "node:net";
import { serveHttp } from "./serveHttp.mjs";

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

serveHttp(["--host", HOST, "--port", port], (address) => {
  const entry = { mcpServers: { "fettle-git": { type: "http", url: `${address}/mcp` } } };
  console.log(
    `\nThe Git tools are served at ${address}/mcp. Paste this into your MCP client's configuration:\n\n${JSON.stringify(entry, null, 2)}\n\nCtrl+C stops the server.`,
  );
});
