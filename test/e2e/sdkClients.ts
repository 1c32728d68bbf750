import { Client as Client2, StreamableHTTPClientTransport as Http2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as Stdio2 } from "@modelcontextprotocol/client/stdio";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as Stdio1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as Http1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema, LoggingMessageNotificationSchema, ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";

/** What a tool call gives, as both clients see it. */
export interface Called {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: boolean;
  readonly _meta?: Record<string, unknown>;
}

export interface ListedTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: object;
  readonly outputSchema?: object;
  readonly annotations?: object;
}

export interface CallOptions {
  readonly meta?: Record<string, unknown>;
  readonly signal?: AbortSignal;
  readonly onprogress?: (progress: { readonly progress: number; readonly total?: number | undefined; readonly message?: string | undefined }) => void;
}

/** What the tests need of either SDK's client. */
export interface SdkClient {
  readonly instructions: string | undefined;
  list(): Promise<readonly ListedTool[]>;
  call(name: string, args: Record<string, unknown>, options?: CallOptions): Promise<Called>;
  /** Everything that a server has beside tools, as JSON. */
  contributions(): Promise<unknown>;
  /** The prompt `greet`, a resource, and what the prompt's argument may be. */
  greet(who: string): Promise<unknown>;
  read(uri: string): Promise<unknown>;
  complete(typed: string): Promise<unknown>;
  /** How often the server said that the list of tools changed. */
  changes(): number;
  readonly logged: readonly { readonly level: string; readonly data: unknown }[];
  close(): Promise<void>;
}

/** A server that both transports reach. */
export interface Reachable {
  /** Starts a server of its own for each client. */
  readonly stdio: { readonly command: string; readonly args: string[]; readonly env: Record<string, string>; readonly cwd: string };
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
}

/** How the user answers a question. */
export type Answer = { action: "accept"; content: Record<string, string> } | { action: "decline" };

export interface SdkClientOptions {
  /** Default: the client says that it can't ask its user. */
  readonly answer?: () => Answer;
  /** Receives the process that serves a stdio client, so that a test can signal it and read its log. */
  readonly onProcess?: (server: { readonly pid: number | null; stderr(): string }) => void;
}

const INFO = { name: "end-to-end", version: "1.0.0" };

/** The official clients on both transports, in both protocol eras, by a name for the test. */
export function sdkClients(server: () => Reachable): Readonly<Record<string, (options?: SdkClientOptions) => Promise<SdkClient>>> {
  const http = (): URL => new URL(`${server().url}/mcp`);
  const stdio = (Transport: typeof Stdio1 | typeof Stdio2, options: SdkClientOptions | undefined): Stdio1 | Stdio2 => {
    const transport = new Transport({ ...server().stdio, stderr: "pipe" });
    let stderr = "";
    transport.stderr?.on("data", (chunk) => {
      stderr += chunk;
    });
    // The pid is there once it is started.
    options?.onProcess?.({
      get pid() {
        return transport.pid;
      },
      stderr: () => stderr,
    });
    return transport;
  };
  return {
    "SDK 1.x over stdio": (options) => connect1(stdio(Stdio1, options), options),
    "SDK 1.x over HTTP": (options) => connect1(new Http1(http()), options),
    "SDK 2.x over stdio": (options) => connect2(stdio(Stdio2, options), "legacy", options),
    "SDK 2.x over HTTP": (options) => connect2(new Http2(http()), "legacy", options),
    "SDK 2.x over stdio, 2026-07-28": (options) => connect2(stdio(Stdio2, options), { pin: "2026-07-28" }, options),
    "SDK 2.x over HTTP, 2026-07-28": (options) => connect2(new Http2(http()), { pin: "2026-07-28" }, options),
  };
}

const capabilities = ({ answer }: SdkClientOptions): { elicitation?: Record<string, never> } => (answer ? { elicitation: {} } : {});

// biome-ignore lint/suspicious/noExplicitAny: the 1.x transports don't fit their own interface under exactOptionalPropertyTypes
async function connect1(transport: any, options: SdkClientOptions = {}): Promise<SdkClient> {
  const client = new Client1(INFO, { capabilities: capabilities(options) });
  let changes = 0;
  const logged: { level: string; data: unknown }[] = [];
  const { answer } = options;
  if (answer) client.setRequestHandler(ElicitRequestSchema, async () => answer());
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
    changes += 1;
  });
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
    logged.push({ level: params.level, data: params.data });
  });
  await client.connect(transport);
  return {
    instructions: client.getInstructions(),
    list: async () => (await client.listTools()).tools,
    call: async (name, args, { meta, ...rest } = {}) =>
      (await client.callTool({ name, arguments: args, ...(meta && { _meta: meta }) }, undefined, rest)) as Called,
    contributions: async () => ({
      ...(await client.listPrompts()),
      ...(await client.listResources()),
      ...(await client.listResourceTemplates()),
    }),
    greet: (who) => client.getPrompt({ name: "greet", arguments: { who } }),
    read: (uri) => client.readResource({ uri }),
    complete: (value) => client.complete({ ref: { type: "ref/prompt", name: "greet" }, argument: { name: "who", value } }),
    changes: () => changes,
    logged,
    close: () => client.close(),
  };
}

async function connect2(transport: Http2 | Stdio1 | Stdio2, mode: "legacy" | { pin: string }, options: SdkClientOptions = {}): Promise<SdkClient> {
  let changes = 0;
  const logged: { level: string; data: unknown }[] = [];
  const { answer } = options;
  const client = new Client2(INFO, {
    capabilities: capabilities(options),
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
  if (answer) client.setRequestHandler("elicitation/create", async () => answer());
  client.setNotificationHandler("notifications/message", ({ params }) => {
    logged.push({ level: params.level, data: params.data });
  });
  await client.connect(transport as Stdio2);
  return {
    instructions: client.getInstructions(),
    list: async () => (await client.listTools()).tools,
    call: async (name, args, { meta, ...rest } = {}) => (await client.callTool({ name, arguments: args, ...(meta && { _meta: meta }) }, rest)) as Called,
    contributions: async () => ({
      ...(await client.listPrompts()),
      ...(await client.listResources()),
      ...(await client.listResourceTemplates()),
    }),
    greet: (who) => client.getPrompt({ name: "greet", arguments: { who } }),
    read: (uri) => client.readResource({ uri }),
    complete: (value) => client.complete({ ref: { type: "ref/prompt", name: "greet" }, argument: { name: "who", value } }),
    changes: () => changes,
    logged,
    close: () => client.close(),
  };
}
