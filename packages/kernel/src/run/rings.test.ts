import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type ConfiguredPlugin,
  definePlugin,
  inputError,
  type Layer,
  type Outcome,
  type Plugin,
  type PluginRun,
  type Position,
  stateError,
} from "@fettle/contract";
import { testKernel } from "@fettle/testkit";

/** A plugin of one layer. */
function layered(name: string, position: Position, layer: Layer, more: PluginRun<unknown> = {}): ConfiguredPlugin {
  return definePlugin({ name, options: {}, create: () => ({ name, position, setup: () => ({ layer: () => layer, ...more }) }) })();
}

const tracing = (name: string, position: Position, seen: string[]): ConfiguredPlugin =>
  layered(name, position, (_call, next) => {
    seen.push(`>${name}`);
    const outcome = next() as Outcome;
    seen.push(`<${name}`);
    return outcome;
  });

test("rings run from observe to execute whatever the config's order, and within a position in config order", async () => {
  const seen: string[] = [];
  const positions: Position[] = ["execute", "reuse", "shape", "protect", "answer", "observe"];
  const plugins = [...positions.map((position) => tracing(position, position, seen)), tracing("protect-two", "protect", seen)];
  const { kernel } = await testKernel({ plugins, tools: { echo: () => (seen.push("handler"), {}) } });
  await kernel.call("echo");
  const inward = ["observe", "answer", "protect", "protect-two", "shape", "reuse", "execute"];
  assert.deepEqual(seen, [...inward.map((name) => `>${name}`), "handler", ...inward.reverse().map((name) => `<${name}`)]);
});

test("a call in which nothing waits is answered synchronously", async () => {
  const { kernel } = await testKernel({ plugins: [layered("pass", "shape", (_call, next) => next())], tools: { echo: () => ({ a: 1 }) } });
  const outcome = kernel.call({ name: "echo", args: {} });
  assert.ok(!(outcome instanceof Promise));
  assert.equal(outcome.kind, "ok");
});

test("a plugin that gives no layer for a tool leaves no ring there", async () => {
  const picky = definePlugin({
    name: "picky",
    options: {},
    create: () => ({ name: "picky", position: "shape", setup: () => ({ layer: (tool) => (tool?.name === "a" ? (_call, next) => next() : undefined) }) }),
  });
  const { kernel } = await testKernel({ plugins: [picky()], tools: { a: () => ({}), b: () => ({}) } });
  assert.deepEqual(
    kernel.explain("a")?.rings.map(({ plugin }) => plugin),
    ["test-observer", "picky"],
  );
  assert.deepEqual(
    kernel.explain("b")?.rings.map(({ plugin }) => plugin),
    ["test-observer"],
  );
});

test("layers are asked for once per tool version, and once without a tool at observe and answer", async () => {
  const asked: string[] = [];
  const counting = (name: string, position: Position) =>
    definePlugin({
      name,
      options: {},
      create: () => ({ name, position, setup: () => ({ layer: (tool) => (asked.push(`${name} ${tool?.name ?? "-"}`), undefined) }) }),
    })();
  const { kernel } = await testKernel({ plugins: [counting("outer", "answer"), counting("inner", "reuse")], tools: { a: () => ({}), b: () => ({}) } });
  await kernel.call("a");
  await kernel.call("a");
  assert.deepEqual(asked, ["inner a", "inner b", "outer -"]);
});

for (const [how, layer] of [
  [
    "throws",
    () => {
      throw new Error("secret of the plugin");
    },
  ],
  [
    "rejects",
    async () => {
      throw new Error("secret of the plugin");
    },
  ],
] as const) {
  test(`a layer that ${how} becomes an internal_error that names plugin and hook, and what it threw stays in the log`, async () => {
    const { kernel, observed, logs } = await testKernel({ plugins: [layered("broken", "protect", layer)], tools: { echo: () => ({}) } });
    const { error } = await kernel.call("echo");
    assert.equal(error.error_type, "internal_error");
    assert.equal(error.error_code, "kernel/layer-threw");
    assert.match(error.what_went_wrong, /plugin broken threw in its layer hook/);
    assert.deepEqual({ plugin: error.details["plugin"], hook: error.details["hook"] }, { plugin: "broken", hook: "layer" });
    assert.doesNotMatch(JSON.stringify(error), /secret/);
    assert.equal(observed.length, 1);
    assert.match(JSON.stringify(logs), /secret of the plugin/);
  });
}

