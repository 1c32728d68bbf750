// MCP beside routes of one's own, on plain node:http.   node node-http.mjs [PORT]
import { createServer } from "node:http";
import { createNodeHandler, openKernel } from "fettle/embed";

const kernel = await openKernel(new URL("../docs/hello/fettle.config.yaml", import.meta.url));
const mcp = createNodeHandler(kernel);

const server = createServer((req, res) => {
  if (req.url === "/mcp") return mcp.handle(req, res);
  if (req.url === "/") return res.end("A page of my own.\n");
  res.writeHead(404).end();
});
server.listen(Number(process.argv[2] ?? 3000), "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${server.address().port}/mcp`);
});

process.once("SIGTERM", async () => {
  // No new connections, then no new calls; those in flight may end.
  server.close();
  await Promise.all([mcp.close(), kernel.close()]);
  server.closeAllConnections();
});
