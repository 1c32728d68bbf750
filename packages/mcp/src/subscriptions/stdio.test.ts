import assert from "node:assert/strict";
import { test } from "node:test";
import { fixtureKernel } from "../../test/fixtureTools.js";
import { type Connection, initialize, openStdio } from "../../test/stdioConnection.js";
import { until } from "../../test/until.js";
import { type WatchedResources, watchedResources } from "../../test/watchedResources.js";

const UPDATED = "notifications/resources/updated";

async function open(): Promise<{ connection: Connection; watched: WatchedResources; close(): Promise<void> }> {
  const watched = watchedResources();
  const bench = await fixtureKernel({ plugins: [watched.plugin()] });
  const connection = await openStdio(bench.kernel, { drainMs: 0 });
  return {
    connection,
    watched,
    close: async () => {
      await connection.server.close();
      await bench.kernel.close({ drainMs: 0 });
    },
  };
}

const request = (id: number, method: string, params: object): unknown => ({ jsonrpc: "2.0", id, method, params });
const updates = ({ answers }: Connection): unknown[] => answers.filter(({ method }) => method === UPDATED).map(({ params }) => params);

test("a connection of the older era subscribes, unsubscribes, and its end ends what it watched", async () => {
  const { connection, watched, close } = await open();
  connection.send(initialize(1));
  await connection.answerTo(1);
  connection.send(request(2, "resources/subscribe", { uri: "test://counter" }));
  connection.send(request(3, "resources/subscribe", { uri: "test://nothing" }));
  connection.send(request(4, "resources/subscribe", { uri: "test://item/1" }));
  connection.send(request(5, "resources/unsubscribe", { uri: "test://item/1" }));
  assert.deepEqual((await connection.answerTo(2)).result, {});
  assert.match((await connection.answerTo(3)).error?.message ?? "", /no resource at this URI/);
  assert.deepEqual((await connection.answerTo(5)).result, {});
  assert.deepEqual([watched.counter.counts.live, watched.item("1").counts], [1, { begun: 1, live: 0 }]);
  watched.counter.change();
  await until(() => updates(connection).length === 1);
  assert.deepEqual(updates(connection), [{ uri: "test://counter" }]);
  await close();
  assert.equal(watched.counter.counts.live, 0);
  assert.deepEqual(connection.errors, []);
});

test("subscriptions of 2026-07-28 are told apart by their ids, and end when they are cancelled, refused or their connection ends", async () => {
  const { connection, watched, close } = await open();
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "t", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const listen = (id: number, notifications: unknown): void => connection.send(request(id, "subscriptions/listen", { notifications, _meta }));
  const acknowledged = (): unknown[] =>
    connection.answers
      .filter(({ method }) => method === "notifications/subscriptions/acknowledged")
      .map(({ params }) => (params as { notifications: unknown }).notifications);
  listen(1, { resourceSubscriptions: ["test://counter", "test://still"] });
  listen(2, { resourceSubscriptions: ["test://counter", "test://item/2"], toolsListChanged: true });
  listen(3, { resourceSubscriptions: ["test://item/3"], toolsListChanged: "yes" });
  assert.equal((await connection.answerTo(3)).error?.code, -32602);
  await until(() => acknowledged().length === 2);
  assert.deepEqual(acknowledged(), [
    { resourceSubscriptions: ["test://counter"] },
    { toolsListChanged: true, resourceSubscriptions: ["test://counter", "test://item/2"] },
  ]);
  assert.deepEqual(watched.item("3").counts, { begun: 1, live: 0 }, "what was refused is not watched");
  watched.counter.change();
  await until(() => updates(connection).length === 2);
  const ids = updates(connection).map((params) => (params as { _meta: Record<string, unknown> })._meta["io.modelcontextprotocol/subscriptionId"]);
  assert.deepEqual(ids, [1, 2]);
  connection.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 2 } });
  await until(() => watched.item("2").counts.live === 0);
  assert.deepEqual(watched.counter.counts, { begun: 1, live: 1 });
  watched.counter.change();
  await until(() => updates(connection).length === 3);
  await close();
  assert.equal(watched.counter.counts.live, 0);
  assert.deepEqual((await connection.answerTo(1)).result?.["resultType"], "complete");
});
