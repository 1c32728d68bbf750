import { badOrder, goodOrder, goodTotal, ORDER } from "../tools.mjs";

const OLDER = "2025-11-25";
const STATELESS = "2026-07-28";

/** Headers of every HTTP request. */
export const HEADERS = { "content-type": "application/json", accept: "application/json, text/event-stream" };

export const initialize = (id) => ({
  jsonrpc: "2.0",
  id,
  method: "initialize",
  params: { protocolVersion: OLDER, capabilities: {}, clientInfo: { name: "bench", version: "1.0.0" } },
});
export const initialized = { jsonrpc: "2.0", method: "notifications/initialized" };
export const list = (id, cursor) => ({ jsonrpc: "2.0", id, method: "tools/list", params: cursor === undefined ? {} : { cursor } });
export const goodCall = (id) => ({ jsonrpc: "2.0", id, method: "tools/call", params: { name: ORDER, arguments: goodOrder } });
export const badCall = (id) => ({ jsonrpc: "2.0", id, method: "tools/call", params: { name: ORDER, arguments: badOrder } });

const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": STATELESS,
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** A message as a request of the stateless revision: its revision rides along. Servers that don't know that revision take it for one of theirs. */
export const inStatelessEra = (message) => ({ ...message, params: { ...message.params, _meta: ENVELOPE } });

/** The headers of such a request. */
export const statelessHeaders = ({ method, params }) => ({
  "mcp-protocol-version": STATELESS,
  "mcp-method": method,
  ...(params.name !== undefined && { "mcp-name": params.name }),
});

/** Throws unless an answer to {@link goodCall} is right. */
export function checkGood({ result }) {
  if (result?.structuredContent?.total !== goodTotal) throw new Error(`wrong answer to a valid call: ${JSON.stringify(result)?.slice(0, 300)}`);
}

/** Throws unless an answer to {@link badCall} refuses it, naming each fault. */
export function checkBad({ result, error }) {
  const said = JSON.stringify(error ?? (result?.isError ? result.content : undefined)) ?? "";
  if (!["channel", "priority", "email", "quantity"].every((field) => said.includes(field)))
    throw new Error(`wrong answer to an invalid call: ${said.slice(0, 300)}`);
}
