/** An entry for the configuration of an MCP client that reaches a server over HTTP, as most hosts take it. */
export function pasteEntry(name: string, url: string): string {
  return JSON.stringify({ mcpServers: { [name]: { type: "http", url } } }, null, 2);
}
