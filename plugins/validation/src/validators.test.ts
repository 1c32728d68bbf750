import assert from "node:assert/strict";
import { test } from "node:test";
import { type JsonObject, renderToolError } from "@fettle/contract";
import { checkPluginLaws, type TestBench, type TestOutcome, testKernel } from "@fettle/testkit";
import validation, { type ValidationOptions, type Validator } from "./index.js";

const parameters = {
  type: "object",
  additionalProperties: false,
  properties: {
    iban: { type: ["string", "null"] },
    since: { type: "string" },
    limit: { type: "integer", default: 20 },
    ship_to: { type: "object", properties: { zip: { type: "string" }, "post code": { type: "string" } } },
    items: { type: "array", items: { type: "object", properties: { iban: { type: "string" }, rows: { type: "array", items: { type: "array" } } } } },
  },
};

/** A kernel with one tool, `pay`, that gives back its arguments, and validators by the names of their fields. */
async function bench(
  fields: Readonly<Record<string, Validator<never>>>,
  options: Partial<ValidationOptions> = {},
  tool: JsonObject = {},
): Promise<TestBench & { pay(args: JsonObject): Promise<TestOutcome>; runs(): number }> {
  const names = Object.keys(fields).map((_, i) => `v${i}`);
  const validators = Object.fromEntries(Object.values(fields).map((validator, i) => [`v${i}`, validator]));
  const section = { fields: Object.fromEntries(Object.keys(fields).map((field, i) => [field, names[i] ?? ""])) };
  let runs = 0;
  const handler = (args: JsonObject): JsonObject => {
    runs += 1;
    return { args };
  };
  const made = await testKernel({
    plugins: [validation({ validators: validators as ValidationOptions["validators"], ...options })],
    tools: { pay: { parameters, handler, validation: section, ...tool } },
  });
  assert.deepEqual(made.diagnostics, []);
  return { ...made, pay: (args) => made.kernel.call("pay", args), runs: () => runs };
}

const isDigits: Validator<string> = (value) => (/^\d+$/.test(value) ? undefined : { message: `must be digits, got ${value}`, fix: "Leave blanks out" });

test("what validators say goes into the list of the schema's problems, and the tool isn't run", async () => {
  const { pay, runs, logs } = await bench({ iban: isDigits, "items[].iban": () => "is blocked", "ship_to.zip": () => ({ message: "isn't a place." }) });
  const { error } = await pay({ iban: "a b", limit: "x", brnch: 1, ship_to: { zip: "0" }, items: [{ iban: "1" }, {}, { iban: "2" }] });
  assert.equal(
    renderToolError(error),
    [
      "pay was not run: 6 problems with its arguments.",
      "- unknown argument brnch. Allowed here: iban, since, limit, ship_to, items",
      '- limit: expected integer, got string "x"',
      "- iban: must be digits, got a b. Leave blanks out",
      "- items[0].iban: is blocked",
      "- items[2].iban: is blocked",
      "- ship_to.zip: isn't a place.",
      "Send the call again with these mended.",
    ].join("\n"),
  );
  assert.deepEqual((error.details["problems"] as unknown[]).at(2), {
    path: "iban",
    keyword: "custom",
    message: "iban: must be digits, got a b. Leave blanks out",
  });
  assert.equal(error.error_code, "validation/invalid-arguments");
  assert.equal(runs(), 0);
  assert.deepEqual(logs, []);
});

for (const fine of [undefined, null, true] as const) {
  test(`${fine} is fine, at once and later`, async () => {
    const { kernel } = await bench({ iban: () => fine, since: () => fine });
    const outcome = kernel.call({ name: "pay", args: { iban: "1", since: "2" } });
    assert.ok(!(outcome instanceof Promise), "answering at once takes no promise");
    assert.equal(outcome.kind, "ok");
    const later = await bench({ iban: async () => fine, since: () => fine });
    assert.equal((await later.pay({ iban: "1", since: "2" })).kind, "ok");
  });
}

