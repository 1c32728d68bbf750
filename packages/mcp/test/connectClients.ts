import { Client as Client2, StreamableHTTPClientTransport as Http2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as Stdio2 } from "@modelcontextprotocol/client/stdio";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as Stdio1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as Http1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema, LoggingMessageNotificationSchema, ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { STDIO_COMMAND } from "./stdioFixture.js";

/** What a tool call gives, as both clients see it. */
export interface Called {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onprogress?: (progress: { readonly progress: number; readonly total?: number | undefined; readonly message?: string | undefined }) => void;
}

/** The part of the official clients that the tests use, so that one test runs on all of them. */
export interface TestClient {
  readonly serverName: string | undefined;
  readonly instructions: string | undefined;
  call(name: string, args?: Record<string, unknown>, meta?: Record<string, unknown>, options?: CallOptions): Promise<Called>;
  list(): Promise<readonly Record<string, unknown>[]>;
  /** How often the server said that the list changed. */
  changes(): number;
  readonly logged: readonly { readonly level: string; readonly data: unknown }[];
  close(): Promise<void>;
}

export const CLIENTS = ["SDK 1.x", "SDK 2.x, older era", "SDK 2.x, 2026-07-28"] as const;
export const TRANSPORTS = ["stdio", "http"] as const;

const INFO = { name: "test-client", version: "1.0.0" };
const CAPABILITIES = { elicitation: {} };
const YES = { action: "accept" as const, content: { sure: true } };

/** Connects one of the official clients over one of the transports; `url` is used for HTTP. */
export function connect(client: (typeof CLIENTS)[number], transport: (typeof TRANSPORTS)[number], url: string): Promise<TestClient> {
  return client === "SDK 1.x" ? connect1(transport, url) : connect2(transport, url, client === "SDK 2.x, older era" ? "legacy" : { pin: "2026-07-28" });
}

async function connect1(transport: (typeof TRANSPORTS)[number], url: string): Promise<TestClient> {
  const client = new Client1(INFO, { capabilities: CAPABILITIES });
  let changes = 0;
  const logged: { level: string; data: unknown }[] = [];
  client.setRequestHandler(ElicitRequestSchema, async () => YES);
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
    changes += 1;
  });
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
    logged.push({ level: params.level, data: params.data });
  });
  // biome-ignore lint/suspicious/noExplicitAny: the 1.x transports don't fit their own interface under exactOptionalPropertyTypes
  const wire: any = transport === "http" ? new Http1(new URL(`${url}/mcp`)) : new Stdio1({ ...STDIO_COMMAND, stderr: "ignore" });
  await client.connect(wire);
  return {
    serverName: client.getServerVersion()?.name,
    instructions: client.getInstructions(),
    call: async (name, args, meta, options) =>
      (await client.callTool({ name, ...(args && { arguments: args }), ...(meta && { _meta: meta }) }, undefined, options)) as Called,
    list: async () => {
      const tools: Record<string, unknown>[] = [];
      let cursor: string | undefined;
      do {
        const page = await client.listTools(cursor === undefined ? {} : { cursor });
        tools.push(...page.tools);
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      return tools;
    },
    changes: () => changes,
    logged,
    close: () => client.close(),
  };
}

async function connect2(transport: (typeof TRANSPORTS)[number], url: string, mode: "legacy" | { pin: string }): Promise<TestClient> {
  let changes = 0;
  const logged: { level: string; data: unknown }[] = [];
  const client = new Client2(INFO, {
    capabilities: CAPABILITIES,
    versionNegotiation: { mode },
    listChanged: {
      tools: {
        autoRefresh: false,
        onChanged: () => {
          changes += 1;
        },
      },
    },
  });
  client.setRequestHandler("elicitation/create", async () => YES);
  client.setNotificationHandler("notifications/message", ({ params }) => {
    logged.push({ level: params.level, data: params.data });
  });
  await client.connect(transport === "http" ? new Http2(new URL(`${url}/mcp`)) : new Stdio2({ ...STDIO_COMMAND, stderr: "ignore" }));
  return {
    serverName: client.getServerVersion()?.name,
    instructions: client.getInstructions(),
    call: async (name, args, meta, options) =>
      (await client.callTool({ name, ...(args && { arguments: args }), ...(meta && { _meta: meta }) }, options)) as Called,
    list: async () => (await client.listTools()).tools,
    changes: () => changes,
    logged,
    close: () => client.close(),
  };
}
