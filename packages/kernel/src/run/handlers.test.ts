import assert from "node:assert/strict";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import { externalError, rateLimitError, resourceError, result } from "@fettle/contract";
import { testKernel } from "@fettle/testkit";

const run = async (handler: (args: never, ctx: never) => unknown, args = {}, more = {}) => {
  const bench = await testKernel({ tools: { t: { handler: handler as never, ...more } } });
  return { ...bench, outcome: await bench.kernel.call("t", args) };
};

test("plain data is the outcome's data, as the very object where it is JSON already", async () => {
  const data = { list: [1, "a", null, { b: true }] };
  const { outcome } = await run(() => data);
  assert.equal(outcome.kind, "ok");
  assert.equal(outcome.data, data);
});

test("a text is one text block and no data", async () => {
  const { outcome } = await run(() => "hello");
  assert.deepEqual([outcome.data, outcome.content], [undefined, [{ type: "text", text: "hello" }]]);
});

test("result carries every kind of content beside data", async () => {
  const content = [
    { type: "text" as const, text: "t" },
    { type: "image" as const, data: "aGk=", mimeType: "image/png" },
    { type: "audio" as const, data: "aGk=", mimeType: "audio/wav" },
    { type: "resource_link" as const, uri: "file:///a", name: "a" },
    { type: "resource" as const, resource: { uri: "file:///b", text: "b" } },
  ];
  const { outcome } = await run(() => result({ content, data: { n: 1 }, meta: { "x/y": 1 } }));
  assert.deepEqual([outcome.content, outcome.data, outcome.meta], [content, { n: 1 }, { "x/y": 1 }]);
});

test("result with content alone has no data", async () => {
  const { outcome } = await run(() => result({ content: [{ type: "text", text: "t" }] }));
  assert.equal(outcome.data, undefined);
});

test("members that are undefined are left out, and a Date becomes its text", async () => {
  const { outcome } = await run(() => ({ a: undefined, at: new Date(0), deep: { b: undefined, c: [new URL("https://example.org/")] } }));
  assert.deepEqual(outcome.data, { at: "1970-01-01T00:00:00.000Z", deep: { c: ["https://example.org/"] } });
});

test("an object of a class is taken as its members, and a member called __proto__ stays one", async () => {
  class Point {
    x = 1;
  }
  const { outcome } = await run(() => ({ p: new Point(), q: JSON.parse('{"__proto__": {"a": 1}, "u": 2}') }));
  assert.deepEqual(JSON.parse(JSON.stringify(outcome.data)), JSON.parse('{"p": {"x": 1}, "q": {"__proto__": {"a": 1}, "u": 2}}'));
});

const cyclic: Record<string, unknown> = { a: {} };
(cyclic["a"] as Record<string, unknown>)["back"] = cyclic;
const deep: Record<string, unknown> = {};
let tail = deep;
for (let i = 0; i < 20_000; i++) tail = tail["n"] = {} as Record<string, unknown>;
for (const [name, value, expected] of [
  ["a cycle", cyclic, /at a\.back, it refers back to something that it is part of/],
  ["a BigInt", { sizes: [1, 2n] }, /at sizes\[1\], a bigint is no JSON value/],
  ["a function", { f: () => 1 }, /at f, a function is no JSON value/],
  ["a symbol", { s: Symbol("x") }, /at s, a symbol is no JSON value/],
  ["NaN", { n: Number.NaN }, /at n, NaN is no JSON number/],
  ["undefined in a list", { l: [undefined] }, /at l\[0\], undefined is no JSON value/],
  ["a Map", { m: new Map() }, /at m, a Map is no JSON value/],
  ["a Buffer", { b: new Uint8Array(2) }, /at b, a Uint8Array is no JSON value/],
  ["a promise", { p: Promise.resolve(1) }, /at p, a Promise is no JSON value; await it/],
  ["a response", { r: new Response("x") }, /at r, a Response is no JSON value; turn it into/],
  ["a pattern", { list: [/a/] }, /at list\[0\], a RegExp is no JSON value/],
  ["a text in a box", { t: Object("x") }, /at t, a String is no JSON value/],
  ["a number in a box", { n: Object(1) }, /at n, a Number is no JSON value/],
  ["a buffer", { b: new ArrayBuffer(2) }, /at b, an ArrayBuffer is no JSON value/],
  ["a generator", (function* () {})(), /at \(the whole result\), a Generator is no JSON value/],
  ["20,000 levels", deep, /nested more than 512 levels/],
  [
    "a toJSON that throws",
    {
      d: {
        toJSON: () => {
          throw new Error("secret");
        },
      },
    },
    /a getter or toJSON of the result threw/,
  ],
] as const) {
  test(`a result with ${name} is an internal_error that names the place and blames the server`, async () => {
    const { outcome } = await run(() => value);
    assert.equal(outcome.error.error_code, "kernel/bad-result");
    assert.match(outcome.error.what_went_wrong, expected);
    assert.match(outcome.error.how_to_fix[0] ?? "", /fault of the server/);
    assert.equal(outcome.error.retry_recommended, false);
  });
}