test("fields are found in members with any name, in items and in items of items", async () => {
  const seen: unknown[] = [];
  const see: Validator<unknown> = (value, { path }) => void seen.push([path, value]);
  const { pay } = await bench({ 'ship_to["post code"]': see, "items[].rows[][]": see });
  await pay({ ship_to: { "post code": "x" }, items: [{ rows: [[1], [2, { a: 3 }]] }, { rows: [] }] });
  assert.deepEqual(seen, [
    ['ship_to["post code"]', "x"],
    ["items[0].rows[0][0]", 1],
    ["items[0].rows[1][0]", 2],
    ["items[0].rows[1][1]", { a: 3 }],
  ]);
});

test("what isn't there, is null or doesn't fit the schema isn't looked at", async () => {
  const seen: unknown[] = [];
  const see: Validator<unknown> = (_, { path }) => void seen.push(path);
  const { pay } = await bench({ iban: see, since: see, ship_to: see, "ship_to.zip": see, "items[]": see, "items[].iban": see });
  assert.equal((await pay({ iban: null })).kind, "ok");
  assert.deepEqual(seen, []);
  await pay({ since: 5, ship_to: { zip: 5 }, items: [{ iban: "1" }, { iban: 1 }, 3] });
  assert.deepEqual(seen, ["items[0]", "items[0].iban"]);
});

test("a validator sees mended arguments with their defaults, and what it is told about", async () => {
  const seen: unknown[] = [];
  const { pay } = await bench({ limit: (value, { path, args, tool }) => void seen.push(value, path, args, tool) });
  await pay({ since: "a" });
  await pay({ limit: "5" });
  const tool = { name: "pay", version: "1.0.0" };
  assert.deepEqual(seen, [20, "limit", { since: "a", limit: 20 }, tool, 5, "limit", { limit: 5 }, tool]);
});

test("no validator can change the arguments", async () => {
  const given = { ship_to: { zip: "1" }, items: [{ iban: "1" }], iban: "2" };
  const before = structuredClone(given);
  const { pay, logs } = await bench({
    ship_to: (value: { zip: string }) => {
      assert.throws(() => Object.assign(value, { zip: "9" }), TypeError);
      return undefined;
    },
    iban: (_: string, { args }) => {
      assert.throws(() => (args["items"] as unknown[]).push(1), TypeError);
      assert.throws(() => Object.assign(args, { iban: "9" }), TypeError);
      return undefined;
    },
  });
  assert.deepEqual(await pay(given).then((outcome) => outcome.kind === "ok" && outcome.data), { args: { ...before, limit: 20 } });
  assert.deepEqual(given, before);
  assert.ok(!Object.isFrozen(given) && !Object.isFrozen(given.ship_to), "the caller's own arguments aren't frozen");
  assert.deepEqual(logs, []);
});

test("validators that answer later are told in order, all at once", async () => {
  let release: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { pay } = await bench({
    iban: async () => {
      await gate;
      return "first";
    },
    since: async () => {
      release();
      return "second";
    },
    limit: () => "third",
  });
  const { error } = await pay({ iban: "1", since: "2", limit: 3 });
  assert.match(error.what_went_wrong, /3 problems.*\n- iban: first\n- since: second\n- limit: third$/);
});

test("no more than sixteen validators of a call are at work at once, and no more are asked than problems are told", async () => {
  let atWork = 0;
  let most = 0;
  let asked = 0;
  const { pay } = await bench({
    "items[]": async () => {
      asked += 1;
      atWork += 1;
      most = Math.max(most, atWork);
      await new Promise((resolve) => setImmediate(resolve));
      atWork -= 1;
      return asked > 100 ? undefined : "no";
    },
  });
  const { error } = await pay({ items: Array.from({ length: 1_000 }, () => ({})) });
  assert.equal(most, 16);
  assert.ok(asked < 60, `${asked} were asked`);
  assert.match(error.what_went_wrong, /more than 20 problems/);
  let sync = 0;
  const atOnce = await bench({
    "items[]": () => {
      sync += 1;
      return "no";
    },
  });
  await atOnce.pay({ items: Array.from({ length: 1_000 }, () => ({})) });
  assert.equal(sync, 21);
});

