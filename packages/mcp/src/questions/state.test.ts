import assert from "node:assert/strict";
import { after, before, mock, test } from "node:test";
import { definePlugin } from "@fettle/contract";
import { answerIn, post } from "../../test/httpFixture.js";
import { questionsKernel } from "../../test/questionTools.js";
import { createHttpServer, type HttpOptions, type HttpServer } from "../index.js";

const MODERN = "2026-07-28";
const SECRET = "a secret that all replicas of this test have";
const ADA = { action: "accept", content: { name: "Ada" } };
const BEGIN_AGAIN = / Begin again: send the request without requestState and inputResponses\.$/;

/** Who calls is what a header says. */
const users = definePlugin({
  name: "users",
  options: {},
  create: () => ({
    name: "users",
    position: "observe" as const,
    setup: () => ({
      identify: ({ headers }) => {
        const [tenant = "t", principal = "nobody"] = (headers["x-user"] ?? "t/nobody").split("/");
        return { tenant, principal, scopes: [] };
      },
    }),
  }),
});

interface Replica {
  readonly url: string;
  readonly errors: string[];
  stop(): Promise<void>;
}

async function replica(http: HttpOptions["http"] = {}): Promise<Replica> {
  const { kernel } = await questionsKernel({ plugins: [users()] });
  const errors: string[] = [];
  const server: HttpServer = createHttpServer(kernel, { http, onerror: ({ message }) => errors.push(message) });
  const { url } = await server.listen({ port: 0 });
  return {
    url,
    errors,
    stop: async () => {
      await server.close({ drainMs: 50 });
      await kernel.close({ drainMs: 0 });
    },
  };
}

/** One request of 2026-07-28 by a client that can be asked everything. */
async function request(
  { url }: Replica,
  params: Readonly<Record<string, unknown>>,
  { user = "t/ada", method = "tools/call" } = {},
): Promise<{ result?: Record<string, unknown>; error?: { code: number; message: string; data?: unknown } }> {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientInfo": { name: "t", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} }, sampling: {}, roots: {} },
  };
  const headers = { "mcp-protocol-version": MODERN, "mcp-method": method, "mcp-name": String(params["name"] ?? params["uri"]), "x-user": user };
  return answerIn(await post(url, { jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } }, headers));
}

async function stateOf(
  of: Replica,
  params: Readonly<Record<string, unknown>> = { name: "person" },
  options: Parameters<typeof request>[2] = {},
): Promise<string> {
  const { result, error } = await request(of, params, options);
  assert.equal(error, undefined);
  assert.equal(result?.["resultType"], "input_required");
  const state = result?.["requestState"];
  assert.equal(typeof state, "string");
  return String(state);
}

let one: Replica;
let two: Replica;
before(async () => {
  one = await replica({ state_secret: SECRET });
  two = await replica({ state_secret: SECRET });
});
after(async () => {
  await one.stop();
  await two.stop();
});

test("an answer for one set of arguments isn't taken for another, whatever the order of their keys", async () => {
  const args = { path: "a", how: { deep: [1, { x: 1, y: [] }], hard: true } };
  const turned = { how: { hard: true, deep: [1, { y: [], x: 1 }] }, path: "a" };
  const others = [
    undefined,
    {},
    { ...args, path: "b" },
    { ...args, more: null },
    { ...args, how: { deep: [{ x: 1, y: [] }, 1], hard: true } },
    {
      ...args,
      how: [
        ["deep", args.how.deep],
        ["hard", true],
      ],
    },
  ];
  const requestState = await stateOf(one, { name: "stateless", arguments: args });
  const answered = { name: "stateless", inputResponses: { who: ADA }, requestState };
  for (const other of others) {
    const { error, result } = await request(one, { ...answered, arguments: other });
    assert.equal(result, undefined);
    assert.equal(error?.code, -32602);
    assert.match(error?.message ?? "", /^This requestState was given out for other arguments.* Send the very arguments that the question came for\./);
    assert.match(error?.message ?? "", BEGIN_AGAIN);
  }
  assert.deepEqual((await request(two, { ...answered, arguments: turned })).result?.["structuredContent"], { who: ADA });
});

test("an answer to a prompt holds for its arguments", async () => {
  const options = { method: "prompts/get" };
  const requestState = await stateOf(one, { name: "greet", arguments: { tone: "kind" } }, options);
  const answered = { name: "greet", inputResponses: { who: ADA }, requestState };
  assert.match((await request(one, { ...answered, arguments: { tone: "rude" } }, options)).error?.message ?? "", /other arguments/);
  assert.equal((await request(one, { ...answered, arguments: { tone: "kind" } }, options)).error, undefined);
});

test("any replica with the same secret takes the answers, and the handler finds its own state", async () => {
  const requestState = await stateOf(one);
  const { result } = await request(two, { name: "person", inputResponses: { who: ADA }, requestState });
  assert.deepEqual(result?.["structuredContent"], { who: ADA, state: "step 1" });
});