for (const [name, value] of [
  ["undefined", undefined],
  ["an empty result", result({})],
] as const) {
  test(`a handler that returns ${name} is told so`, async () => {
    const { outcome } = await run(() => value);
    assert.equal(outcome.error.error_code, "kernel/no-result");
    assert.match(outcome.error.what_went_wrong, /returned nothing/);
  });
}

test("a thrown tool error goes out as it is, whether thrown at once or later", async () => {
  for (const handler of [
    () => {
      throw resourceError("t/none", {
        what: "There is no such thing.",
        why: "it was never there",
        fix: ["Look.", "Call again."],
        details: { near: ["a"] },
        alternativeTools: ["u"],
        relatedDocs: ["d"],
      });
    },
    async () => {
      throw resourceError("t/none", {
        what: "There is no such thing.",
        why: "it was never there",
        fix: ["Look.", "Call again."],
        details: { near: ["a"] },
        alternativeTools: ["u"],
        relatedDocs: ["d"],
      });
    },
  ]) {
    const { outcome } = await run(handler);
    assert.deepEqual(outcome.error, {
      error_type: "resource_error",
      error_code: "t/none",
      what_went_wrong: "There is no such thing.",
      why_it_happened: "it was never there",
      how_to_fix: ["Look.", "Call again."],
      details: { near: ["a"] },
      retry_recommended: false,
      alternative_tools: ["u"],
      related_docs: ["d"],
    });
  }
});

test("a tool error of another copy of the contract is known all the same", async () => {
  const foreign = Object.assign(new Error("gone"), {
    isFettleToolError: true,
    toToolError: () => ({
      error_type: "resource_error",
      error_code: "x/gone",
      what_went_wrong: "Gone.",
      why_it_happened: "",
      how_to_fix: [],
      details: {},
      retry_recommended: false,
      alternative_tools: [],
      related_docs: [],
    }),
  });
  const { outcome } = await run(() => {
    throw foreign;
  });
  assert.equal(outcome.error.error_code, "x/gone");
});

test("retry advice has its default by type, and by whether the tool may be repeated", async () => {
  const advice = async (handler: () => never, more = {}) => (await run(handler, {}, more)).outcome.error.retry_recommended;
  const external = (): never => {
    throw externalError("t/down", { what: "Down." });
  };
  assert.equal(
    await advice(() => {
      throw rateLimitError("t/much", { what: "Too much." });
    }),
    true,
  );
  assert.equal(await advice(external), false);
  assert.equal(await advice(external, { effects: { read_only: true } }), true);
  assert.equal(
    await advice(
      () => {
        throw externalError("t/down", { what: "Down.", retry: false });
      },
      { effects: { read_only: true } },
    ),
    false,
  );
});

test("anything else that is thrown is an internal_error whose message stays in the log, with the arguments blanked", async () => {
  const secret = "hunter2-hunter2";
  const { outcome, logs } = await run(
    (({ password }: { password: string }) => {
      throw Object.assign(new Error(`login with ${password} failed at /srv/app`, { cause: new Error(`inner ${password}`) }), { code: "EAUTH" });
    }) as never,
    { password: secret },
  );
  assert.equal(outcome.error.error_type, "internal_error");
  assert.equal(outcome.error.error_code, "kernel/handler-threw");
  assert.doesNotMatch(JSON.stringify(outcome), /hunter2|srv|login/);
  const [entry] = logs.filter(({ level }) => level === "error");
  assert.match(String(entry?.fields["error_message"]), /login with \[argument\] failed at \/srv\/app/);
  assert.equal(entry?.fields["error_code"], "EAUTH");
  assert.doesNotMatch(JSON.stringify(logs), /hunter2/);
  assert.equal(entry?.fields["call_id"], outcome.error.details["call_id"]);
});

for (const value of ["a text", undefined, null, 7, { not: "an error" }]) {
  test(`a handler that throws ${JSON.stringify(value)} is an internal_error`, async () => {
    const { outcome } = await run(async () => {
      throw value;
    });
    assert.equal(outcome.error.error_code, "kernel/handler-threw");
  });
}

test("a thenable that calls back and then throws is taken at its word, and no plugin is blamed", async () => {
  const odd = {
    // biome-ignore lint/suspicious/noThenProperty: the very thing that is tested
    then(resolve: (value: object) => void) {
      resolve({ n: 1 });
      throw new Error("late");
    },
  };
  const { outcome } = await run(() => odd);
  assert.deepEqual(outcome.data, { n: 1 });
});

test("what caused a thrown tool error is logged, with the arguments blanked, and not sent", async () => {
  const { outcome, logs } = await run(
    (({ user }: { user: string }) => {
      throw resourceError("t/none", { what: "None.", cause: new Error(`no ${user} in /srv/data`) });
    }) as never,
    { user: "ann-of-somewhere" },
  );
  assert.doesNotMatch(JSON.stringify(outcome), /srv/);
  assert.deepEqual(
    [logs.length, logs[0]?.level, logs[0]?.fields["tool_error"], logs[0]?.fields["error_message"]],
    [1, "info", "t/none", "no [argument] in /srv/data"],
  );
});