test("next never rejects: a throw further in arrives as an outcome", async () => {
  let seen: Outcome | undefined;
  const outer = layered("outer", "protect", async (_call, next) => (seen = await next()));
  const { kernel } = await testKernel({
    plugins: [
      outer,
      layered("inner", "shape", () => {
        throw new Error("x");
      }),
    ],
    tools: { echo: () => ({}) },
  });
  await kernel.call("echo");
  assert.equal(seen?.kind, "error");
});

test("next may be called again after it settled: that is a retry", async () => {
  let tries = 0;
  const retry = layered("retry", "execute", async (_call, next) => {
    const first = await next();
    return first.kind === "error" ? next() : first;
  });
  const { kernel } = await testKernel({
    plugins: [retry],
    tools: {
      flaky: async () => {
        if (++tries === 1) throw stateError("t/first", { what: "Not yet." });
        return { tries };
      },
    },
  });
  assert.deepEqual((await kernel.call("flaky")).data, { tries: 2 });
});

test("a second next while the first is running is an internal_error that names the plugin", async () => {
  let second: Outcome | undefined;
  const hasty = layered("hasty", "execute", async (_call, next) => {
    const first = next();
    second = await next();
    return first;
  });
  const { kernel } = await testKernel({ plugins: [hasty], tools: { slow: async () => ({ ran: true }) } });
  assert.equal((await kernel.call("slow")).kind, "ok");
  assert.equal(second?.kind === "error" && second.error.error_code, "kernel/next-overlap");
});

test("next hands other arguments, key and fence to the rings inside", async () => {
  const change = layered("change", "shape", (_call, next) => next({ args: { text: "B" }, idempotencyKey: "k2", fence: 7 }));
  const { kernel } = await testKernel({ plugins: [change], tools: { echo: ({ text }, ctx) => ({ text, key: ctx.idempotencyKey, fence: ctx.fence }) } });
  const args = { text: "a" };
  assert.deepEqual((await kernel.call("echo", args, { idempotencyKey: "k1" })).data, { text: "B", key: "k2", fence: 7 });
  assert.deepEqual(args, { text: "a" });
});

test("a layer that runs the rest under a signal of its own detaches it from the caller", async () => {
  const own = new AbortController();
  const detach = layered("detach", "reuse", (_call, next) => next({ signal: own.signal }));
  const caller = new AbortController();
  const { kernel } = await testKernel({
    plugins: [detach],
    clock: "real",
    tools: {
      slow: async () => {
        caller.abort();
        await new Promise((r) => setTimeout(r, 20));
        return { finished: true };
      },
    },
  });
  assert.deepEqual((await kernel.call("slow", {}, { signal: caller.signal })).data, { finished: true });
});

for (const answer of [undefined, null, 7, {}, { kind: "fine" }, { kind: "error" }, { kind: "error", error: { error_type: "nonsense" } }]) {
  test(`a layer that answers ${JSON.stringify(answer)} becomes an internal_error that names the plugin`, async () => {
    const { kernel } = await testKernel({ plugins: [layered("odd", "protect", () => answer as never)], tools: { echo: () => ({}) } });
    const { error } = await kernel.call("echo");
    assert.equal(error.error_code, "kernel/bad-outcome");
    assert.match(error.what_went_wrong, /plugin odd/);
  });
}

