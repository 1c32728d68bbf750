import type { TestContext } from "node:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Started, TempProject } from "./tempProject.js";
import { until } from "./until.js";

/** `fettle dev` as a process, and a client that stays connected to it. */
export interface DevServer extends Started {
  readonly url: string;
  /** The names of the tools, as the client is told. */
  tools(): Promise<readonly string[]>;
  /** The texts of an answer. */
  call(name: string, args?: Readonly<Record<string, unknown>>): Promise<string>;
  /** How often the client was told that the list changed. */
  changes(): number;
  /** Waits until a call gives this. */
  gives(name: string, expected: string, args?: Readonly<Record<string, unknown>>): Promise<void>;
  /** Waits until there are these tools. */
  has(...names: string[]): Promise<void>;
  /** What was written to stderr since this was asked last. */
  said(): string;
}

/** Starts `fettle dev` in a project, and a client that speaks with it. */
export async function devServer(t: TestContext, project: TempProject, ...args: string[]): Promise<DevServer> {
  const started = project.start(["dev", "--port", "0", ...args]);
  const [, url = ""] = await started.seen(/(http:\/\/127\.0\.0\.1:\d+)\/mcp[\s\S]*Ctrl\+C ends it/);
  const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode: "legacy" } });
  let changes = 0;
  client.setNotificationHandler("notifications/tools/list_changed", () => {
    changes += 1;
  });
  // biome-ignore lint/suspicious/noExplicitAny: the transport doesn't fit its own interface under exactOptionalPropertyTypes
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)) as any);
  t.after(() => client.close());
  const tools: DevServer["tools"] = async () => (await client.listTools()).tools.map(({ name }) => name);
  const call: DevServer["call"] = async (name, given = { text: "hi" }) => {
    const { content } = await client.callTool({ name, arguments: given });
    return content.map((block) => (block.type === "text" ? block.text : block.type)).join("\n");
  };
  let read = 0;
  return {
    ...started,
    url,
    tools,
    call,
    changes: () => changes,
    gives: async (name, expected, given) => {
      let last = "";
      await until(
        async () => {
          last = await call(name, given).catch(String);
          return last === expected;
        },
        () => `${name} giving ${expected}; it gave ${last}, and stderr has:\n${started.stderr()}`,
      );
    },
    has: async (...names) => {
      let last: readonly string[] = [];
      await until(
        async () => {
          last = await tools();
          return last.join() === names.join();
        },
        () => `the tools ${names}; there are ${last}, and stderr has:\n${started.stderr()}`,
      );
    },
    said() {
      const all = started.stderr();
      const fresh = all.slice(read);
      read = all.length;
      return fresh;
    },
  };
}
