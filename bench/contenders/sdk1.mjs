// McpServer of @modelcontextprotocol/sdk 1.x with registerTool and zod, as its README shows it. Stateless HTTP is its idiom of a server and a
// transport for each request; answers are plain JSON, the faster of the two forms that it has.
//   node sdk1.mjs stdio COUNT      node sdk1.mjs http COUNT stateless|sessions
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { pathToFileURL } from "node:url";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { z } from "zod";
import { besideShape, besides, ORDER, order, orderShape } from "../tools.mjs";

const asResult = (data) => ({ content: [{ type: "text", text: JSON.stringify(data) }], structuredContent: data });

/**
 * Makes servers with `count` tools. Schemas are made once, registration is for each server: the SDK keeps it there.
 *
 * @param {number} count
 * @returns {() => McpServer}
 */
export function sdk1Servers(count) {
  const tools = [{ name: ORDER, description: "Create an order.", inputSchema: z.strictObject(orderShape(z)), run: (args) => asResult(order(args)) }];
  for (const { name, noun, description } of besides(count - 1))
    tools.push({ name, description, inputSchema: z.strictObject(besideShape(z, noun)), run: ({ id, name }) => asResult({ id, name, stored: true }) });
  return () => {
    const server = new McpServer({ name: "sdk1", version: "1.0.0" });
    for (const { name, description, inputSchema, run } of tools) server.registerTool(name, { description, inputSchema }, run);
    return server;
  };
}

const parsed = async (req) => {
  const chunks = [];
  for await (const chunk of req) chunks.push(chunk);
  return chunks.length === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString());
};

const stateless = (create) => async (req, res) => {
  const server = create();
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined, enableJsonResponse: true });
  res.on("close", () => {
    void transport.close();
    void server.close();
  });
  const body = await parsed(req);
  await server.connect(transport);
  await transport.handleRequest(req, res, body);
};

const sessions = (create) => {
  const open = new Map();
  return async (req, res) => {
    const body = await parsed(req);
    const known = open.get(req.headers["mcp-session-id"]);
    if (known !== undefined) return known.handleRequest(req, res, body);
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      enableJsonResponse: true,
      onsessioninitialized: (id) => open.set(id, transport),
    });
    transport.onclose = () => open.delete(transport.sessionId);
    await create().connect(transport);
    await transport.handleRequest(req, res, body);
  };
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [transport, count, mode] = process.argv.slice(2);
  const create = sdk1Servers(Number(count));
  if (transport === "stdio") await create().connect(new StdioServerTransport());
  else {
    const handle = (mode === "stateless" ? stateless : sessions)(create);
    const server = createServer((req, res) => void handle(req, res));
    server.listen(0, "127.0.0.1", () => console.error(`http://127.0.0.1:${server.address().port}`));
  }
}
