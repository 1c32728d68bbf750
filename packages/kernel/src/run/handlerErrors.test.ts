import assert from "node:assert/strict";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import { definePlugin, externalError, type Handler, inputError, internalError, rateLimitError, resourceError, result, toolErrorFrom } from "@fettle/contract";
import { testKernel } from "@fettle/testkit";

/** A plugin around the handler: what goes wrong inside must not be put down to it. */
const bystander = definePlugin({
  name: "bystander",
  options: {},
  create: () => ({ name: "bystander", position: "observe", setup: () => ({ layer: () => (_call, next) => next() }) }),
});

async function run(handler: unknown, args = {}, spec = {}) {
  const { kernel, logs } = await testKernel({ plugins: [bystander()], tools: { t: { ...spec, handler: handler as Handler } } });
  const outcome = await kernel.call("t", args);
  return { outcome, logs };
}

const throwing = (value: unknown) => () => {
  throw value;
};

const circular = (): Error => {
  const error = new Error("round");
  error.cause = new Error("and round", { cause: error });
  return error;
};
const endless = (): Error => {
  let error = new Error("the first");
  for (let i = 0; i < 100_000; i += 1) error = new Error(`number ${i}`, { cause: error });
  return error;
};
const hostile = (): unknown =>
  new Proxy(new Error("x"), {
    get: () => {
      throw new Error("trap");
    },
    getPrototypeOf: () => {
      throw new Error("trap");
    },
  });
const group = (): Error => new AggregateError([new Error("one of two"), circular()], "both failed");

for (const [what, make] of Object.entries({ circular, endless, hostile, group })) {
  for (const [how, handler] of [
    ["at once", () => throwing(make())()],
    ["later", async () => throwing(make())()],
    ["as a cause", () => throwing(internalError("t/x", { what: "W.", cause: make() }))()],
  ] as const) {
    test(`an error that is ${what}, thrown ${how}, is logged once, in few words, and put down to the handler`, async () => {
      const { outcome, logs } = await run(handler);
      assert.equal(outcome.error.error_code, how === "as a cause" ? "t/x" : "kernel/handler-threw");
      assert.deepEqual([logs.length, logs[0]?.level], [1, "error"]);
      assert.ok(JSON.stringify(logs).length < 100_000);
      assert.doesNotMatch(logs[0]?.message ?? "", /bystander/);
    });
  }
}

test("the members of an error that stands for several are logged, and a circle is named", async () => {
  const { logs } = await run(throwing(group()));
  const text = JSON.stringify(logs);
  for (const part of [/both failed/, /one of two/, /and round/, /go in a circle/]) assert.match(text, part);
});

test("what isn't an error is logged so that it can be told", async () => {
  class Refusal {
    status = 418;
    body = { much: "more" };
  }
  for (const [value, name, message] of [
    [new Refusal(), "Refusal", "{ status: 418, body: {...} }"],
    [null, "null", "null"],
    [undefined, "undefined", "undefined"],
    ["a text", "string", "a text"],
    [Symbol("s"), "symbol", "Symbol(s)"],
    [Object.create(null), "object", "{  }"],
  ] as const) {
    const { logs } = await run(throwing(value));
    assert.deepEqual([logs[0]?.fields["error_name"], logs[0]?.fields["error_message"]], [name, message]);
  }
});

test("long texts are cut in the log, and no argument shows at the cut, nor in a name or code", async () => {
  const secret = "s3cret-".repeat(2_000);
  for (const message of ["x".repeat(5_000_000), `${"x".repeat(30_000)}${secret}`, `${secret}${secret}${secret}`]) {
    const error = Object.assign(new Error(message), { name: `E ${secret}`, code: secret });
    const { logs } = await run(throwing(error), { secret }, { parameters: { type: "object", properties: { secret: { type: "string" } } } });
    const text = JSON.stringify(logs);
    assert.ok(text.length < 40_000, String(text.length));
    assert.doesNotMatch(text, /s3cret/);
  }
});

const leaky = (): Error => Object.assign(new Error("at /srv/secret"), { code: "ENOENT", path: "/srv/secret" });

for (const [how, handler] of [
  ["returned", () => toolErrorFrom(leaky(), { doing: "read it" })],
  ["returned later", async () => toolErrorFrom(leaky(), { doing: "read it" })],
  ["returned as data", () => result({ data: toolErrorFrom(leaky(), { doing: "read it" }) as never })],
] as const) {
  test(`a tool error that is ${how} counts as thrown, and its cause stays here`, async () => {
    const { outcome } = await run(handler);
    assert.equal(outcome.error.error_code, "system/not-found");
    assert.doesNotMatch(JSON.stringify(outcome), /secret/);
  });
}

