import type { Kernel } from "@fettle/kernel";
import { type JSONRPCRequest, McpServer, type Server } from "@modelcontextprotocol/server";

type SchemaObject = Record<string, unknown>;

/** Whether a schema marks parameters with `x-mcp-header`. Schemas are frozen, so each is searched once. */
const marked = new WeakMap<object, boolean>();

/**
 * A server that has the SDK compare the `Mcp-Param-*` headers of a call with its arguments, where its tool marks parameters with `x-mcp-header`:
 * proxies route by these headers, so a request whose headers say something else than its body is refused (400, -32020). The SDK does so for its
 * own high-level server only, which it asks for the schema of the tool; any other call gets the server as it is.
 */
export function withParameterHeaders(server: Server, kernel: Kernel, message: JSONRPCRequest | undefined): Server | McpServer {
  const name = message?.method === "tools/call" ? message.params?.["name"] : undefined;
  const schema = typeof name === "string" ? kernel.catalog().get(name)?.spec.parameters : undefined;
  return schema !== undefined && marksHeaders(schema) ? new ToolServer(server, schema) : server;
}

function marksHeaders(schema: object): boolean {
  const known = marked.get(schema);
  if (known !== undefined) return known;
  const found = JSON.stringify(schema).includes('"x-mcp-header"');
  marked.set(schema, found);
  return found;
}

/** A low-level server in the shape of the SDK's high-level one, for a request to one tool. */
class ToolServer extends McpServer {
  override readonly server: Server;
  readonly #schema: SchemaObject;

  constructor(server: Server, schema: SchemaObject) {
    super({ name: "unused", version: "0.0.0" });
    this.server = server;
    this.#schema = schema;
  }

  override toolInputSchemaJson(): SchemaObject {
    return this.#schema;
  }
}
