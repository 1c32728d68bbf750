import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { answerIn, type HttpFixture, openSession, post, startHttp } from "../../test/httpFixture.js";

const REVISION = "2026-07-28";
let http: HttpFixture;

before(async () => {
  http = await startHttp(
    {},
    {
      tools: {
        query: {
          handler: (args: object) => args,
          parameters: {
            type: "object",
            properties: {
              region: { type: "string", "x-mcp-header": "Region" },
              shard: { type: "integer", "x-mcp-header": "Shard" },
              text: { type: "string" },
            },
          },
        },
        plain: { handler: (args: object) => args, parameters: { type: "object" } },
      },
    },
  );
});
after(() => http.stop());

/** Calls a tool by 2026-07-28, with these headers besides the standard ones. */
async function call(name: string, args: object, headers: Readonly<Record<string, string>> = {}) {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": REVISION,
    "io.modelcontextprotocol/clientInfo": { name: "t", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const message = { jsonrpc: "2.0", id: 7, method: "tools/call", params: { name, arguments: args, _meta: meta } };
  const response = await post(http.url, message, { "mcp-protocol-version": REVISION, "mcp-method": "tools/call", "mcp-name": name, ...headers });
  return { status: response.status, ...(await answerIn(response)) };
}

test("a call whose headers repeat its marked arguments is answered, plain or in base64, and numbers are compared as numbers", async () => {
  const args = { region: "eu-west", shard: 3, text: "free" };
  for (const region of ["eu-west", `=?base64?${Buffer.from("eu-west").toString("base64")}?=`]) {
    const { status, result } = await call("query", args, { "mcp-param-region": region, "mcp-param-shard": "3.0" });
    assert.equal(status, 200);
    assert.deepEqual(result?.["structuredContent"], args);
  }
});

test("a header that is missing, says something else or is no base64 is refused by 400 and -32020, before the tool runs", async () => {
  const wrong: readonly Readonly<Record<string, string>>[] = [{}, { "mcp-param-region": "us-east" }, { "mcp-param-region": "=?base64?ZXU?=" }];
  for (const headers of wrong) {
    const { status, error } = await call("query", { region: "eu-west" }, headers);
    assert.equal(status, 400);
    assert.equal(error?.code, -32020);
  }
  assert.ok(!http.errors.join().includes("eu-west"), http.errors.join());
});

test("a header without its argument, and a header for a parameter that isn't marked, are not looked at", async () => {
  assert.equal((await call("query", { text: "a" }, { "mcp-param-region": "us-east" })).status, 200);
  assert.equal((await call("query", { text: "a" }, { "mcp-param-text": "b" })).status, 200);
  assert.equal((await call("plain", { region: "eu-west" }, { "mcp-param-region": "us-east" })).status, 200);
});

test("older revisions have no such headers, so a call without them is answered", async () => {
  const session = await openSession(http.url);
  const message = { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "query", arguments: { region: "eu-west" } } };
  assert.deepEqual((await answerIn(await post(http.url, message, session))).result?.["structuredContent"], { region: "eu-west" });
});

test("a client of the SDK sends the headers by itself", async () => {
  const client = new Client({ name: "t", version: "1" }, { versionNegotiation: { mode: { pin: REVISION } } });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${http.url}/mcp`)));
  await client.listTools();
  assert.deepEqual((await client.callTool({ name: "query", arguments: { region: "zürich", shard: 3 } })).structuredContent, { region: "zürich", shard: 3 });
  await client.close();
});
