import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { Client as Client2, StreamableHTTPClientTransport as Http2 } from "@modelcontextprotocol/client";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as Http1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { type Balancer, startBalancer } from "./balancer.js";
import { projectCopy } from "./projectCopy.js";
import { type RunningServer, serveHttp } from "./runCli.js";

const SECRET = "a secret that all replicas have, and nobody else";
const MANY = 230;

/** Prompts in three pages, and one that asks. */
const PLUGIN = `import { definePlugin, needInput } from "fettle";
const message = (text) => ({ messages: [{ role: "user", content: { type: "text", text } }] });
const ASK = { method: "elicitation/create", params: { message: "Whom?", requestedSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] } } };
export default definePlugin({
  name: "many",
  options: { type: "object", additionalProperties: false },
  create: () => ({
    name: "many",
    position: "observe",
    setup: () => ({
      prompts: [
        { name: "asks", get: (_args, { inputs }) => (inputs?.who ? message("Hello " + inputs.who.content.name) : needInput({ requests: { who: ASK }, state: "asked" })) },
        ...Array.from({ length: ${MANY - 1} }, (_, n) => ({ name: "many_" + n, get: () => message("prompt " + n) })),
      ],
    }),
  }),
});
`;

interface Fleet {
  readonly replicas: readonly RunningServer[];
  stop(): Promise<void>;
}

/** Two servers of one project, as two pods would run it. */
async function startFleet(env: Record<string, string> = {}): Promise<Fleet> {
  const project = await projectCopy();
  const at = (name: string): string => join(project.folder, name);
  await writeFile(at("many.plugin.mjs"), PLUGIN);
  const spec = await readFile(at("count_words.tool.yaml"), "utf8");
  for (let n = 0; n < MANY; n += 1) {
    await writeFile(at(`many_${n}.tool.yaml`), spec.replace("name: count_words", `name: many_${n}`));
    await writeFile(at(`many_${n}.handler.mjs`), `export default () => ({ words: ${n} });\n`);
  }
  const config = await readFile(project.config, "utf8");
  const http = env["FETTLE_STATE_SECRET"] === undefined ? "" : 'http: { state_secret: "${FETTLE_STATE_SECRET}" }\n';
  await writeFile(project.config, `${config.replace("plugins:", "plugins:\n  - use: ./many.plugin.mjs")}${http}`);
  const replicas = await Promise.all([1, 2].map(() => serveHttp(env, ["--config", project.config])));
  return {
    replicas,
    stop: async () => {
      await Promise.all(replicas.map((replica) => replica.stop()));
      await project.dispose();
    },
  };
}

const INFO = { name: "replicas", version: "1.0.0" };
const ADA = { action: "accept" as const, content: { name: "Ada" } };
const elicitation = { capabilities: { elicitation: {} } };

async function modern(url: string): Promise<Client2> {
  const client = new Client2(INFO, { ...elicitation, versionNegotiation: { mode: { pin: "2026-07-28" } } });
  client.setRequestHandler("elicitation/create", async () => ADA);
  await client.connect(new Http2(new URL(`${url}/mcp`)));
  return client;
}

/** All entries of a list, page by page, and how many pages there were. */
async function all(list: (cursor: string | undefined) => Promise<{ names: string[]; nextCursor?: string | undefined }>): Promise<[string[], number]> {
  const found: string[] = [];
  let cursor: string | undefined;
  for (let pages = 1; ; pages += 1) {
    const { names, nextCursor } = await list(cursor);
    found.push(...names);
    if (nextCursor === undefined) return [found, pages];
    cursor = nextCursor;
  }
}

const initialize = { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: INFO } };
const post = (url: string, message: object, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${url}/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
    body: JSON.stringify(message),
  });