test("a text of many lines is one line, and a long one is cut", async () => {
  const { pay } = await bench({ iban: () => "a\n- limit: fake\u0000\u2028b", since: () => "x".repeat(1_000_000) });
  const { error } = await pay({ iban: "1", since: "2" });
  const lines = error.what_went_wrong.split("\n");
  assert.equal(lines[1], "- iban: a - limit: fake b");
  assert.equal(lines.length, 3);
  assert.ok((lines[2] ?? "").length <= 402);
});

const never = new Promise<never>(() => undefined);
const failing: readonly [name: string, did: RegExp, validator: Validator<never>][] = [
  [
    "throws",
    /^the validator v0 of items\[0\]\.iban in pay threw$/,
    () => {
      throw new Error("secret of the validator");
    },
  ],
  [
    "throws what is no error",
    / threw$/,
    () => {
      throw "secret of the validator";
    },
  ],
  [
    "rejects",
    / threw$/,
    async () => {
      throw new Error("secret of the validator");
    },
  ],
  ["gives a number", /gave a number$/, () => 42 as never],
  ["gives false", /gave false, which says nothing$/, () => false as never],
  ["gives an empty text", /gave an empty text$/, () => " \n "],
  ["gives a list", /gave a list$/, async () => [] as never],
  ["gives an Error", /gave an Error in place of an answer$/, () => new Error("secret of the validator") as never],
  ["gives an object without a message", /gave an object without a message$/, () => ({ secret: "secret of the validator" }) as never],
  ["gives a fix that is no text", /gave a fix that is no text$/, () => ({ message: "m", fix: 1 }) as never],
  [
    "gives what throws when it is read",
    /gave something that can't be read$/,
    () =>
      ({
        get message() {
          throw new TypeError("secret of the validator");
        },
      }) as never,
  ],
];

for (const [name, did, validator] of failing) {
  test(`a validator that ${name} ends the call in an internal_error that names it, logged once, with nothing of what it threw`, async () => {
    const { pay, logs, runs } = await bench({ "items[].iban": validator });
    const { error } = await pay({ iban: "an argument that is long", items: [{ iban: "1" }] });
    assert.equal(error.error_code, "validation/validator-failed");
    assert.equal(error.error_type, "internal_error");
    assert.match(error.what_went_wrong, /^pay was not run: the validator v0, which checks items\[0\]\.iban, failed/);
    assert.doesNotMatch(JSON.stringify(error), /secret/);
    const { field, validator: named } = error.details;
    assert.deepEqual([field, named], ["items[0].iban", "v0"]);
    assert.equal(logs.length, 1);
    assert.equal(logs[0]?.level, "error");
    assert.match(logs[0]?.message ?? "", did);
    const { call_id, tool, version, field: logged, validator: by, tool_error } = logs[0]?.fields ?? {};
    assert.ok(call_id);
    assert.deepEqual([tool, version, logged, by, tool_error], ["pay", "1.0.0", "items[0].iban", "v0", "validation/validator-failed"]);
    assert.equal(runs(), 0);
  });
}

test("what a validator throws is in the log, with the arguments blanked", async () => {
  const { pay, logs } = await bench({
    iban: (value: string) => {
      throw new Error(`no answer for ${value}`);
    },
  });
  await pay({ iban: "DE89370400440532013000" });
  assert.equal(logs[0]?.fields["error_message"], "no answer for [argument]");
  assert.doesNotMatch(JSON.stringify(logs), /DE8937/);
});

test("a validator that doesn't answer in time is a failure; its signal is aborted, and what it does later changes nothing", async () => {
  let signal: AbortSignal | undefined;
  let fail: (error: Error) => void = () => undefined;
  const { pay, clock, logs } = await bench(
    {
      iban: (_, context) => {
        ({ signal } = context);
        return new Promise((_resolve, reject) => {
          fail = reject;
        });
      },
      since: () => never,
    },
    { field_timeout_ms: 2_000 },
  );
  const called = pay({ iban: "1", since: "2" });
  clock.tick(1_999);
  assert.equal(signal?.aborted, false);
  clock.tick(1);
  const { error } = await called;
  assert.equal(error.error_code, "validation/validator-failed");
  assert.equal(signal?.aborted, true);
  fail(new Error("too late"));
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(
    logs.map(({ message }) => message),
    ["the validator v0 of iban in pay did not answer within 2,000 ms"],
  );
});