test("notes are namespaced by plugin and reach observers, also when a layer answers with an outcome of its own", async () => {
  const stored: Outcome = { kind: "ok", data: { from: "store" }, notes: { "old.note": true } };
  const cache = layered("cache", "reuse", (call) => {
    call.note("hit", true);
    return stored;
  });
  const { kernel, observed } = await testKernel({ plugins: [cache], tools: { echo: () => ({}) } });
  const outcome = await kernel.call("echo");
  assert.deepEqual(outcome.notes, { "cache.hit": true });
  assert.deepEqual(outcome.tool, { name: "echo", version: "1.0.0" });
  assert.deepEqual(observed[0]?.notes, { "cache.hit": true });
  assert.deepEqual(stored.notes, { "old.note": true });
});

test("the call is read-only and closed: no plugin can add a field", async () => {
  const adding = layered("adding", "protect", (call, next) => {
    assert.throws(() => Object.assign(call, { extra: 1 }), TypeError);
    assert.throws(() => Object.assign(call, { args: {} }), TypeError);
    return next();
  });
  const { kernel } = await testKernel({ plugins: [adding], tools: { echo: () => ({}) } });
  assert.equal((await kernel.call("echo")).kind, "ok");
});

test("observe and answer see an ask for a tool that doesn't exist, with no tool in call and outcome", async () => {
  const seen: unknown[] = [];
  const watch = (position: Position) =>
    layered(`watch-${position}`, position, (call, next) => {
      const outcome = next() as Outcome;
      seen.push([position, call.tool, call.ask.name, outcome.kind, outcome.tool]);
      return outcome;
    });
  const { kernel } = await testKernel({ plugins: [watch("observe"), watch("answer"), watch("protect")], tools: { echo: () => ({}) } });
  await kernel.call("nowhere");
  assert.deepEqual(seen, [
    ["answer", undefined, "nowhere", "error", undefined],
    ["observe", undefined, "nowhere", "error", undefined],
  ]);
});

test("a layer at an inner position sees its own section of the spec and nobody else's", async () => {
  const sections: unknown[] = [];
  const withSection = (name: string) =>
    definePlugin({
      name,
      options: {},
      create: () => ({
        name,
        position: "shape",
        section: { type: "object" },
        setup: () => ({ layer: (tool) => (call, next) => (sections.push([name, tool?.section, call.section]), next()) }),
      }),
    })();
  const { kernel, diagnostics } = await testKernel({
    plugins: [withSection("one"), withSection("two")],
    tools: { echo: { handler: () => ({}), one: { a: 1 } } },
  });
  assert.deepEqual(diagnostics, []);
  await kernel.call("echo");
  assert.deepEqual(sections, [
    ["one", { a: 1 }, { a: 1 }],
    ["two", undefined, undefined],
  ]);
});

test("a plugin whose layer hook throws while composing keeps the server from starting, named", async () => {
  const broken = definePlugin({
    name: "broken",
    options: {},
    create: () => ({
      name: "broken",
      position: "shape",
      setup: () => ({
        layer: () => {
          throw new Error("no");
        },
      }),
    }),
  });
  await assert.rejects(testKernel({ plugins: [broken()], tools: { echo: () => ({}) } }), /The plugin broken threw in layer for echo: no/);
});

test("a layer that was taken for the ring itself keeps the server from starting, with how it is written", async () => {
  for (const [layer, why] of [
    [(_call: unknown, next: () => unknown) => next(), "it takes two parameters"],
    [async () => Promise.reject(new Error("nobody waits for this")), "it gave a promise"],
    [() => ({}), "it gave a value of type object"],
    [() => null, "it gave null"],
  ] as const) {
    const plugin = { name: "p", position: "shape", setup: () => ({ layer }) } as unknown as Plugin;
    await assert.rejects(testKernel({ plugins: [plugin], tools: { echo: () => ({}) } }), (error: Error) =>
      error.message.includes(`The plugin p threw in layer for echo: ${why}. layer gives the ring of a tool, a function, or undefined for none`),
    );
  }
});

