import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type CacheHint, definePlugin, type Resource } from "@fettle/contract";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { answerIn, type HttpFixture, openSession, post, postModern, startHttp } from "../test/httpFixture.js";

const LISTS = ["tools/list", "prompts/list", "resources/list", "resources/templates/list"];
const NOT_KEPT = { ttlMs: 0, cacheScope: "private" };

/** As many prompts, resources and templates as are wanted, and resources that may be kept in some way. */
function contributing(count: number, caches: Readonly<Record<string, CacheHint>> = {}) {
  const numbers = Array.from({ length: count }, (_, i) => String(i).padStart(4, "0"));
  const resource = (name: string, cache?: CacheHint): Resource => ({
    name,
    uri: `test://${name}`,
    ...(cache && { cache }),
    read: () => [{ uri: `test://${name}`, text: name }],
  });
  return definePlugin({
    name: "contributing",
    options: {},
    create: () => ({
      name: "contributing",
      position: "observe" as const,
      setup: () => ({
        prompts: numbers.map((name) => ({ name, get: () => ({ messages: [] }) })),
        resources: [...numbers.map((name) => resource(name)), ...Object.entries(caches).map(([name, cache]) => resource(name, cache))],
        resourceTemplates: numbers.map((name) => ({
          name,
          uriTemplate: `test://${name}/{id}`,
          cache: { ttlMs: 7, scope: "private" as const },
          read: (uri: string) => [{ uri, text: name }],
        })),
      }),
    }),
  })();
}

async function withServer(options: Parameters<typeof startHttp>[1], use: (fixture: HttpFixture) => Promise<void>): Promise<void> {
  const fixture = await startHttp({}, options);
  try {
    await use(fixture);
  } finally {
    await fixture.stop();
  }
}

/** What an answer of 2026-07-28 says of how long to keep it. */
async function kept({ url }: HttpFixture, method: string, uri?: string): Promise<unknown> {
  const response =
    uri === undefined
      ? await postModern(url, method)
      : await post(
          url,
          {
            jsonrpc: "2.0",
            id: 1,
            method,
            params: {
              uri,
              _meta: {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientInfo": { name: "t", version: "1" },
                "io.modelcontextprotocol/clientCapabilities": {},
              },
            },
          },
          { "mcp-protocol-version": "2026-07-28", "mcp-method": method, "mcp-name": uri },
        );
  const { result } = await answerIn(response);
  return { ttlMs: result?.["ttlMs"], cacheScope: result?.["cacheScope"] };
}

describe("how long clients may keep answers", () => {
  test("lists aren't kept unless the config says so, and then all of them", async () => {
    await withServer({ plugins: [contributing(1)] }, async (fixture) => {
      for (const list of LISTS) assert.deepEqual(await kept(fixture, list), NOT_KEPT, list);
    });
    await withServer({ plugins: [contributing(1)], wire: { list_ttl_ms: 5_000, cache_scope: "public" } }, async (fixture) => {
      for (const list of LISTS) assert.deepEqual(await kept(fixture, list), { ttlMs: 5_000, cacheScope: "public" }, list);
    });
  });

  test("contents of resources are kept as the resource says, and not where it says nothing", async () => {
    const caches = { day: { ttlMs: 86_400_000, scope: "public" } } as const;
    await withServer({ plugins: [contributing(1, caches)] }, async (fixture) => {
      assert.deepEqual(await kept(fixture, "resources/read", "test://day"), { ttlMs: 86_400_000, cacheScope: "public" });
      assert.deepEqual(await kept(fixture, "resources/read", "test://0000/x"), { ttlMs: 7, cacheScope: "private" });
      assert.deepEqual(await kept(fixture, "resources/read", "test://0000"), NOT_KEPT);
    });
  });

  test("clients before 2026-07-28 are told nothing of it: their revisions don't know the fields", async () => {
    const day = { ttlMs: 86_400_000, scope: "public" } as const;
    await withServer({ plugins: [contributing(1, { day })], wire: { list_ttl_ms: 5_000 } }, async ({ url }) => {
      const session = await openSession(url);
      for (const [id, [method, params]] of [...LISTS.map((list) => [list, {}] as const), ["resources/read", { uri: "test://day" }] as const].entries()) {
        const { result } = await answerIn(await post(url, { jsonrpc: "2.0", id: id + 2, method, params }, session));
        assert.ok(result !== undefined, method);
        assert.deepEqual([result["ttlMs"], result["cacheScope"]], [undefined, undefined], method);
      }
    });
  });
});

for (const mode of ["legacy", { pin: "2026-07-28" }] as const) {
  test(`long lists of prompts, resources and templates come in pages, in order (${mode === "legacy" ? "older era" : mode.pin})`, async () => {
    await withServer({ plugins: [contributing(250)] }, async ({ url }) => {
      const client = new Client({ name: "t", version: "1" }, { versionNegotiation: { mode } });
      await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
      try {
        for (const [list, key] of [
          ["prompts/list", "prompts"],
          ["resources/list", "resources"],
          ["resources/templates/list", "resourceTemplates"],
        ] as const) {
          const sizes: number[] = [];
          const names: string[] = [];
          let cursor: string | undefined;
          do {
            const page = (await client.request({ method: list, params: cursor === undefined ? {} : { cursor } })) as unknown as Record<
              string,
              { name: string }[]
            > & {
              nextCursor?: string;
            };
            sizes.push(page[key]?.length ?? 0);
            names.push(...(page[key] ?? []).map(({ name }) => name));
            cursor = page.nextCursor;
          } while (cursor !== undefined);
          assert.deepEqual(sizes, [100, 100, 50], list);
          assert.deepEqual(names, [...names].sort(), list);
          assert.equal(new Set(names).size, 250, list);
          await assert.rejects(client.request({ method: list, params: { cursor: "rubbish" } }), /This cursor was not given out by this server/);
        }
      } finally {
        await client.close();
      }
    });
  });
}
