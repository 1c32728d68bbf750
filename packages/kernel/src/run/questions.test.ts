import assert from "node:assert/strict";
import { test } from "node:test";
import { definePlugin, needInput } from "@fettle/contract";
import { testKernel } from "@fettle/testkit";

test("needInput ends the round with questions, and the next round finds the answers", async () => {
  const ask = { method: "elicitation/create" as const, params: { message: "Sure?", requestedSchema: { type: "object", properties: {} } } };
  const { kernel } = await testKernel({
    tools: {
      t: (_args, ctx) => (ctx.inputs ? { said: ctx.inputs["confirm"], state: ctx.inputState } : needInput({ requests: { confirm: ask }, state: "s1" })),
    },
  });
  const first = await kernel.call("t");
  assert.deepEqual([first.kind, first.requests, first.state], ["input_required", { confirm: ask }, "s1"]);
  const second = await kernel.call("t", {}, { inputs: { confirm: { action: "accept" } }, inputState: "s1" });
  assert.deepEqual(second.data, { said: { action: "accept" }, state: "s1" });
});

test("ctx.canAsk and ctx.closeStream reach whoever calls; without one nobody can be asked, and nothing is let go", async () => {
  const { kernel } = await testKernel({
    tools: {
      t: (_args, { canAsk, closeStream }) => {
        closeStream();
        return { form: canAsk("elicitation/create"), model: canAsk("sampling/createMessage") };
      },
    },
  });
  let closed = 0;
  const asked = await kernel.call("t", {}, { canAsk: (method) => method === "elicitation/create", closeStream: () => closed++ });
  assert.deepEqual([asked.data, closed], [{ form: true, model: false }, 1]);
  assert.deepEqual((await kernel.call("t")).data, { form: false, model: false });
});

const requestedSchema = { type: "object", properties: {} };
for (const [what, question, words] of [
  ["no request", { requests: {} }, /at requests, it must be an object with at least one request/],
  ["a list of requests", { requests: [] }, /at requests, it must be an object/],
  ["a request that is none", { requests: { a: "roots/list" } }, /at requests\.a, it must be an object with method and params/],
  ["a method that nobody can be asked by", { requests: { a: { method: "tools/call", params: {} } } }, /at requests\.a\.method, it must be elicitation\/create/],
  ["no params", { requests: { a: { method: "elicitation/create" } } }, /at requests\.a\.params, it must be an object/],
  ["no message", { requests: { a: { method: "elicitation/create", params: { requestedSchema } } } }, /at requests\.a\.params\.message, /],
  ["no schema", { requests: { a: { method: "elicitation/create", params: { message: "?" } } } }, /at requests\.a\.params\.requestedSchema, /],
  ["no address", { requests: { a: { method: "elicitation/create", params: { mode: "url", message: "?" } } } }, /at requests\.a\.params\.url, /],
  ["a mode that there isn't", { requests: { a: { method: "elicitation/create", params: { mode: "voice", message: "?" } } } }, /at requests\.a\.params\.mode, /],
  ["no messages for the model", { requests: { a: { method: "sampling/createMessage", params: { maxTokens: 1 } } } }, /at requests\.a\.params\.messages, /],
  ["no limit for the model", { requests: { a: { method: "sampling/createMessage", params: { messages: [] } } } }, /at requests\.a\.params\.maxTokens, /],
  ["params of roots that are a list", { requests: { a: { method: "roots/list", params: [] } } }, /at requests\.a\.params, it must be an object/],
  ["something that JSON can't carry", { requests: { a: { method: "roots/list", params: { n: 1n } } } }, /at requests\.a\.params\.n, a bigint/],
  ["a state that is no text", { requests: { a: { method: "roots/list" } }, state: 7 }, /at state, it must be a string/],
] as const) {
  test(`a question with ${what} is a fault of the tool that names the place, and one of a plugin that answers so`, async () => {
    const { kernel } = await testKernel({ tools: { t: () => needInput(question as never) } });
    const { error } = await kernel.call("t");
    assert.equal(error.error_code, "kernel/bad-result");
    assert.match(error.what_went_wrong, words);

    const odd = definePlugin({
      name: "odd",
      options: {},
      create: () => ({ name: "odd", position: "protect", setup: () => ({ layer: () => () => ({ kind: "input_required", notes: {}, ...question }) as never }) }),
    });
    const layered = await testKernel({ plugins: [odd()], tools: { t: () => ({}) } });
    assert.equal((await layered.kernel.call("t")).error.error_code, "kernel/bad-outcome");
  });
}
