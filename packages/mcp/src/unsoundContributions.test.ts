import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { definePlugin } from "@fettle/contract";
import { Client, ProtocolError, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { type HttpFixture, startHttp } from "../test/httpFixture.js";

const text = { type: "text", text: "fine" };
const user = (content: unknown): unknown => ({ messages: [{ role: "user", content }] });
const fine = [{ uri: "test://a", text: "fine" }];

/** What a prompt gives, and what is said of it. */
const PROMPTS: Readonly<Record<string, readonly [unknown, RegExp]>> = {
  nothing: [undefined, /undefined is no JSON value/],
  text: ["Hello", /it isn't what MCP has there/],
  list: [[], /it isn't what MCP has there/],
  noMessages: [{ description: "none" }, /at messages, it isn't what MCP has there/],
  role: [{ messages: [{ role: "robot", content: text }] }, /at messages\[0\]\.role/],
  content: [user({ type: "text" }), /at messages\[0\]\.content/],
  kind: [user({ type: "smell", data: "" }), /at messages\[0\]\.content/],
  plainText: [user("Hello"), /at messages\[0\]\.content/],
  base64: [user({ type: "image", data: "no base64!", mimeType: "image/png" }), /at messages\[0\]\.content/],
  number: [user({ ...text, _meta: { n: 1n } }), /a bigint is no JSON value/],
};

const RESOURCES: Readonly<Record<string, readonly [unknown, RegExp, unknown?]>> = {
  nothing: [undefined, /it must be a list of contents/],
  text: ["text", /it must be a list of contents/],
  one: [fine[0], /it must be a list of contents/],
  member: [["text"], /at contents\[0\]/],
  empty: [[{ uri: "test://a" }], /at contents\[0\]/],
  uri: [[{ text: "a" }], /at contents\[0\]/],
  blob: [[{ uri: "test://a", blob: "no base64!" }], /at contents\[0\]/],
  cacheTime: [fine, /at cache, it must have ttlMs/, { ttlMs: Number.NaN, scope: "public" }],
  cacheBack: [fine, /at cache, it must have ttlMs/, { ttlMs: -1, scope: "public" }],
  cacheScope: [fine, /at cache, it must have ttlMs/, { ttlMs: 1, scope: "some" }],
  cacheText: [fine, /at cache, it must have ttlMs/, "long"],
};

const COMPLETIONS: Readonly<Record<string, unknown>> = { text: "Ada", numbers: [1], nothing: null, object: { values: ["Ada"] } };

const plugin = definePlugin({
  name: "careless",
  options: {},
  create: () => ({
    name: "careless",
    position: "observe" as const,
    setup: () => ({
      prompts: [
        ...Object.entries(PROMPTS).map(([name, [given]]) => ({ name, get: () => given as never })),
        ...Object.entries(COMPLETIONS).map(([name, given]) => ({
          name: `completes-${name}`,
          arguments: [{ name: "who" }],
          get: () => user(text) as never,
          complete: () => given as never,
        })),
      ],
      resources: Object.entries(RESOURCES).map(([name, [given, , cache]]) => ({
        uri: `test://${name}`,
        name,
        read: () => given as never,
        ...(cache !== undefined && { cache: cache as never }),
      })),
      resourceTemplates: [
        { uriTemplate: "bad:///{", name: "unclosed", read: () => fine },
        { uriTemplate: "bad:///{}", name: "unnamed", read: () => fine },
        { uriTemplate: "bad:///{=a}", name: "no operator", read: () => fine },
        { uriTemplate: 7 as never, name: "number", read: () => fine },
        null as never,
        ...Object.entries(RESOURCES).map(([name, [given, , cache]]) => ({
          uriTemplate: `test://${name}/{id}`,
          name,
          read: () => given as never,
          ...(cache !== undefined && { cache: cache as never }),
        })),
        { uriTemplate: "good:///{id}", name: "good", read: (uri: string) => [{ uri, text: "good" }] },
      ],
    }),
  }),
});

for (const mode of ["legacy", { pin: "2026-07-28" }] as const) {
  describe(`what a plugin gives that can't be sent, ${mode === "legacy" ? "older era" : mode.pin}`, () => {
    let fixture: HttpFixture;
    let client: Client;
    let seen = 0;
    /** The lines of errors that came since the last time. */
    const logged = (): HttpFixture["bench"]["logs"] => {
      const errors = fixture.bench.logs.filter(({ level }) => level === "error");
      const fresh = errors.slice(seen);
      seen = errors.length;
      return fresh;
    };
    before(async () => {
      fixture = await startHttp({}, { plugins: [plugin()] });
      client = new Client({ name: "t", version: "1" }, { versionNegotiation: { mode } });
      await client.connect(new StreamableHTTPClientTransport(new URL(`${fixture.url}/mcp`)));
    });
    after(async () => {
      await client.close();
      await fixture.stop();
    });

    /** The request is refused in words, and the log says whose fault it is under the id that the client was told. */
    async function assertRefused(request: Promise<unknown>, message: RegExp, hook: string): Promise<void> {
      const error = await request.then(
        () => assert.fail("it was answered"),
        (reason: unknown) => reason,
      );
      assert.ok(error instanceof ProtocolError, String(error));
      assert.equal(error.code, -32603);
      assert.match(error.message, message);
      assert.match(error.message, /This is a fault of the server, not of the request/);
      const [line, ...more] = logged();
      assert.deepEqual(more, []);
      assert.equal(line?.message, `plugin careless gave something that can't be sent in its ${hook} hook`);
      assert.deepEqual([line?.fields["plugin"], line?.fields["hook"]], ["careless", hook]);
      assert.ok(error.message.includes(`the call id ${line?.fields["call_id"]}:`), error.message);
    }

    test("templates that can't be read are left out and named once in the log, and the others are served", async () => {
      const { resourceTemplates } = await client.listResourceTemplates();
      assert.ok(!resourceTemplates.some(({ uriTemplate }) => String(uriTemplate).startsWith("bad:")));
      for (let i = 0; i < 2; i += 1) assert.equal((await client.readResource({ uri: "good:///1" })).contents[0]?.uri, "good:///1");
      await assert.rejects(client.readResource({ uri: "bad:///1" }), /There is no resource at this URI/);
      assert.deepEqual(
        logged().map(({ message }) => message),
        [
          'plugin careless gave resourceTemplates[0] that can\'t be served: its uriTemplate "bad:///{" is none by RFC 6570; it is left out',
          'plugin careless gave resourceTemplates[1] that can\'t be served: its uriTemplate "bad:///{}" is none by RFC 6570; it is left out',
          'plugin careless gave resourceTemplates[2] that can\'t be served: its uriTemplate "bad:///{=a}" is none by RFC 6570; it is left out',
          "plugin careless gave resourceTemplates[3] that can't be served: its uriTemplate is no text; it is left out",
          "plugin careless gave resourceTemplates[4] that can't be served: it is no object; it is left out",
        ],
      );
    });

    for (const [name, [, message]] of Object.entries(PROMPTS)) {
      test(`a prompt that gives what is wrong (${name}) is answered in words`, async () => {
        await assertRefused(client.getPrompt({ name }), message, "prompts.get");
      });
    }

    for (const [name, [, message]] of Object.entries(RESOURCES)) {
      test(`a resource or template that gives what is wrong (${name}) is answered in words`, async () => {
        await assertRefused(client.readResource({ uri: `test://${name}` }), message, "resources.read");
        await assertRefused(client.readResource({ uri: `test://${name}/1` }), message, "resourceTemplates.read");
      });
    }

    for (const name of Object.keys(COMPLETIONS)) {
      test(`a completion that gives no list of texts (${name}) is answered in words`, async () => {
        const argument = { name: "who", value: "" };
        const request = client.complete({ ref: { type: "ref/prompt", name: `completes-${name}` }, argument });
        await assertRefused(request, /it must be a list of texts/, "prompts.complete");
      });
    }
  });
}