const TOOL_ERROR = {
  error_type: "input_error",
  error_code: "a/b",
  what_went_wrong: "W.",
  why_it_happened: "",
  how_to_fix: [],
  details: {},
  retry_recommended: false,
  alternative_tools: [],
  related_docs: [],
};
for (const [what, answer, words] of [
  ["data that JSON can't carry", { kind: "ok", data: { a: 1n }, notes: {} }, /an outcome that can't be sent: at data\.a, a bigint/],
  ["content that MCP doesn't know", { kind: "ok", content: [{ type: "video" }], notes: {} }, /can't be sent: at content\[0\]\.type, it must be text, image/],
  ["meta that is no object", { kind: "ok", data: 1, meta: 7, notes: {} }, /something that is no outcome/],
  ["an error without its texts", { kind: "error", error: { error_type: "input_error" }, notes: {} }, /something that is no outcome/],
  ["an error without a text", { kind: "error", error: { ...TOOL_ERROR, what_went_wrong: "" }, notes: {} }, /an error that can't be sent: what must be a text/],
  ["an error with a wait that is none", { kind: "error", error: { ...TOOL_ERROR, retry_after_seconds: -1 }, notes: {} }, /retryAfterSeconds must be a number/],
  ["a tool error", inputError("a/b", { what: "W.", cause: new Error("secret") }), /a tool error in place of its outcome\(\)/],
  [
    "an error whose details JSON can't carry",
    { kind: "error", error: { ...TOOL_ERROR, details: { f: () => 1 } }, notes: {} },
    /an outcome that can't be sent: at error\.details\.f, a function/,
  ],
] as const) {
  test(`a layer that answers with ${what} is named, and the call ends in an error that can be sent`, async () => {
    const { kernel } = await testKernel({ plugins: [layered("odd", "protect", () => answer as never)], tools: { echo: () => ({}) } });
    const { error } = await kernel.call("echo");
    assert.equal(error.error_code, "kernel/bad-outcome");
    assert.match(error.what_went_wrong, words);
    assert.match(error.what_went_wrong, /plugin odd/);
    assert.ok(JSON.stringify(error));
  });
}

test("a layer that changes only the meta of an outcome passes, and the data isn't looked at again", async () => {
  const data = { a: 1 };
  const marking = layered("marking", "shape", async (_call, next) => ({ ...(await next()), meta: { "x/y": 1 } }));
  const { kernel } = await testKernel({ plugins: [marking], tools: { echo: () => data } });
  const outcome = await kernel.call("echo");
  assert.equal(outcome.data, data);
  assert.deepEqual(outcome.meta, { "x/y": 1 });
});

test("a layer that hands on arguments that are no object is named, and the handler isn't blamed", async () => {
  const { kernel } = await testKernel({
    plugins: [layered("odd", "shape", (_call, next) => next({ args: 5 as never }))],
    tools: { echo: ({ text }) => ({ text }) },
  });
  const { error } = await kernel.call("echo");
  assert.deepEqual([error.error_code, error.details["plugin"]], ["kernel/bad-change", "odd"]);
});

test("what a plugin throws is logged with the call's arguments and the asked name blanked", async () => {
  const secret = "hunter2-password";
  const leaking = layered("leaking", "shape", async (call) => {
    throw new Error(`ring ${call.args["text"]}`);
  });
  const resolving = layered("resolving", "observe", (_call, next) => next(), {
    resolveTool: (ask, next) => {
      if (ask.name !== "echo") throw new Error(`no ${ask.name} for ${ask.args["text"]}`);
      return next();
    },
  });
  const { kernel, logs } = await testKernel({ plugins: [leaking, resolving], tools: { echo: () => ({}) } });
  await kernel.call("echo", { text: secret });
  await kernel.call("secret-tool-name", { text: secret });
  assert.equal(logs.length, 2);
  assert.doesNotMatch(JSON.stringify(logs), /hunter2|secret-tool/);
  assert.match(JSON.stringify(logs), /ring \[argument\]/);
});

test("note works also when it is taken off the call", async () => {
  const { kernel } = await testKernel({ plugins: [layered("taking", "shape", ({ note }, next) => (note("a", 1), next()))], tools: { echo: () => ({}) } });
  assert.deepEqual((await kernel.call("echo")).notes, { "taking.a": 1 });
});
