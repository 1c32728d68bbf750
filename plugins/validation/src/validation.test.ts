import assert from "node:assert/strict";
import { test } from "node:test";
import { definePlugin, type JsonObject, renderToolError, result } from "@fettle/contract";
import { checkPluginLaws, type TestTool, testKernel } from "@fettle/testkit";
import validation from "./index.js";

const parameters = {
  type: "object",
  additionalProperties: false,
  required: ["ref"],
  properties: {
    ref: { type: "string" },
    limit: { type: "integer", minimum: 1, maximum: 100, default: 20 },
    since: { type: "string", format: "date" },
    paths: { type: "array", items: { type: "string" } },
  },
};

/** A tool that gives back the arguments it got. */
const echo = (spec: JsonObject = {}): TestTool => ({ parameters, ...spec, handler: (args) => ({ args }) });

test("arguments that fit reach the handler with defaults filled in, and nothing is reported", async () => {
  const { kernel } = await testKernel({ plugins: [validation()], tools: { echo: echo() } });
  const args = Object.freeze({ ref: "main" });
  const outcome = await kernel.call("echo", args);
  assert.deepEqual(outcome.data, { args: { ref: "main", limit: 20 } });
  assert.equal(outcome.meta?.["dev.fettle/repairs"], undefined);
  assert.equal(outcome.notes["validation.repairs"], undefined);
});

test("a call with faults is told all of them at once and how to go on", async () => {
  const { kernel } = await testKernel({ plugins: [validation()], tools: { git_log: echo() } });
  const { error } = await kernel.call("git_log", { ref: "main", brnch: "x", since: "last week", limit: 500 });
  assert.equal(error.error_code, "validation/invalid-arguments");
  assert.equal(error.error_type, "input_error");
  assert.equal(
    renderToolError(error),
    [
      "git_log was not run: 3 problems with its arguments.",
      "- unknown argument brnch. Allowed here: ref, limit, since, paths",
      "- limit must be between 1 and 100, got 500",
      '- since must match format date (YYYY-MM-DD, e.g. "2026-12-31"), got "last week"',
      "Send the call again with these mended; the other arguments were fine.",
    ].join("\n"),
  );
});

test("where no argument was fine, none is said to be", async () => {
  const { kernel } = await testKernel({ plugins: [validation()], tools: { echo: echo() } });
  const { error } = await kernel.call("echo", { limit: 0 });
  assert.deepEqual(error.how_to_fix, ["Send the call again with these mended."]);
});

test("what can only have been meant in one way is mended, passed on and reported to observer and client", async () => {
  const { kernel, observed } = await testKernel({ plugins: [validation()], tools: { echo: echo() } });
  const outcome = await kernel.call("echo", { ref: "main", limit: "5", paths: '["a"]' });
  assert.deepEqual(outcome.data, { args: { ref: "main", limit: 5, paths: ["a"] } });
  const repairs = [
    { path: "limit", from: "5", to: 5 },
    { path: "paths", from: '["a"]', to: ["a"] },
  ];
  assert.deepEqual(outcome.meta?.["dev.fettle/repairs"], repairs);
  assert.deepEqual(observed[0]?.notes["validation.repairs"], repairs);
});

test("with coerce: off the same call is refused, by option or by the tool's own section", async () => {
  const off = await testKernel({ plugins: [validation({ coerce: "off" })], tools: { echo: echo() } });
  assert.match(
    (await off.kernel.call("echo", { ref: "main", limit: "5" })).error.what_went_wrong,
    /limit: expected integer, got string "5"\. Send 5 without quotes/,
  );
  const section = await testKernel({ plugins: [validation()], tools: { strict: echo({ validation: { coerce: "off" } }), loose: echo() } });
  assert.equal((await section.kernel.call("strict", { ref: "main", limit: "5" })).kind, "error");
  assert.equal((await section.kernel.call("loose", { ref: "main", limit: "5" })).kind, "ok");
});

test("a section that isn't one is a diagnostic", async () => {
  const { diagnostics } = await testKernel({ plugins: [validation()], tools: { echo: echo({ validation: { coerce: "always" } }) } });
  assert.ok(
    diagnostics.some(({ severity, code }) => severity === "error" && code.startsWith("spec/")),
    JSON.stringify(diagnostics),
  );
});

const output = { type: "object", required: ["n"], properties: { n: { type: "integer" } } };

test("a result that doesn't fit its output is withheld, and the server is blamed", async () => {
  const tools = { bad: { output, handler: () => ({ n: "secret" }) } };
  const { kernel, logs } = await testKernel({ plugins: [validation()], tools });
  const { error } = await kernel.call("bad", {});
  assert.equal(error.error_code, "validation/invalid-output");
  assert.equal(error.error_type, "internal_error");
  assert.doesNotMatch(JSON.stringify(error), /secret/);
  assert.match(renderToolError(error), /fault of the server[\s\S]*Retrying the same call won't help/);
  assert.ok(logs.some(({ level, message }) => level === "error" && message.includes('n: expected integer, got string "secret"')));
});

test("a result without data doesn't fit an output", async () => {
  const tools = { bad: { output, handler: () => result({ content: [{ type: "text", text: "hello" }] }) } };
  const { kernel } = await testKernel({ plugins: [validation()], tools });
  assert.equal((await kernel.call("bad", {})).error.error_code, "validation/invalid-output");
});

test("with output: off results pass as they are", async () => {
  const tools = { bad: { output, handler: () => ({ n: "x" }) } };
  const { kernel } = await testKernel({ plugins: [validation({ output: "off" })], tools });
  assert.deepEqual((await kernel.call("bad", {})).data, { n: "x" });
});

test("a large result and one with large numbers pass; results aren't bound like arguments", async () => {
  const rows = Array.from({ length: 30_000 }, (_, i) => ({ id: 2 ** 60 + i * 1_000, name: "x".repeat(60) }));
  const tools = {
    big: {
      output: { type: "object", properties: { rows: { type: "array", items: { type: "object", properties: { id: { type: "integer" } } } } } },
      handler: async () => ({ rows }),
    },
  };
  const { kernel } = await testKernel({ plugins: [validation()], tools });
  assert.equal((await kernel.call("big", {})).kind, "ok");
});

test("a handler's own error passes, with the repairs of its call", async () => {
  const tools = {
    fails: {
      parameters,
      output,
      handler: async () => {
        throw new Error("boom");
      },
    },
  };
  const { kernel } = await testKernel({ plugins: [validation()], tools });
  const outcome = await kernel.call("fails", { ref: "main", limit: "5" });
  assert.notEqual(outcome.error.error_code, "validation/invalid-output");
  assert.ok(outcome.meta?.["dev.fettle/repairs"]);
});

test("rings inside see the mended arguments", async () => {
  const seen: JsonObject[] = [];
  const inner = definePlugin({
    name: "spy",
    options: {},
    create: () => ({
      name: "spy",
      position: "reuse",
      setup: () => ({
        layer: () => (call, next) => {
          seen.push(call.args);
          return next();
        },
      }),
    }),
  });
  const { kernel } = await testKernel({ plugins: [inner(), validation()], tools: { echo: echo() } });
  await kernel.call("echo", { ref: "main", limit: "5" });
  assert.deepEqual(seen, [{ ref: "main", limit: 5 }]);
});

test("a call is answered without a promise where the handler answers without one", async () => {
  const { kernel } = await testKernel({ plugins: [validation()], tools: { echo: echo() } });
  const outcome = kernel.call({ name: "echo", args: { ref: "main", limit: "5" } });
  assert.ok(!(outcome instanceof Promise));
});

checkPluginLaws(validation());