test("a thrown tool error whose details JSON can't carry goes out without them, and the log says so", async () => {
  const { outcome, logs } = await run(() => {
    throw resourceError("t/none", { what: "None.", details: { n: 1n as never } });
  });
  assert.deepEqual([outcome.error.error_code, outcome.error.details], ["t/none", {}]);
  assert.deepEqual(logs[0]?.fields["left_out"], ["details, since at n, a bigint is no JSON value"]);
});

for (const [value, words] of [
  [{ content: "text" }, /at content, it must be a list of content blocks/],
  [{ content: ["text"] }, /at content\[0\], it must be an object whose type is text, image/],
  [{ content: [{ type: "video" }] }, /at content\[0\]\.type, it must be text, image/],
  [{ content: [{ type: "text" }] }, /at content\[0\]\.text, it must be a text/],
  [
    {
      content: [
        { type: "text", text: "t" },
        { type: "image", data: "aGk=" },
      ],
    },
    /at content\[1\]\.mimeType, it must be a text/,
  ],
  [{ content: [{ type: "resource_link", uri: "notes.md", name: "n" }] }, /at content\[0\]\.uri, it must be an absolute URI/],
  [{ content: [{ type: "resource", resource: { uri: "file:///a" } }] }, /at content\[0\]\.resource\.text, it must be a text/],
  [{ content: [{ type: "resource", resource: "file:///a" }] }, /at content\[0\]\.resource, it must be an object/],
  [{ content: [], meta: 5 }, /at meta, it must be an object/],
] as const) {
  test(`${JSON.stringify(value)} is no result, and the log has the call and the place`, async () => {
    const { outcome, logs } = await run(() => result(value as never));
    assert.equal(outcome.error.error_code, "kernel/bad-result");
    assert.match(outcome.error.what_went_wrong, words);
    assert.deepEqual([logs.length, logs[0]?.fields["call_id"], logs[0]?.fields["path"]], [1, outcome.error.details["call_id"], outcome.error.details["path"]]);
  });
}

test("objects of a class, of another realm and without a prototype are objects", async () => {
  class Point {
    readonly x = 1;
  }
  const { outcome } = await run(() => ({ point: new Point(), foreign: runInNewContext("({ a: {}, b: [] })"), bare: Object.create(null), when: new Date(0) }));
  assert.deepEqual(JSON.parse(JSON.stringify(outcome.data)), { point: { x: 1 }, foreign: { a: {}, b: [] }, bare: {}, when: "1970-01-01T00:00:00.000Z" });
});

for (const [what, value, words] of [
  ["meta", result({ data: 1, meta: { n: 1n as never } }), /at meta\.n, a bigint/],
  ["content", result({ content: [{ type: "text", text: "t", _meta: { f: (() => 1) as never } }] }), /at content\[0\]\._meta\.f, a function/],
] as const) {
  test(`a result whose ${what} JSON can't carry is an internal_error that names the place`, async () => {
    const { outcome } = await run(() => value);
    assert.match(outcome.error.what_went_wrong, words);
  });
}

test("the context gives what a handler may use", async () => {
  const { kernel, logs } = await testKernel({
    env: { ROOT: "/data" },
    caller: { tenant: "t", principal: "p", scopes: ["s"] },
    tools: {
      t: (_args, ctx) => {
        ctx.progress(1, 2, "half");
        ctx.log.info("working", { n: 1 });
        ctx.log.debug("d");
        ctx.log.warn("w");
        ctx.log.error("e");
        return {
          caller: ctx.caller,
          tool: ctx.tool,
          env: ctx.env["ROOT"],
          id: ctx.callId,
          again: ctx.callId,
          aborted: ctx.signal.aborted,
          left: ctx.deadline - Date.UTC(2026, 0, 1),
        };
      },
    },
  });
  const progress: unknown[] = [];
  const lines: unknown[] = [];
  const { data } = await kernel.call("t", {}, { onProgress: (...said) => progress.push(said), onLog: (...said) => lines.push(said) });
  assert.deepEqual(
    { ...data, id: undefined, again: undefined },
    {
      caller: { tenant: "t", principal: "p", scopes: ["s"] },
      tool: { name: "t", version: "1.0.0" },
      env: "/data",
      aborted: false,
      left: 60_000,
      id: undefined,
      again: undefined,
    },
  );
  assert.equal(data.id, data.again);
  assert.deepEqual(progress, [[1, 2, "half"]]);
  assert.deepEqual(
    lines.map((line) => (line as unknown[])[0]),
    ["info", "debug", "warning", "error"],
  );
  assert.deepEqual(
    logs.map(({ level, message }) => [level, message]),
    [
      ["info", "working"],
      ["debug", "d"],
      ["warn", "w"],
      ["error", "e"],
    ],
  );
});
