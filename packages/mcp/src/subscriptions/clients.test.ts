import assert from "node:assert/strict";
import { test } from "node:test";
import { Client as Client2, StreamableHTTPClientTransport as Http2 } from "@modelcontextprotocol/client";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as Http1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { startHttp } from "../../test/httpFixture.js";
import { until } from "../../test/until.js";
import { watchedResources } from "../../test/watchedResources.js";

const INFO = { name: "test-client", version: "1.0.0" };

test("the official clients subscribe, are told of changes and unsubscribe", async () => {
  const watched = watchedResources();
  const { counts } = watched.counter;
  const fixture = await startHttp({}, { plugins: [watched.plugin()] });
  const address = new URL(`${fixture.url}/mcp`);
  const updates: Record<string, string[]> = { "1.x": [], "2.x": [], "2026-07-28": [] };
  const told = (client: string, uri: string): void => void updates[client]?.push(uri);

  const one = new Client1(INFO, { capabilities: {} });
  one.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => told("1.x", params.uri));
  // biome-ignore lint/suspicious/noExplicitAny: the 1.x transports don't fit their own interface under exactOptionalPropertyTypes
  await one.connect(new Http1(address) as any);
  await one.subscribeResource({ uri: "test://counter" });
  await assert.rejects(one.subscribeResource({ uri: "test://nothing" }), /no resource at this URI/);

  const two = new Client2(INFO, { versionNegotiation: { mode: "legacy" } });
  two.setNotificationHandler("notifications/resources/updated", ({ params }) => told("2.x", params.uri));
  await two.connect(new Http2(address));
  await two.subscribeResource({ uri: "test://counter" });

  const modern = new Client2(INFO, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
  modern.setNotificationHandler("notifications/resources/updated", ({ params }) => told("2026-07-28", params.uri));
  await modern.connect(new Http2(address));
  const listening = await modern.listen({ resourceSubscriptions: ["test://counter", "test://nothing"] });
  assert.deepEqual(listening.honoredFilter, { resourceSubscriptions: ["test://counter"] });

  assert.deepEqual(counts, { begun: 1, live: 1 });
  const all = (times: number): boolean => Object.values(updates).every((uris) => uris.length >= times);
  // The clients of sessions open their streams in the background.
  await until(async () => {
    watched.counter.change();
    await new Promise((resolve) => setTimeout(resolve, 10));
    return all(1);
  });
  assert.deepEqual(new Set(Object.values(updates).flat()), new Set(["test://counter"]));
  await one.unsubscribeResource({ uri: "test://counter" });
  await two.unsubscribeResource({ uri: "test://counter" });
  assert.equal(counts.live, 1);
  await listening.close();
  await until(() => counts.live === 0);
  for (const client of [one, two, modern]) await client.close();
  await fixture.stop();
});