test("where the time of the call is up first, that is the validator's failure too", async () => {
  const { pay, clock, logs } = await bench({ iban: () => never }, {}, { timeout_ms: 100 });
  const called = pay({ iban: "1" });
  clock.tick(100);
  const { error } = await called;
  assert.equal(error.error_code, "validation/validator-failed");
  assert.match(logs[0]?.message ?? "", /did not answer before the time of the call was up$/);
});

test("a call that is cancelled while validators are at work ends, and the tool isn't run", async () => {
  const controller = new AbortController();
  let signal: AbortSignal | undefined;
  const { kernel, runs, logs } = await bench({
    iban: (_, context) => {
      ({ signal } = context);
      return never;
    },
  });
  const called = kernel.call("pay", { iban: "1" }, { signal: controller.signal });
  controller.abort();
  assert.equal((await called).error.error_code, "validation/stopped");
  assert.equal(signal?.aborted, true);
  assert.equal(runs(), 0);
  assert.deepEqual(logs, []);
});

test("a validator that cancels its own call leaves no timer and no rejection behind", async () => {
  const controller = new AbortController();
  let asked = 0;
  const { kernel, clock, logs } = await bench({
    "items[]": async () => {
      asked += 1;
      if (asked <= 16) return undefined;
      controller.abort();
      throw new Error("after the end");
    },
  });
  const outcome = await kernel.call("pay", { items: Array.from({ length: 20 }, () => ({})) }, { signal: controller.signal });
  assert.equal(outcome.error.error_code, "validation/stopped");
  await new Promise((resolve) => setImmediate(resolve));
  clock.tick(60_000);
  assert.deepEqual([asked, logs], [17, []]);
});

test("a call that is cancelled before it came asks no validator for long", async () => {
  const { kernel } = await bench({ iban: async (_, { signal }) => (signal.aborted ? undefined : never) });
  const outcome = await kernel.call("pay", { iban: "1" }, { signal: AbortSignal.abort() });
  assert.equal(outcome.kind, "error");
});

test("a validator that fails while other arguments don't fit is passed over: they may be why", async () => {
  const { pay, clock, logs } = await bench({
    iban: (_, { args }) => {
      (args["since"] as string).toUpperCase();
      return "no";
    },
    "ship_to.zip": () => never,
    limit: () => "is too much",
  });
  const called = pay({ iban: "1", since: [], limit: 9, ship_to: { zip: "1" } });
  clock.tick(5_000);
  const { error } = await called;
  assert.match(error.what_went_wrong, /2 problems.*\n- since: expected string.*\n- limit: is too much$/);
  assert.deepEqual(error.how_to_fix, ["Send the call again with these mended."], "none is said to be fine");
  assert.deepEqual(
    logs.map(({ level, message, fields }) => [level, message, fields["error_name"]]),
    [["error", "the validator v0 of iban in pay threw", "TypeError"]],
    "the first failure is logged",
  );
  assert.match((await pay({ iban: "1", since: "a", limit: 9 })).error.what_went_wrong, /2 problems.*\n- iban: no\n- limit: is too much$/);
});

test("where the time of a call is up while other arguments don't fit, those are told", async () => {
  const { pay, clock, logs } = await bench({ iban: () => never, limit: () => "is too much" }, {}, { timeout_ms: 100 });
  const called = pay({ iban: "1", limit: 9, since: [] });
  clock.tick(100);
  assert.match((await called).error.what_went_wrong, /2 problems.*\n- since: expected string.*\n- limit: is too much$/);
  assert.deepEqual(
    logs.map(({ message }) => message),
    ["the validator v0 of iban in pay did not answer before the time of the call was up"],
  );
});

