// The floor: what there is to do at the least, with no protocol library. JSON.parse, a compiled ajv validator, the handler, JSON.stringify.
//   node floor.mjs stdio COUNT      node floor.mjs http COUNT
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { besideSchema, besides, ORDER, order, orderSchema } from "../tools.mjs";

/**
 * Answers JSON-RPC messages as a server with `count` tools would, without looking at whether they are sound.
 *
 * @param {number} count
 * @returns {(message: any) => unknown} the answer; undefined for a notification
 */
export function floorAnswers(count) {
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  addFormats.default(ajv);
  const validators = new Map();
  const tools = new Map([[ORDER, { name: ORDER, description: "Create an order.", inputSchema: orderSchema, run: order }]]);
  for (const { name, noun, description } of besides(count - 1))
    tools.set(name, { name, description, inputSchema: besideSchema(noun), run: ({ id, name }) => ({ id, name, stored: true }) });
  const listed = [...tools.values()].map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  const call = ({ name, arguments: args }) => {
    const tool = tools.get(name);
    const validate = validators.get(name) ?? ajv.compile(tool.inputSchema);
    validators.set(name, validate);
    if (!validate(args)) return { content: [{ type: "text", text: ajv.errorsText(validate.errors) }], isError: true };
    const data = tool.run(args);
    return { content: [{ type: "text", text: JSON.stringify(data) }], structuredContent: data };
  };
  const results = {
    initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "floor", version: "1" } }),
    "tools/list": () => ({ tools: listed }),
    "tools/call": call,
  };
  return ({ id, method, params }) => (id === undefined ? undefined : { jsonrpc: "2.0", id, result: results[method](params) });
}

function serveStdio(answer) {
  createInterface({ input: process.stdin }).on("line", (line) => {
    const response = answer(JSON.parse(line));
    if (response !== undefined) process.stdout.write(`${JSON.stringify(response)}\n`);
  });
}

function serveHttp(answer) {
  const server = createServer((req, res) => {
    const chunks = [];
    req.on("data", (chunk) => chunks.push(chunk));
    req.on("end", () => {
      const message = JSON.parse(Buffer.concat(chunks).toString());
      const response = answer(message);
      if (response === undefined) return res.writeHead(202).end();
      const body = JSON.stringify(response);
      res.writeHead(200, {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
        ...(message.method === "initialize" && { "mcp-session-id": randomUUID() }),
      });
      return res.end(body);
    });
  });
  server.listen(0, "127.0.0.1", () => console.error(`http://127.0.0.1:${server.address().port}`));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [transport, count] = process.argv.slice(2);
  (transport === "stdio" ? serveStdio : serveHttp)(floorAnswers(Number(count)));
}
