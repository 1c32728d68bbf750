// MCP as a route of an Express app, also behind a body parser.   node express.mjs [PORT]
import express from "express";
import { createNodeHandler, openKernel } from "fettle/embed";

const kernel = await openKernel(new URL("../docs/hello/fettle.config.yaml", import.meta.url));
const mcp = createNodeHandler(kernel);

const app = express();
app.use(express.json());
app.get("/", (_req, res) => res.send("A page of my own.\n"));
app.all("/mcp", (req, res) => mcp.handle(req, res));

const server = app.listen(Number(process.argv[2] ?? 3000), "127.0.0.1", (error) => {
  // Express 5 calls this too when it can't listen.
  if (error) throw error;
  console.log(`http://127.0.0.1:${server.address().port}/mcp`);
});

process.once("SIGTERM", async () => {
  server.close();
  await Promise.all([mcp.close(), kernel.close()]);
  server.closeAllConnections();
});
