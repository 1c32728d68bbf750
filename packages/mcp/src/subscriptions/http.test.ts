import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { definePlugin } from "@fettle/contract";
import { type EventStream, readEvents } from "../../test/eventStream.js";
import { answerIn, type HttpFixture, INITIALIZE, openSession, post, postModern, startHttp } from "../../test/httpFixture.js";
import { until } from "../../test/until.js";
import { saying, type WatchedResources, watchedResources } from "../../test/watchedResources.js";

type Session = Record<string, string>;

const UPDATED = "notifications/resources/updated";
const ACKNOWLEDGED = "notifications/subscriptions/acknowledged";

let fixture: HttpFixture;
let watched: WatchedResources;
const start = async (): Promise<void> => {
  watched = watchedResources();
  fixture = await startHttp({}, { plugins: [watched.plugin()] });
};
const request = async (session: Session, method: string, params: object, id = 5): ReturnType<typeof answerIn> =>
  answerIn(await post(fixture.url, { jsonrpc: "2.0", id, method, params }, session));
const subscribe = (session: Session, uri: unknown): ReturnType<typeof answerIn> => request(session, "resources/subscribe", { uri });
const unsubscribe = (session: Session, uri: unknown): ReturnType<typeof answerIn> => request(session, "resources/unsubscribe", { uri });
const stream = async (session: Session, signal?: AbortSignal): Promise<EventStream> =>
  readEvents(await fetch(`${fixture.url}/mcp`, { headers: { ...session, accept: "text/event-stream" }, ...(signal && { signal }) }));
const listen = async (notifications: unknown, signal?: AbortSignal): Promise<EventStream> =>
  readEvents(await postModern(fixture.url, "subscriptions/listen", { notifications }, signal));
const urisIn = (events: EventStream): unknown[] => events.messages(UPDATED).map(({ params }) => params?.["uri"]);

