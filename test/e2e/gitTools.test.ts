import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Client as Client2, StreamableHTTPClientTransport as Http2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as Stdio2 } from "@modelcontextprotocol/client/stdio";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as Stdio1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as Http1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import setUp, { type GitFixture } from "../../tools/git/git.fixture.js";
import { CLI, ROOT, type RunningServer, serveHttp } from "./runCli.js";

const INFO = { name: "end-to-end", version: "1.0.0" };
const NAMES = ["git_blame", "git_commit", "git_create_branch", "git_diff", "git_log", "git_search", "git_show", "git_status"];

interface Called {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: boolean;
  readonly _meta?: Record<string, unknown>;
}

/** What the tests need of either SDK's client. */
interface AnyClient {
  list(): Promise<
    readonly {
      readonly name: string;
      readonly description?: string;
      readonly inputSchema: object;
      readonly outputSchema?: object;
      readonly annotations?: object;
    }[]
  >;
  call(name: string, args: Record<string, unknown>, meta?: Record<string, unknown>): Promise<Called>;
  close(): Promise<void>;
}

describe("the Git tools, served by the CLI", () => {
  let fixture: GitFixture;
  let server: RunningServer;
  before(async () => {
    fixture = await setUp();
    server = await serveHttp(fixture.env);
  });
  after(async () => {
    const { code, ms } = await server.stop();
    assert.equal(code, 0, server.stderr());
    assert.ok(ms < 10_000, `SIGTERM took ${ms} ms`);
    await fixture.dispose();
  });

  const stdio = (): { command: string; args: string[]; env: Record<string, string>; cwd: string; stderr: "ignore" } => ({
    command: process.execPath,
    args: [CLI, "serve", "--stdio"],
    env: { ...fixture.env },
    cwd: ROOT,
    stderr: "ignore",
  });
  const clients: Readonly<Record<string, () => Promise<AnyClient>>> = {
    "SDK 1.x over stdio": () => connect1(new Stdio1(stdio())),
    "SDK 1.x over HTTP": () => connect1(new Http1(new URL(`${server.url}/mcp`))),
    "SDK 2.x over stdio": () => connect2(new Stdio2(stdio()), "legacy"),
    "SDK 2.x over HTTP": () => connect2(new Http2(new URL(`${server.url}/mcp`)), "legacy"),
    "SDK 2.x over stdio, 2026-07-28": () => connect2(new Stdio2(stdio()), { pin: "2026-07-28" }),
    "SDK 2.x over HTTP, 2026-07-28": () => connect2(new Http2(new URL(`${server.url}/mcp`)), { pin: "2026-07-28" }),
  };

  for (const [name, connect] of Object.entries(clients)) {
    test(`${name}: lists the eight tools, calls them, and reads errors that say what to do`, async () => {
      const client = await connect();
      try {
        const tools = await client.list();
        assert.deepEqual(
          tools.map((tool) => tool.name),
          NAMES,
        );
        for (const tool of tools) {
          assert.ok(tool.description && tool.description.length <= 1_024, tool.name);
          assert.ok(tool.outputSchema, tool.name);
          assert.ok(tool.annotations, tool.name);
        }

        const log = await client.call("git_log", { limit: 2 });
        assert.equal(log.isError ?? false, false, JSON.stringify(log));
        assert.match(JSON.stringify(log.structuredContent), /Document the retry rules/);
        assert.deepEqual(JSON.parse(log.content[0]?.text ?? ""), log.structuredContent);

        const status = await client.call("git_status", {});
        assert.match(JSON.stringify(status.structuredContent), /src\/limits\.ts/);

        const wrong = await client.call("git_log", { limt: 2 });
        assert.equal(wrong.isError, true);
        assert.match(wrong.content[0]?.text ?? "", /git_log was not run: 1 problem.*\n- unknown argument limt\. Did you mean limit\?/);
        assert.equal(wrong.structuredContent, undefined);
        assert.match(JSON.stringify(wrong._meta?.["dev.fettle/error"]), /"error_type":"input_error"/);

        const missing = await client.call("git_show", { ref: "mian" });
        assert.equal(missing.isError, true);
        assert.match(missing.content[0]?.text ?? "", /mian[\s\S]*main/);

        await assert.rejects(
          client.call("git_lgo", {}),
          (error: unknown) => error instanceof Error && "code" in error && error.code === -32602 && /git_log/.test(error.message),
        );
      } finally {
        await client.close();
      }
    });
  }

  test("an older version is served to those who name it, by its own arguments and in its own form", async () => {
    const client = await connect1(new Http1(new URL(`${server.url}/mcp`)));
    const old = await client.call("git_log", { max_count: 1 }, { "dev.fettle/tool-version": "1.4.0" });
    assert.deepEqual(Object.keys(old.structuredContent ?? {}), ["entries", "has_more"]);
    assert.equal(old._meta?.["dev.fettle/version"], "1.4.0");
    const none = await client.call("git_log", {}, { "dev.fettle/tool-version": "3.0.0" });
    assert.match(none.content[0]?.text ?? "", /not served in that version\.[\s\S]*2\.0\.0, 1\.4\.0/);
    await client.close();
  });
});

// biome-ignore lint/suspicious/noExplicitAny: the 1.x transports don't fit their own interface under exactOptionalPropertyTypes
async function connect1(transport: any): Promise<AnyClient> {
  const client = new Client1(INFO);
  await client.connect(transport);
  return {
    list: async () => (await client.listTools()).tools,
    call: async (name, args, meta) => (await client.callTool({ name, arguments: args, ...(meta && { _meta: meta }) })) as Called,
    close: () => client.close(),
  };
}

async function connect2(transport: Stdio2 | Http2, mode: "legacy" | { pin: string }): Promise<AnyClient> {
  const client = new Client2(INFO, { versionNegotiation: { mode } });
  await client.connect(transport);
  return {
    list: async () => (await client.listTools()).tools,
    call: async (name, args, meta) => (await client.callTool({ name, arguments: args, ...(meta && { _meta: meta }) })) as Called,
    close: () => client.close(),
  };
}