test("any other error in a result is a fault that names its place, and nothing of it is sent", async () => {
  for (const [returned, place] of [
    [leaky(), "(the whole result)"],
    [{ list: [leaky()] }, "list[0]"],
    [{ failed: toolErrorFrom(leaky(), { doing: "x" }) }, "failed"],
    [result({ data: { e: leaky() } as never }), "e"],
  ] as const) {
    const { outcome } = await run(() => returned);
    assert.equal(outcome.error.error_code, "kernel/bad-result");
    assert.equal(outcome.error.details["path"], place);
    assert.doesNotMatch(JSON.stringify(outcome), /secret/);
  }
});

test("the JSON of a tool error is what goes out, without its cause", () => {
  assert.deepEqual(JSON.parse(JSON.stringify(toolErrorFrom(leaky(), { doing: "x" }))), toolErrorFrom(leaky(), { doing: "x" }).toToolError());
});

for (const [options, problem] of [
  [{}, /what must be a text/],
  [{ what: "" }, /what must be a text/],
  [{ what: 7 }, /what must be a text/],
  [{ what: "W.", why: {} }, /why must be a text/],
  [undefined, /what must be a text/],
  ["There is none.", /what must be a text/],
  [{ what: " \n" }, /what must be a text/],
  [{ what: "W.", fix: {} }, /fix must be a text or a list of texts/],
  [{ what: "W.", fix: ["a", 7] }, /fix must be a text or a list of texts/],
  [{ what: "W.", retry: "yes" }, /retry must be true or false/],
  [{ what: "W.", alternativeTools: "other" }, /alternativeTools must be a list/],
  [{ what: "W.", relatedDocs: [null] }, /relatedDocs must be a list/],
] as const) {
  test(`a tool error with ${JSON.stringify(options)} is a fault of the handler, and the log says what is wrong with it`, async () => {
    const { outcome, logs } = await run(() => throwing(inputError("t/x", options as never))());
    assert.equal(outcome.error.error_code, "kernel/handler-threw");
    assert.deepEqual([logs.length, logs[0]?.fields["tool"]], [1, "t"]);
    assert.match(logs[0]?.message ?? "", problem);
  });
}

test("so is one without a code, or with one past all measure", async () => {
  for (const code of [undefined, "", 7, "x".repeat(1_000), "There is none.", "t/x\nsecond-line"]) {
    const { outcome, logs } = await run(() => throwing(inputError(code as never, { what: "W." }))());
    assert.equal(outcome.error.error_code, "kernel/handler-threw");
    assert.match(logs[0]?.message ?? "", /its code must be a text/);
  }
});

test("a fix of nothing is none, and a wait that is none is left out and logged", async () => {
  for (const fix of [null, "", [""]]) {
    const { outcome } = await run(() => throwing(inputError("t/x", { what: "W.", fix: fix as never }))());
    assert.deepEqual(outcome.error.how_to_fix, []);
  }
  for (const wait of [Number.NaN, -1, Number.POSITIVE_INFINITY, "5"]) {
    const { outcome, logs } = await run(() => throwing(rateLimitError("t/x", { what: "W.", retryAfterSeconds: wait as never }))());
    assert.deepEqual([outcome.error.error_code, outcome.error.retry_after_seconds], ["t/x", undefined]);
    assert.deepEqual(logs[0]?.fields["left_out"], ["retryAfterSeconds, since it is no number from 0 on"]);
  }
});

for (const [what, value] of [
  ["a proxy", new Proxy({}, { get: throwing(new Error("trap")), getPrototypeOf: throwing(new Error("trap")) })],
  // biome-ignore lint/suspicious/noThenProperty: what a handler returns may have one
  ["a value whose then throws", Object.defineProperty({}, "then", { get: throwing(new Error("then")) })],
] as const) {
  test(`a handler that returns ${what} is named itself`, async () => {
    const { outcome, logs } = await run(() => value);
    assert.equal(outcome.error.error_code, "kernel/handler-threw");
    assert.deepEqual([logs.length, logs[0]?.message], [1, "the handler of t threw"]);
  });
}

test("a fault of the server without a cause reaches the log once too", async () => {
  const { logs } = await run(throwing(internalError("t/x", { what: "W." })));
  assert.deepEqual(
    logs.map(({ level, message, fields }) => [level, message, fields["tool_error"]]),
    [["error", "t failed: t/x", "t/x"]],
  );
});

test("a spread tool error holds no cause", async () => {
  const { kernel } = await testKernel({
    tools: { t: () => ({ failed: { ...inputError("t/x", { what: "W.", cause: { authorization: "s3cret" } }) } }) as never },
  });
  assert.doesNotMatch(JSON.stringify(await kernel.call("t", {})), /s3cret/);
});

