import { Client as Client2, StreamableHTTPClientTransport as Http2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as Stdio2 } from "@modelcontextprotocol/client/stdio";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as Stdio1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as Http1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  PromptListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { type Fixture, stdioCommand } from "./stdioFixture.js";

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
  /** How often the server said that the list of tools changed. */
  changes(): number;
  /** The other lists of which the server said that they changed. */
  readonly changed: readonly ("prompts" | "resources")[];
  listPrompts(): Promise<readonly string[]>;
  listResources(): Promise<readonly string[]>;
  readonly logged: readonly { readonly level: string; readonly data: unknown }[];
  getPrompt(name: string): Promise<{ readonly messages: readonly { readonly content: unknown }[] }>;
  readResource(uri: string): Promise<{ readonly contents: readonly { readonly text?: string }[] }>;
  close(): Promise<void>;
}

/** A question of the server, as a client's handler gets it. */
export interface Asked {
  readonly method: "elicitation/create" | "sampling/createMessage" | "roots/list";
  readonly params: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
}

export interface ConnectOptions {
  /** What the client says that it can do. Default forms. */
  readonly capabilities?: Readonly<Record<string, object>>;
  /** Answers questions. Default accepts every form with `sure`. */
  readonly answer?: (asked: Asked) => unknown;
  /** Which server is started on stdio. */
  readonly fixture?: Fixture;
}

export const CLIENTS = ["SDK 1.x", "SDK 2.x, older era", "SDK 2.x, 2026-07-28"] as const;
export const TRANSPORTS = ["stdio", "http"] as const;

const INFO = { name: "test-client", version: "1.0.0" };
const FORMS = { elicitation: {} };
const YES = { action: "accept", content: { sure: true } };
const ASKED = ["elicitation/create", "sampling/createMessage", "roots/list"] as const;
const SCHEMAS = { "elicitation/create": ElicitRequestSchema, "sampling/createMessage": CreateMessageRequestSchema, "roots/list": ListRootsRequestSchema };

/** The methods that a client with these capabilities is asked by. */
const askedOf = (capabilities: Readonly<Record<string, object>>): readonly (typeof ASKED)[number][] =>
  ASKED.filter((method) => method.replace(/\/.*/, "") in capabilities);

/** Connects one of the official clients over one of the transports; `url` is used for HTTP. */
export function connect(
  client: (typeof CLIENTS)[number],
  transport: (typeof TRANSPORTS)[number],
  url: string,
  options: ConnectOptions = {},
): Promise<TestClient> {
  if (client === "SDK 1.x") return connect1(transport, url, options);
  return connect2(transport, url, client === "SDK 2.x, older era" ? "legacy" : { pin: "2026-07-28" }, options);
}

async function connect1(
  transport: (typeof TRANSPORTS)[number],
  url: string,
  { capabilities = FORMS, answer = () => YES, fixture }: ConnectOptions,
): Promise<TestClient> {
  const client = new Client1(INFO, { capabilities });
  let changes = 0;
  const logged: { level: string; data: unknown }[] = [];
  for (const method of askedOf(capabilities)) {
    const schema = SCHEMAS[method] as typeof ElicitRequestSchema;
    client.setRequestHandler(schema, async ({ params }, { signal }) => (await answer({ method, params: params ?? {}, signal })) as never);
  }
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
    changes += 1;
  });
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
    logged.push({ level: params.level, data: params.data });
  });
  // biome-ignore lint/suspicious/noExplicitAny: the 1.x transports don't fit their own interface under exactOptionalPropertyTypes
  const wire: any = transport === "http" ? new Http1(new URL(`${url}/mcp`)) : new Stdio1({ ...stdioCommand(fixture), stderr: "ignore" });
  const changed: ("prompts" | "resources")[] = [];
  client.setNotificationHandler(PromptListChangedNotificationSchema, () => void changed.push("prompts"));
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => void changed.push("resources"));
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
    changed,
    listPrompts: async () => (await client.listPrompts()).prompts.map((prompt) => prompt.name),
    listResources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
    logged,
    getPrompt: (name) => client.getPrompt({ name }),
    readResource: async (uri) => (await client.readResource({ uri })) as never,
    close: () => client.close(),
  };
}

async function connect2(
  transport: (typeof TRANSPORTS)[number],
  url: string,
  mode: "legacy" | { pin: string },
  { capabilities = FORMS, answer = () => YES, fixture }: ConnectOptions,
): Promise<TestClient> {
  let changes = 0;
  const changed: ("prompts" | "resources")[] = [];
  const logged: { level: string; data: unknown }[] = [];
  const client = new Client2(INFO, {
    capabilities,
    versionNegotiation: { mode },
    listChanged: {
      tools: {
        autoRefresh: false,
        onChanged: () => {
          changes += 1;
        },
      },
      prompts: { autoRefresh: false, onChanged: () => void changed.push("prompts") },
      resources: { autoRefresh: false, onChanged: () => void changed.push("resources") },
    },
  });
  for (const method of askedOf(capabilities)) {
    // One of three methods, whose handlers have nothing in common to the compiler.
    client.setRequestHandler(method as "elicitation/create", async (request, ctx) => {
      return (await answer({ method, params: { ...request.params }, signal: ctx.mcpReq.signal })) as never;
    });
  }
  client.setNotificationHandler("notifications/message", ({ params }) => {
    logged.push({ level: params.level, data: params.data });
  });
  await client.connect(transport === "http" ? new Http2(new URL(`${url}/mcp`)) : new Stdio2({ ...stdioCommand(fixture), stderr: "ignore" }));
  return {
    serverName: client.getServerVersion()?.name,
    instructions: client.getInstructions(),
    call: async (name, args, meta, options) =>
      (await client.callTool({ name, ...(args && { arguments: args }), ...(meta && { _meta: meta }) }, options)) as Called,
    list: async () => (await client.listTools()).tools,
    changes: () => changes,
    changed,
    listPrompts: async () => (await client.listPrompts()).prompts.map((prompt) => prompt.name),
    listResources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
    logged,
    getPrompt: (name) => client.getPrompt({ name }),
    readResource: async (uri) => (await client.readResource({ uri })) as never,
    close: () => client.close(),
  };
}
