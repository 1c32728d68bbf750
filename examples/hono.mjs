// MCP as a route of a Hono app.   node hono.mjs [PORT]
import { serve } from "@hono/node-server";
import { createFetchHandler, openKernel } from "fettle/embed";
import { Hono } from "hono";

const kernel = await openKernel(new URL("../docs/hello/fettle.config.yaml", import.meta.url));
const mcp = createFetchHandler(kernel);

const app = new Hono();
app.get("/", (c) => c.text("A page of my own.\n"));
app.all("/mcp", (c) => mcp.fetch(c.req.raw));

const server = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: Number(process.argv[2] ?? 3000) }, ({ port }) => {
  console.log(`http://127.0.0.1:${port}/mcp`);
});

process.once("SIGTERM", async () => {
  server.close();
  await Promise.all([mcp.close(), kernel.close()]);
  server.closeAllConnections();
});