test("an error of another realm is one, in a result and in the log", async () => {
  const foreign = () => runInNewContext("Object.assign(new Error('at /srv/secret'), { path: '/srv/secret' })");
  const { outcome } = await run(() => ({ list: [foreign()] }));
  assert.deepEqual([outcome.error.error_code, outcome.error.details["path"]], ["kernel/bad-result", "list[0]"]);
  const { logs } = await run(throwing(foreign()));
  assert.deepEqual([logs[0]?.fields["error_name"], logs[0]?.fields["error_message"]], ["Error", "at /srv/secret"]);
});

test("of an error whose getters throw the rest is logged, and of a long message the frames of its stack", async () => {
  const odd = Object.defineProperty(new Error("told"), "code", { get: throwing(new Error("trap")) });
  assert.equal((await run(throwing(odd))).logs[0]?.fields["error_message"], "told");
  const [line] = (await run(throwing(new Error("x".repeat(1_000_000))))).logs;
  assert.match(String(line?.fields["error_message"]), /x\.\.\. \(cut: these are the first 4000 of 1000000 characters\)$/);
  assert.match(String(line?.fields["error_stack"]), /^Error: \.\.\.\n +at .*handlerErrors/);
});

test("members of an error that stands for more than are told are counted", async () => {
  const many = new AggregateError(Array.from({ length: 1_000 }, (_, i) => new Error(`number ${i}`)));
  assert.match(JSON.stringify((await run(throwing(many))).logs), /\(and 992 more\)/);
});

test("what the user answered is blanked as arguments are", async () => {
  const { kernel, logs } = await testKernel({ tools: { t: (_args, ctx) => throwing(new Error(`bad: ${JSON.stringify(ctx.inputs)}`))() } });
  await kernel.call({ name: "t", args: {}, inputs: { confirm: { token: "s3cret-token" } } } as never);
  assert.equal(logs[0]?.fields["error_message"], 'bad: {"confirm":{"token":"[argument]"}}');
});

test("arguments of very many strings are blanked in a moment, or the text is left out", async () => {
  const list = Array.from({ length: 60_000 }, (_, i) => `secret-${String(i).padStart(6, "0")}`);
  const parameters = { type: "object", properties: { list: { type: "array", items: { type: "string" } } } };
  const { logs } = await run((args: { list: string[] }) => throwing(new Error(`bad: ${args.list.join()}`))(), { list }, { parameters });
  assert.equal(logs[0]?.fields["error_message"], "(left out: too many strings of the arguments may be in it)");
  const few = await run((args: { list: string[] }) => throwing(new Error(`bad: ${args.list[77]}, of all`))(), { list }, { parameters });
  assert.equal(few.logs[0]?.fields["error_message"], "bad: [argument], of all");
});

test("errors with a cause are as loud in the log as their type", async () => {
  const cause = new Error("behind");
  for (const [error, level] of [
    [internalError("t/x", { what: "W.", cause }), "error"],
    [externalError("t/x", { what: "W.", cause }), "warn"],
    [resourceError("t/x", { what: "W.", cause }), "info"],
  ] as const) {
    const { logs } = await run(throwing(error));
    assert.deepEqual([logs.length, logs[0]?.level], [1, level]);
  }
});

test("what a handler makes of its own abort adds no second line to the log", async () => {
  const handler: Handler = async (_args, ctx) => {
    await new Promise((_, reject) => ctx.signal.addEventListener("abort", () => reject(ctx.signal.reason))).catch((error: unknown) => {
      throw toolErrorFrom(error, { doing: "wait" });
    });
    return {};
  };
  const { kernel, logs, clock } = await testKernel({ tools: { t: { timeout_ms: 20, handler } } });
  const running = kernel.call("t", {});
  clock.tick(20);
  assert.equal((await running).error.error_code, "kernel/deadline-exceeded");
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(
    logs.map(({ level, message }) => [level, message]),
    [["error", "t failed: kernel/deadline-exceeded"]],
  );
});

test("a call that a ring runs under a signal of its own ends by the call's own code too", async () => {
  const ring = definePlugin({
    name: "ring",
    options: {},
    create: () => ({
      name: "ring",
      position: "execute",
      setup: () => ({ layer: () => (call, next) => next({ signal: AbortSignal.any([call.signal, new AbortController().signal]) }) }),
    }),
  });
  const handler: Handler = async (_args, ctx) => {
    await new Promise((_, reject) => ctx.signal.addEventListener("abort", () => reject(ctx.signal.reason))).catch((error: unknown) => {
      throw toolErrorFrom(error, { doing: "wait" });
    });
    return {};
  };
  const { kernel, logs, clock } = await testKernel({ plugins: [ring()], tools: { t: { timeout_ms: 20, handler } } });
  const running = kernel.call("t", {});
  clock.tick(20);
  assert.equal((await running).error.error_code, "kernel/deadline-exceeded");
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(logs.length, 1);
});