test("a tool with a validator of a field that isn't declared refuses calls, and the others are served", async () => {
  const { kernel, logs } = await testKernel({
    plugins: [validation({ validators: { iban: isDigits } })],
    tools: { pay: { parameters, handler: () => assert.fail("it ran"), validation: { fields: { ibn: "iban" } } }, other: () => ({}) },
  });
  const { error } = await kernel.call("pay", { iban: "1" });
  assert.deepEqual([error.error_type, error.error_code], ["internal_error", "validation/unknown-field"]);
  assert.match(renderToolError(error), /^pay was not run: its spec asks for a check that can't be made\. This is a fault of the server, not of your call\.\n/);
  assert.equal((await kernel.call("other", {})).kind, "ok");
  assert.deepEqual(
    logs.map(({ level, message }) => [level, message]),
    [["error", "pay failed: validation/unknown-field"]],
  );
});

test("arguments out of bounds are refused before any validator looks at them", async () => {
  let asked = 0;
  const { pay } = await bench({
    iban: () => {
      asked += 1;
      return undefined;
    },
  });
  assert.equal((await pay({ iban: "x".repeat(2_000_000) })).kind, "error");
  assert.equal(asked, 0);
});

const noTool = { validators: { iban: isDigits, bic: isDigits } };
for (const [fields, code, message, hint] of [
  [{ iban: "ibna" }, "spec/wrong-value", '"ibna" is not one of bic, iban', 'Did you mean "iban"?'],
  [{ iban: "toString" }, "spec/wrong-value", '"toString" is not one of bic, iban', "Take one of them."],
  [{ iban: "check_iban.ts" }, "spec/bad-format", '"check_iban.ts" has the wrong form', "Wanted here: a path that begins with ./ or ../"],
  [{ iban: 5 }, "spec/wrong-type", "must be a text, got the number 5", /^Put it in quotes/],
  [{ "items[0].iban": "iban" }, "spec/unknown-key", '"items[0].iban" is not a key here', /^Wanted here: the path of an argument, where \[\] means every item/],
  [
    { ibn: "iban" },
    "validation/unknown-field",
    /^There is no argument ibn in parameters, so this validator can't be asked, and calls of this tool are refused$/,
    'Did you mean "iban"?',
  ],
  [{ "items.iban": "iban" }, "validation/unknown-field", /no argument items\.iban /, 'Did you mean "items[].iban"?'],
  [{ "ship_to[].zip": "iban" }, "validation/unknown-field", /no argument ship_to\[\] /, 'Did you mean "ship_to.zip"?'],
  [{ "ship_to.town": "iban" }, "validation/unknown-field", /no argument ship_to\.town /, "Declared in ship_to: zip, post code."],
  [{ "iban.a": "iban" }, "validation/unknown-field", /no argument iban\.a /, "Declare it there, or take the validator out."],
  [{ "items.bic": "iban" }, "validation/unknown-field", /no argument items\.bic /, "Items of items are named items[]."],
] as const) {
  test(`${JSON.stringify(fields)} is told of at load`, async () => {
    const { diagnostics } = await testKernel({
      plugins: [validation(noTool)],
      tools: { pay: { parameters, handler: () => ({}), validation: { fields } }, other: () => ({}) },
    });
    assert.equal(diagnostics.length, 1, JSON.stringify(diagnostics));
    const [found] = diagnostics;
    assert.deepEqual([found?.code, found?.severity], [code, "error"]);
    for (const [text, expected] of [
      [found?.message, message],
      [found?.hint, hint],
    ] as const)
      if (typeof expected === "string") assert.equal(text, expected);
      else assert.match(text ?? "", expected);
  });
}

test("where no validator has a name, an unknown one is told how to get one", async () => {
  const { diagnostics, kernel } = await testKernel({
    plugins: [validation()],
    tools: { pay: { parameters, handler: () => ({}), validation: { fields: { iban: "iban" } } } },
  });
  assert.match(
    `${diagnostics[0]?.message}. ${diagnostics[0]?.hint}`,
    /"iban" has the wrong form\. Wanted here: a path that begins with \.\/ or \.\.\/; no validator has a name, which/,
  );
  assert.equal(kernel.catalog().tools.length, 0, "a tool without its validator isn't served");
});

test("a validator that is no function and no path is refused with the plugin", async () => {
  for (const wrong of [5, "check.ts", null, class {}]) {
    await assert.rejects(testKernel({ plugins: [validation({ validators: { iban: wrong as never } })] }), (error: unknown) =>
      /validators\.iban must be a function, or the path of a module/.test(JSON.stringify(error)),
    );
  }
});

checkPluginLaws(validation({ validators: { text: () => undefined } }));