describe("sessions of the older era that subscribe to resources", () => {
  before(start);
  after(() => fixture.stop());

  test("share one watch, hear of each change, and end it with the last of them", async () => {
    const { counts } = watched.counter;
    const sessions = [await openSession(fixture.url), await openSession(fixture.url)];
    const streams = await Promise.all(sessions.map((session) => stream(session)));
    for (const session of sessions) assert.deepEqual((await subscribe(session, "test://counter")).result, {});
    assert.deepEqual((await subscribe(sessions[0] ?? {}, "test://counter")).result, {}, "twice the same is no fault");
    assert.deepEqual(counts, { begun: 1, live: 1 });
    watched.counter.change();
    watched.counter.change();
    for (const events of streams) await events.until(() => urisIn(events).length > 0);
    assert.deepEqual((await unsubscribe(sessions[0] ?? {}, "test://counter")).result, {});
    assert.equal(counts.live, 1);
    watched.counter.change();
    await streams[1]?.until(() => streams[1] !== undefined && urisIn(streams[1]).length > 1);
    assert.deepEqual(streams.map(urisIn), [["test://counter"], ["test://counter", "test://counter"]], "changes of one turn are told once");
    assert.equal((await fetch(`${fixture.url}/mcp`, { method: "DELETE", headers: sessions[1] ?? {} })).status, 200);
    assert.deepEqual(counts, { begun: 1, live: 0 });
    watched.counter.change();
    await subscribe(sessions[0] ?? {}, "test://counter");
    assert.deepEqual(counts, { begun: 2, live: 1 });
    await unsubscribe(sessions[0] ?? {}, "test://counter");
  });

  test("watch each resource of a template apart", async () => {
    const session = await openSession(fixture.url);
    const events = await stream(session);
    await subscribe(session, "test://item/1");
    await subscribe(session, "test://item/2");
    watched.item("2").change();
    await events.until(() => urisIn(events).length > 0);
    assert.deepEqual(urisIn(events), ["test://item/2"]);
    await unsubscribe(session, "test://item/1");
    assert.deepEqual([watched.item("1").counts.live, watched.item("2").counts.live], [0, 1]);
  });

  test("are told what they can't subscribe to, and why", async () => {
    const session = await openSession(fixture.url);
    const unknown = await subscribe(session, "test://nothing");
    assert.equal(unknown.error?.code, -32602);
    assert.match(unknown.error?.message ?? "", /no resource at this URI to subscribe to/);
    const still = await subscribe(session, "test://still");
    assert.equal(still.error?.code, -32602);
    assert.match(still.error?.message ?? "", /doesn't hear of its changes. Read it again/);
    assert.match((await subscribe(session, undefined)).error?.message ?? "", /needs params\.uri/);
    assert.match((await unsubscribe(session, 7)).error?.message ?? "", /needs params\.uri/);
    const none = await subscribe(session, "test://item/none");
    assert.equal(none.error?.code, -32602);
    assert.match(none.error?.message ?? "", /There is no item of that id/);
    const throws = await subscribe(session, "test://throws");
    assert.equal(throws.error?.code, -32603);
    assert.doesNotMatch(JSON.stringify(throws), /secret/);
    assert.ok(fixture.errors.includes("plugin watched threw in its watch hook: secret-of-the-watch"), fixture.errors.join("\n"));
    assert.ok(fixture.errors.some((text) => text.includes("secret-of-the-watch")));
  });

  test("may unsubscribe from what they never subscribed to", async () => {
    const session = await openSession(fixture.url);
    assert.deepEqual((await unsubscribe(session, "test://counter")).result, {});
    assert.deepEqual((await unsubscribe(session, "test://nothing")).result, {});
  });

  test("hear nothing of a watch that calls back while it begins, nor after it was stopped; one that can't be stopped is reported", async () => {
    const session = await openSession(fixture.url);
    const events = await stream(session);
    await subscribe(session, "test://at-once");
    await unsubscribe(session, "test://at-once");
    watched.counter.change();
    await subscribe(session, "test://stop-throws");
    assert.deepEqual((await unsubscribe(session, "test://stop-throws")).result, {});
    assert.ok(fixture.errors.includes("plugin watched threw when it was to stop watching: could not stop"));
    await subscribe(session, "test://item/last");
    watched.item("last").change();
    await events.until(() => urisIn(events).length > 0);
    assert.deepEqual(urisIn(events), ["test://item/last"]);
  });

  test("may have a thousand subscriptions, and learn what to do about more", async () => {
    const session = await openSession(fixture.url, "2025-03-26");
    for (let from = 0; from < 1_000; from += 100) {
      const batch = Array.from({ length: 100 }, (_, i) => ({
        jsonrpc: "2.0",
        id: i,
        method: "resources/subscribe",
        params: { uri: `test://item/m${from + i}` },
      }));
      await (await post(fixture.url, batch, session)).text();
    }
    assert.match((await subscribe(session, "test://item/more")).error?.message ?? "", /At most 1000 resources/);
    assert.deepEqual((await subscribe(session, "test://item/m7")).result, {});
    await unsubscribe(session, "test://item/m7");
    assert.deepEqual((await subscribe(session, "test://item/more")).result, {});
  });
});

describe("streams of revision 2026-07-28", () => {
  before(start);
  after(() => fixture.stop());

  test("name the resources that are watched, tell of those alone, and end their watches", async () => {
    const leaving = new AbortController();
    const uris = ["test://counter", "test://item/1", "test://still", "test://nothing", "test://throws", "test://counter"];
    const events = await listen({ resourceSubscriptions: uris, toolsListChanged: true }, leaving.signal);
    const other = await listen({ resourceSubscriptions: ["test://counter"] });
    await events.until(() => events.events.length > 0);
    const honored = { toolsListChanged: true, resourceSubscriptions: ["test://counter", "test://item/1"] };
    assert.deepEqual(events.messages(ACKNOWLEDGED)[0]?.params?.["notifications"], honored);
    await other.until(() => other.events.length > 0);
    assert.deepEqual(watched.counter.counts, { begun: 1, live: 1 });
    watched.counter.change();
    await events.until(() => urisIn(events).length > 0);
    await other.until(() => urisIn(other).length > 0);
    leaving.abort();
    await until(() => watched.item("1").counts.live === 0);
    assert.equal(watched.counter.counts.live, 1);
    assert.deepEqual([urisIn(events), urisIn(other)], [["test://counter"], ["test://counter"]]);
  });

  test("of nothing that can be told end at once, and say so", async () => {
    const events = await listen({ resourceSubscriptions: ["test://nothing"] });
    await events.end();
    assert.deepEqual(events.messages(ACKNOWLEDGED)[0]?.params?.["notifications"], {});
    assert.ok(events.events.at(-1)?.message?.result);
  });

  test("watch of more URIs than can be matched in a moment those that come first", async () => {
    const leaving = new AbortController();
    const long = Array.from({ length: 100 }, (_, i) => `test://${"/".repeat(2_000)}${i}`);
    const events = await listen({ resourceSubscriptions: ["test://item/first", ...long, "test://item/last"] }, leaving.signal);
    await events.until(() => events.events.length > 0);
    assert.deepEqual(events.messages(ACKNOWLEDGED)[0]?.params?.["notifications"], { resourceSubscriptions: ["test://item/first"] });
    leaving.abort();
  });

  test("that are asked for in a wrong shape are refused", async () => {
    for (const notifications of [undefined, 7, { resourceSubscriptions: "test://counter" }, { resourceSubscriptions: [7] }]) {
      const { error } = await answerIn(await postModern(fixture.url, "subscriptions/listen", { notifications }));
      assert.equal(error?.code, -32602);
    }
  });

  test("go on over a reload and over changes of the plugin's resources", async () => {
    const before = watched.resources;
    const events = await listen({ resourceSubscriptions: ["test://item/r", "test://coming"], resourcesListChanged: true });
    watched.resources = [...before, saying("test://coming", (changed) => watched.item("coming").watch(changed))];
    const both = await listen({ resourceSubscriptions: ["test://coming"] });
    await both.until(() => both.events.length > 0);
    assert.equal(watched.item("coming").counts.live, 1);
    await fixture.bench.kernel.reload();
    watched.item("r").change();
    await events.until(() => urisIn(events).length > 0);
    assert.deepEqual(urisIn(events), ["test://item/r"]);
    // Gone: its watch ends. Back, as another object: it is watched again.
    watched.resources = before;
    watched.listChanged();
    assert.equal(watched.item("coming").counts.live, 0);
    await both.until(() => urisIn(both).length === 1);
    watched.resources = [...before, saying("test://coming", (changed) => watched.item("coming").watch(changed))];
    watched.listChanged();
    assert.equal(watched.item("coming").counts.live, 1);
    await both.until(() => urisIn(both).length === 2);
    watched.item("coming").change();
    await both.until(() => urisIn(both).length === 3);
  });

  test("and sessions are ended with their watches when the server shuts down", async () => {
    const session = await openSession(fixture.url);
    await subscribe(session, "test://item/end");
    const events = await listen({ resourceSubscriptions: ["test://item/end", "test://counter"] });
    await events.until(() => events.events.length > 0);
    await fixture.stop();
    await events.end();
    assert.ok(events.events.at(-1)?.message?.result, "the stream ends with its answer");
    assert.deepEqual([watched.item("end").counts.live, watched.counter.counts.live], [0, 0]);
  });
});

test("only a server with something to watch says that resources can be subscribed to", async () => {
  const still = definePlugin({
    name: "still",
    options: {},
    create: () => ({ name: "still", position: "observe" as const, setup: () => ({ resources: [saying("test://still")] }) }),
  });
  for (const [plugin, resources] of [
    [still, { listChanged: true }],
    [watchedResources().plugin, { listChanged: true, subscribe: true }],
  ] as const) {
    const server = await startHttp({}, { plugins: [plugin()] });
    const hello = await answerIn(await post(server.url, INITIALIZE));
    const capabilities = hello.result?.["capabilities"];
    assert.deepEqual(typeof capabilities === "object" && capabilities !== null && "resources" in capabilities && capabilities.resources, resources);
    await server.stop();
  }
});