test("a process without a secret takes its own states, and no other's", async () => {
  const alone = await replica();
  try {
    const own = await stateOf(alone);
    assert.equal((await request(alone, { name: "person", inputResponses: { who: ADA }, requestState: own })).error, undefined);
    const { error } = await request(alone, { name: "person", inputResponses: { who: ADA }, requestState: await stateOf(one) });
    assert.equal(error?.code, -32602);
  } finally {
    await alone.stop();
  }
});

const refusals: readonly [string, (state: string) => { readonly params?: Record<string, unknown>; readonly method?: string; readonly user?: string }][] = [
  ["that was added to", (state) => ({ params: { requestState: `${state}-TAMPERED` } })],
  ["whose content was changed", (state) => ({ params: { requestState: state.replace(/^v1\.(.{20})./, (_whole, head) => `v1.${head}x`) } })],
  ["that is no state at all", () => ({ params: { requestState: "step 1" } })],
  ["that is empty", () => ({ params: { requestState: "" } })],
  ["of another tool", (state) => ({ params: { name: "other", requestState: state } })],
  ["of another method", (state) => ({ method: "prompts/get", params: { name: "person", requestState: state } })],
  ["of another principal", (state) => ({ user: "t/eve", params: { requestState: state } })],
  ["of another tenant", (state) => ({ user: "u/ada", params: { requestState: state } })],
];

for (const [which, change] of refusals) {
  test(`a state ${which} is refused, with what to do and nothing of what was sent`, async () => {
    const { params, ...options } = change(await stateOf(one));
    const { error, result } = await request(one, { name: "person", inputResponses: { who: ADA }, ...params }, options);
    assert.equal(result, undefined);
    assert.equal(error?.code, -32602);
    assert.match(error?.message ?? "", /^This requestState is not valid here/);
    assert.match(error?.message ?? "", BEGIN_AGAIN);
    assert.doesNotMatch(JSON.stringify(error), /step 1|TAMPERED|Ada|v1\./);
    assert.deepEqual(one.errors, []);
  });
}

test("a state holds for its time, and then it is said that it has expired", async () => {
  const hour = 3_600_000;
  mock.timers.enable({ apis: ["Date"], now: Date.now() });
  try {
    const requestState = await stateOf(one);
    const late = { name: "person", inputResponses: { who: ADA }, requestState };
    mock.timers.tick(hour - 1_000);
    assert.equal((await request(one, late)).error, undefined);
    mock.timers.tick(2_000);
    const { error } = await request(one, late);
    assert.equal(error?.code, -32602);
    assert.match(error?.message ?? "", /^This requestState has expired/);
    assert.match(error?.message ?? "", BEGIN_AGAIN);
  } finally {
    mock.timers.reset();
  }
});

test("how long a state holds is set by http.state_ttl_ms", async () => {
  const brief = await replica({ state_secret: SECRET, state_ttl_ms: 5_000 });
  mock.timers.enable({ apis: ["Date"], now: Date.now() });
  try {
    const requestState = await stateOf(brief);
    mock.timers.tick(7_000);
    assert.match((await request(brief, { name: "person", inputResponses: { who: ADA }, requestState })).error?.message ?? "", /has expired/);
  } finally {
    mock.timers.reset();
    await brief.stop();
  }
});

test("the state of a prompt and of a resource is bound to it, too", async () => {
  const prompt = await stateOf(one, { name: "greet" }, { method: "prompts/get" });
  const answered = await request(one, { name: "greet", inputResponses: { who: ADA }, requestState: prompt }, { method: "prompts/get" });
  assert.deepEqual(answered.result?.["messages"], [{ role: "user", content: { type: "text", text: "Ada, of greet" } }]);
  const read = { method: "resources/read" };
  const item = await stateOf(one, { uri: "test://asking/1" }, read);
  assert.equal((await request(one, { uri: "test://asking/2", inputResponses: { who: ADA }, requestState: item }, read)).error?.code, -32602);
  const { result } = await request(one, { uri: "test://asking/1", inputResponses: { who: ADA }, requestState: item }, read);
  assert.deepEqual(result?.["contents"], [{ uri: "test://asking/1", text: "1 Ada" }]);
});

test("answers to what wasn't asked are left out, whatever they are", async () => {
  const requestState = await stateOf(one);
  const inputResponses = { who: ADA, more: { action: "accept", content: {} }, odd: 7, ["__proto__"]: { action: "accept" } };
  const { result } = await request(one, { name: "person", inputResponses, requestState });
  assert.deepEqual(result?.["structuredContent"], { who: ADA, state: "step 1" });
});

