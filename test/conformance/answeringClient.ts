import { Client as Client2, StreamableHTTPClientTransport as Http2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as Stdio2 } from "@modelcontextprotocol/client/stdio";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as Stdio1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as Http1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { CreateMessageRequestSchema, ElicitRequestSchema, ListRootsRequestSchema, LoggingMessageNotificationSchema } from "@modelcontextprotocol/sdk/types.js";

/** What the tests need of either SDK's client, which answers every question in the same way. */
export interface AnsweringClient {
  call(name: string, args: Record<string, unknown>, onprogress: (progress: { progress: number; total?: number }) => void): Promise<unknown>;
  listTools(): Promise<unknown>;
  listPrompts(): Promise<unknown>;
  listResources(): Promise<unknown>;
  listResourceTemplates(): Promise<unknown>;
  getPrompt(name: string, args: Record<string, string>): Promise<unknown>;
  readResource(uri: string): Promise<unknown>;
  /** What may stand for the argument `arg1` of test_prompt_with_arguments. */
  complete(typed: string): Promise<unknown>;
  /** The log lines that came so far. */
  readonly logged: readonly unknown[];
  close(): Promise<void>;
}

/** Where a server is: its address, or how it is started. */
export type Place = { readonly url: string } | { readonly command: string; readonly args: string[] };

/** The official clients that `connect` knows, by the era that they speak. */
export const CLIENTS = ["SDK 1.x", "SDK 2.x, older era", "SDK 2.x, 2026-07-28"] as const;

const INFO = { name: "conformance-transports", version: "1.0.0" };
const CAPABILITIES = { elicitation: {}, sampling: {}, roots: {} };
const ROOTS = { roots: [{ uri: "file:///work/project", name: "project" }] };
const SAID = { role: "assistant", content: { type: "text", text: "Paris." }, model: "none", stopReason: "endTurn" } as const;
const LEVEL_META = { "io.modelcontextprotocol/logLevel": "debug" };

/** Fills in a form: with its defaults, else its first choice, else a word. */
function fillIn(schema: unknown): Record<string, never> {
  const fields = Object.entries((schema as { properties: Record<string, Record<string, never>> }).properties);
  return Object.fromEntries(fields.map(([name, field]) => [name, valueFor(field)])) as Record<string, never>;
}

function valueFor(field: Readonly<Record<string, unknown>>): unknown {
  if (field["default"] !== undefined) return field["default"];
  if (field["type"] === "boolean") return true;
  if (field["type"] === "array") return [valueFor({ type: "string", ...(field["items"] as object) })];
  const titled = (field["oneOf"] ?? field["anyOf"]) as readonly { const: string }[] | undefined;
  return titled?.[0]?.const ?? (field["enum"] as readonly string[] | undefined)?.[0] ?? "Ada";
}

/** Connects one of the official clients. */
export async function connect(kind: (typeof CLIENTS)[number], place: Place): Promise<AnsweringClient> {
  return kind === "SDK 1.x" ? connect1(place) : connect2(place, kind === "SDK 2.x, older era" ? "legacy" : { pin: "2026-07-28" });
}

async function connect1(place: Place): Promise<AnsweringClient> {
  const client = new Client1(INFO, { capabilities: CAPABILITIES });
  const logged: unknown[] = [];
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => ({ action: "accept", content: fillIn("requestedSchema" in params && params.requestedSchema) }));
  client.setRequestHandler(CreateMessageRequestSchema, () => SAID);
  client.setRequestHandler(ListRootsRequestSchema, () => ROOTS);
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void logged.push(params));
  // biome-ignore lint/suspicious/noExplicitAny: the 1.x transports don't fit their own interface under exactOptionalPropertyTypes
  const transport: any = "url" in place ? new Http1(new URL(place.url)) : new Stdio1({ ...place, stderr: "ignore" });
  await client.connect(transport);
  await client.setLoggingLevel("debug");
  return {
    call: (name, args, onprogress) => client.callTool({ name, arguments: args }, undefined, { onprogress }),
    listTools: () => client.listTools(),
    listPrompts: () => client.listPrompts(),
    listResources: () => client.listResources(),
    listResourceTemplates: () => client.listResourceTemplates(),
    getPrompt: (name, args) => client.getPrompt({ name, arguments: args }),
    readResource: (uri) => client.readResource({ uri }),
    complete: (value) => client.complete({ ref: { type: "ref/prompt", name: "test_prompt_with_arguments" }, argument: { name: "arg1", value } }),
    logged,
    close: () => client.close(),
  };
}

async function connect2(place: Place, mode: "legacy" | { pin: string }): Promise<AnsweringClient> {
  const client = new Client2(INFO, { capabilities: CAPABILITIES, versionNegotiation: { mode } });
  const logged: unknown[] = [];
  client.setRequestHandler("elicitation/create", async ({ params }) => ({
    action: "accept" as const,
    content: fillIn("requestedSchema" in params && params.requestedSchema),
  }));
  client.setRequestHandler("sampling/createMessage", async () => SAID);
  client.setRequestHandler("roots/list", async () => ROOTS);
  client.setNotificationHandler("notifications/message", ({ params }) => void logged.push(params));
  await client.connect("url" in place ? new Http2(new URL(place.url)) : new Stdio2({ ...place, stderr: "ignore" }));
  if (mode === "legacy") await client.setLoggingLevel("debug");
  const _meta = mode === "legacy" ? {} : LEVEL_META;
  return {
    call: (name, args, onprogress) => client.callTool({ name, arguments: args, _meta }, { onprogress }),
    listTools: () => client.listTools(),
    listPrompts: () => client.listPrompts(),
    listResources: () => client.listResources(),
    listResourceTemplates: () => client.listResourceTemplates(),
    getPrompt: (name, args) => client.getPrompt({ name, arguments: args }),
    readResource: (uri) => client.readResource({ uri }),
    complete: (value) => client.complete({ ref: { type: "ref/prompt", name: "test_prompt_with_arguments" }, argument: { name: "arg1", value } }),
    logged,
    close: () => client.close(),
  };
}
