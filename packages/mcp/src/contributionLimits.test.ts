import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { definePlugin } from "@fettle/contract";
import { type FakeClock, fakeClock } from "@fettle/testkit";
import { Client, ProtocolError, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { type HttpFixture, startHttp } from "../test/httpFixture.js";
import { until } from "../test/until.js";

/** Signals of what hangs, by hook. */
const signals = new Map<string, AbortSignal>();
const asked: string[] = [];
const hangs = (hook: string, signal?: AbortSignal): Promise<never> => {
  asked.push(hook);
  if (signal) signals.set(hook, signal);
  return new Promise(() => {});
};
const throwing = (): never => {
  throw new Error("secret of the plugin, about Ada Lovelace");
};

const plugin = definePlugin({
  name: "sluggish",
  options: {},
  create: () => ({
    name: "sluggish",
    position: "observe" as const,
    setup: () => ({
      prompts: [
        { name: "hangs", arguments: [{ name: "who" }], get: (_args, { signal }) => hangs("prompts.get", signal), complete: () => hangs("prompts.complete") },
        { name: "throws", arguments: [{ name: "who" }], get: throwing, complete: throwing },
        { name: "rejects", get: async () => throwing() },
      ],
      resources: [
        { uri: "test://hangs", name: "hangs", read: ({ signal }) => hangs("resources.read", signal) },
        { uri: "test://throws", name: "throws", read: throwing },
      ],
      resourceTemplates: [
        {
          uriTemplate: "test://hangs/{id}",
          name: "hangs",
          read: (_uri, _variables, { signal }) => hangs("resourceTemplates.read", signal),
          complete: () => hangs("resourceTemplates.complete"),
        },
        { uriTemplate: "test://throws/{id}", name: "throws", read: throwing, complete: throwing },
      ],
    }),
  }),
});

type Ask = (client: Client, which: "hangs" | "throws", options?: { signal: AbortSignal }) => Promise<unknown>;
const argument = { name: "who", value: "Ada Lovelace" };
const ASKS: Readonly<Record<string, readonly [subject: RegExp, ask: Ask]>> = {
  "prompts.get": [/^The prompt \w+/, (client, which, options) => client.getPrompt({ name: which, arguments: { who: "Ada Lovelace" } }, options)],
  "prompts.complete": [/^The prompt \w+/, (client, which, options) => client.complete({ ref: { type: "ref/prompt", name: which }, argument }, options)],
  "resources.read": [/^The resource/, (client, which, options) => client.readResource({ uri: `test://${which}` }, options)],
  "resourceTemplates.read": [/^The resource/, (client, which, options) => client.readResource({ uri: `test://${which}/7` }, options)],
  "resourceTemplates.complete": [
    /^The resource template/,
    (client, which, options) => client.complete({ ref: { type: "ref/resource", uri: `test://${which}/{id}` }, argument: { ...argument, name: "id" } }, options),
  ],
};

/** What a refused request was answered with. */
async function refusalOf(request: Promise<unknown>): Promise<ProtocolError & { message: string }> {
  const error = await request.then(
    () => assert.fail("it was answered"),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ProtocolError, String(error));
  return error;
}

for (const mode of ["legacy", { pin: "2026-07-28" }] as const) {
  describe(`what plugins contribute, ${mode === "legacy" ? "older era" : mode.pin}`, () => {
    let clock: FakeClock;
    /** How many were begun and are not cancelled. */
    let timers = 0;
    let fixture: HttpFixture;
    let client: Client;
    let seen = 0;
    /** The errors that were logged since this was asked last. */
    const logged = (): HttpFixture["bench"]["logs"] => {
      const fresh = fixture.bench.logs.slice(seen);
      seen += fresh.length;
      return fresh.filter(({ level }) => level === "error");
    };
    before(async () => {
      const turned = fakeClock();
      clock = {
        ...turned,
        after: (ms, run) => {
          timers += 1;
          const cancel = turned.after(ms, run);
          return () => {
            timers -= 1;
            cancel();
          };
        },
      };
      fixture = await startHttp({}, { plugins: [plugin()], clock, timeout_ms: 7_000 });
      client = new Client({ name: "t", version: "1" }, { versionNegotiation: { mode } });
      await client.connect(new StreamableHTTPClientTransport(new URL(`${fixture.url}/mcp`)));
    });
    after(async () => {
      await client.close();
      await fixture.stop();
    });

    for (const [hook, [subject, ask]] of Object.entries(ASKS)) {
      const begun = async (options?: { signal: AbortSignal }): Promise<{ readonly answer: Promise<unknown> }> => {
        const before = asked.length;
        const answer = ask(client, "hangs", options);
        answer.catch(() => {});
        await until(() => asked.length > before);
        assert.equal(asked.at(-1), hook);
        return { answer };
      };

      test(`${hook} that hangs is answered when the time of a call is up, and the log names the plugin`, async () => {
        const { answer } = await begun();
        clock.tick(6_999);
        assert.deepEqual(logged(), [], "it has its time");
        clock.tick(1);
        const { code, message, data } = await refusalOf(answer);
        assert.equal(code, -32603);
        assert.match(message, subject);
        assert.match(message, /did not answer within the time limit of 7 s/);
        assert.match(JSON.stringify(data), /"error_code":"kernel\/deadline-exceeded"/);
        assert.doesNotMatch(message + JSON.stringify(data), /sluggish|hook/);
        assert.deepEqual(
          logged().map((line) => line.message),
          [`plugin sluggish did not answer within 7 s in its ${hook} hook`],
        );
        if (!hook.endsWith("complete")) assert.equal(signals.get(hook)?.aborted, true);
      });

      test(`${hook} that hangs ends when its client cancels, without a line in the log`, async () => {
        const leaving = new AbortController();
        const { answer } = await begun({ signal: leaving.signal });
        leaving.abort();
        await assert.rejects(answer);
        await until(() => timers === 0);
        if (!hook.endsWith("complete")) assert.equal(signals.get(hook)?.aborted, true);
        clock.tick(60_000);
        assert.deepEqual([logged(), fixture.errors], [[], []]);
      });

      test(`what ${hook} throws is told as the plugin's fault, and only the log has its words, without the client's`, async () => {
        const { code, message, data } = await refusalOf(ask(client, "throws"));
        assert.equal(code, -32603);
        assert.match(message, new RegExp(`because of a fault of the server, not of the request: the plugin sluggish threw in its ${hook} hook`));
        assert.doesNotMatch(message + JSON.stringify(data), /secret/);
        const [line] = logged();
        assert.equal(line?.message, `plugin sluggish threw in its ${hook} hook`);
        const { plugin, hook: named, error_message: text } = line?.fields ?? {};
        assert.deepEqual([plugin, named], ["sluggish", hook]);
        assert.match(String(text), hook.startsWith("resource") && hook.endsWith("read") ? /secret of the plugin/ : /secret of the plugin, about \[argument\]/);
      });
    }

    test("a promise that rejects is told as what is thrown", async () => {
      assert.match((await refusalOf(client.getPrompt({ name: "rejects" }))).message, /the plugin sluggish threw in its prompts\.get hook/);
      logged();
    });
  });
}