test("an answer that is missing is asked for again", async () => {
  const requestState = await stateOf(one);
  for (const inputResponses of [{}, { wrong_key: ADA }]) {
    const { result } = await request(one, { name: "person", inputResponses, requestState });
    assert.deepEqual([result?.["resultType"], Object.keys(result?.["inputRequests"] ?? {})], ["input_required", ["who"]]);
  }
});

const wrongAnswers: readonly [string, unknown, RegExp][] = [
  ["a number", 12345, /who: expected the result of elicitation\/create/],
  ["a text", "yes", /who: expected the result of elicitation\/create/],
  ["wrapped in a response", { result: ADA }, /who: expected the result of elicitation\/create/],
  ["without an action", { content: { name: "Ada" } }, /who: action: expected one of "accept", "decline", "cancel", and it is missing/],
  ["with an action that there isn't", { action: "maybe" }, /who: action: expected one of .*, got "maybe"/],
  ["with a list for content", { action: "accept", content: [] }, /who: content: expected an object, got \[\]/],
  ["without content", { action: "accept" }, /who: missing name: required/],
  ["with a field of the wrong type", { action: "accept", content: { name: 7 } }, /who: name: expected string, got .*7/],
  ["to another kind of question", { roots: [] }, /who: action: expected/],
];

for (const [what, who, message] of wrongAnswers) {
  test(`an answer ${what} is refused, naming what is wrong with it`, async () => {
    const requestState = await stateOf(one);
    const { error } = await request(one, { name: "person", inputResponses: { who }, requestState });
    assert.equal(error?.code, -32602);
    assert.match(error?.message ?? "", message);
    assert.match(error?.message ?? "", /Send the request again with these mended in inputResponses, and with the same requestState\.$/);
    // The same state takes the mended answer.
    assert.equal((await request(one, { name: "person", inputResponses: { who: ADA }, requestState })).error, undefined);
  });
}

test("answers of the model and roots that aren't any are refused", async () => {
  const sampled = await stateOf(one, { name: "model" });
  const { error } = await request(one, { name: "model", inputResponses: { text: { role: "robot", content: "Hello" } }, requestState: sampled });
  assert.match(error?.message ?? "", /text: role: expected[\s\S]*text: model: expected[\s\S]*text: content: expected/);
  const rooted = await stateOf(one, { name: "folders" });
  for (const roots of [undefined, "/", [{}], [{ uri: 1 }]]) {
    const answer = await request(one, { name: "folders", inputResponses: { roots: { roots } }, requestState: rooted });
    assert.match(answer.error?.message ?? "", /roots: roots: expected a list of roots/);
  }
});

test("answers without the state of their question are checked against what is asked without them", async () => {
  const greet = { method: "prompts/get" };
  const read = { method: "resources/read" };
  for (const [params, options] of [
    [{ name: "person" }, {}],
    [{ name: "stateless" }, {}],
    [{ name: "greet" }, greet],
    [{ uri: "test://asking" }, read],
    [{ uri: "test://asking/1" }, read],
  ] as const) {
    for (const who of [12345, { action: "maybe" }, { nothing: true }, { roots: [] }, { action: "accept" }, { action: "accept", content: { name: 7 } }]) {
      const { error, result } = await request(one, { ...params, inputResponses: { who } }, options);
      assert.equal(result, undefined);
      assert.equal(error?.code, -32602);
      assert.match(error?.message ?? "", /who: [\s\S]*Send the request again with these mended in inputResponses\.$/);
    }
    for (const inputResponses of [{}, { extra: { action: "accept", content: {} } }]) {
      const { result } = await request(one, { ...params, inputResponses }, options);
      assert.deepEqual([result?.["resultType"], Object.keys(result?.["inputRequests"] ?? {})], ["input_required", ["who"]]);
    }
    assert.equal((await request(one, { ...params, inputResponses: { who: ADA, extra: { action: "decline" } } }, options)).error, undefined);
  }
});

test("a handler that is answered without its state finds the state of what it asked, and only the answers to that", async () => {
  const { result } = await request(one, { name: "person", inputResponses: { who: ADA, extra: { action: "decline" } } });
  assert.deepEqual(result?.["structuredContent"], { who: ADA, state: "step 1" });
});

test("a handler that asks nothing gets no answers", async () => {
  const { result } = await request(one, { name: "given", inputResponses: { who: ADA } });
  assert.deepEqual(result?.["structuredContent"], { inputs: false });
});

test("inputResponses that are no object and a requestState that is no string are refused in words", async () => {
  for (const [given, message] of [
    [{ inputResponses: null }, /params\.inputResponses must be an object with an answer for each key of inputRequests, got null/],
    [{ inputResponses: [ADA] }, /got an array/],
    [{ requestState: 7 }, /params\.requestState must be the string that came with the questions, got a number/],
  ] as const) {
    const { error } = await request(one, { name: "person", ...given });
    assert.equal(error?.code, -32602);
    assert.match(error?.message ?? "", message);
  }
});