describe("two replicas with one state_secret", () => {
  let fleet: Fleet;
  let balancer: Balancer;
  before(async () => {
    fleet = await startFleet({ FETTLE_STATE_SECRET: SECRET });
  });
  after(() => fleet.stop());
  const urls = (): string[] => fleet.replicas.map(({ url }) => url);

  test("serve 2026-07-28 without sticky sessions: calls, lists over several pages, a tool and a prompt that ask", async () => {
    balancer = await startBalancer(urls());
    const client = await modern(balancer.url);
    const { counts } = balancer;
    for (let n = 0; n < 6; n += 1) {
      assert.deepEqual((await client.callTool({ name: `many_${n}`, arguments: { text: "a" } })).structuredContent, { words: n });
    }
    const [tools, toolPages] = await all(async (cursor) => {
      const { tools: page, nextCursor } = await client.request({ method: "tools/list", params: { ...(cursor && { cursor }) } });
      return { names: page.map(({ name }) => name), nextCursor };
    });
    assert.deepEqual([new Set(tools).size, tools.length, toolPages], [MANY + 3, MANY + 3, 3]);
    const [prompts, promptPages] = await all(async (cursor) => {
      const { prompts: page, nextCursor } = await client.request({ method: "prompts/list", params: { ...(cursor && { cursor }) } });
      return { names: page.map(({ name }) => name), nextCursor };
    });
    assert.deepEqual([new Set(prompts).size, prompts.length, promptPages], [MANY + 1, MANY + 1, 3]);
    for (let n = 0; n < 3; n += 1) {
      const before = [...counts];
      assert.deepEqual((await client.callTool({ name: "ask_name", arguments: {} })).structuredContent, { answer: "Ada" });
      assert.deepEqual(
        counts.map((count, at) => count - (before[at] ?? 0)),
        [1, 1],
        "one asked, the other took the answer",
      );
      assert.match(JSON.stringify(await client.getPrompt({ name: "asks" })), /Hello Ada/);
    }
    await client.close();
    await balancer.close();
  });

  test("an older client without sticky routing is told 404 with what to do, and opens a new session", async () => {
    balancer = await startBalancer(urls());
    const opened = await post(balancer.url, initialize);
    await opened.text();
    const session = { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "", "mcp-protocol-version": "2025-11-25" };
    const lost = await post(balancer.url, { jsonrpc: "2.0", id: 2, method: "tools/list" }, session);
    assert.equal(lost.status, 404);
    assert.match(await lost.text(), /There is no such session: .* Send initialize, without a session id, to open a new one\./);
    const again = await post(balancer.url, initialize);
    await again.text();
    assert.equal(again.status, 200);
    assert.notEqual(again.headers.get("mcp-session-id"), session["mcp-session-id"]);
    await balancer.close();
  });

  test("older clients with sticky routing by Mcp-Session-Id have everything", async () => {
    balancer = await startBalancer(urls(), { sticky: true });
    const clients = await Promise.all(
      [0, 1].map(async () => {
        const client = new Client1(INFO, elicitation);
        client.setRequestHandler(ElicitRequestSchema, async () => ADA);
        // biome-ignore lint/suspicious/noExplicitAny: the 1.x transports don't fit their own interface under exactOptionalPropertyTypes
        await client.connect(new Http1(new URL(`${balancer.url}/mcp`)) as any);
        return client;
      }),
    );
    for (const client of clients) {
      const [tools] = await all(async (cursor) => {
        const { tools: page, nextCursor } = await client.listTools(cursor === undefined ? {} : { cursor });
        return { names: page.map(({ name }) => name), nextCursor };
      });
      assert.equal(tools.length, MANY + 3);
      assert.deepEqual((await client.callTool({ name: "many_7", arguments: { text: "a" } })).structuredContent, { words: 7 });
      assert.deepEqual((await client.callTool({ name: "ask_name", arguments: {} })).structuredContent, { answer: "Ada" });
      assert.match(JSON.stringify(await client.getPrompt({ name: "asks" })), /Hello Ada/);
      await client.close();
    }
    assert.ok(
      balancer.counts.every((count) => count > 0),
      `each replica had a session: ${balancer.counts}`,
    );
    await balancer.close();
  });
});

test("without a state_secret of all replicas the other one refuses the answer, and says to begin again", async () => {
  const fleet = await startFleet();
  const balancer = await startBalancer(fleet.replicas.map(({ url }) => url));
  const client = await modern(balancer.url);
  await assert.rejects(client.callTool({ name: "ask_name", arguments: {} }), (error: Error & { code?: number }) => {
    assert.equal(error.code, -32602);
    assert.match(error.message, /given out for another request, another caller or by another server\. Begin again/);
    return true;
  });
  await client.close();
  await balancer.close();
  await fleet.stop();
});
