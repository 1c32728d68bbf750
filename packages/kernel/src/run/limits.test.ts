import assert from "node:assert/strict";
import { test } from "node:test";
import { definePlugin, type Outcome } from "@fettle/contract";
import { testKernel } from "@fettle/testkit";

const never = () => new Promise<never>(() => undefined);
/** Lets promises that are due settle. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

test("a handler that never returns is given up at the config's limit, and its signal is aborted", async () => {
  let signal: AbortSignal | undefined;
  const { kernel, clock } = await testKernel({ tools: { hang: (_args, ctx) => ((signal = ctx.signal), never()) } });
  const pending = kernel.call("hang");
  await turn();
  clock.tick(59_999);
  assert.equal(signal?.aborted, false);
  clock.tick(1);
  const { error } = await pending;
  assert.equal(error.error_code, "kernel/deadline-exceeded");
  assert.match(error.what_went_wrong, /hang did not answer within its time limit of 60 s\. It may have taken effect/);
  assert.equal(signal?.aborted, true);
  assert.equal(signal?.reason.name, "TimeoutError");
});

test("the spec's timeout_ms goes before the config's, and a repeatable tool is said to be safe to retry", async () => {
  const { kernel, clock } = await testKernel({
    timeout_ms: 10_000,
    tools: { hang: { handler: never, timeout_ms: 1_500, effects: { read_only: true } }, other: never },
  });
  const pending = kernel.call("hang");
  await turn();
  clock.tick(1_500);
  const { error } = await pending;
  assert.match(error.what_went_wrong, /time limit of 1\.5 s\.$/);
  assert.equal(error.retry_recommended, true);
  assert.equal(kernel.explain("hang")?.timeoutMs, 1_500);
  assert.equal(kernel.explain("other")?.timeoutMs, 10_000);
});

test("a layer that hangs is given up a second after the deadline", async () => {
  const hanging = definePlugin({
    name: "hanging",
    options: {},
    create: () => ({ name: "hanging", position: "protect", setup: () => ({ layer: () => never }) }),
  });
  const { kernel, clock } = await testKernel({ plugins: [hanging()], tools: { t: () => ({}) } });
  const pending = kernel.call("t");
  await turn();
  clock.tick(60_000);
  clock.tick(1_000);
  assert.equal((await pending).error.error_code, "kernel/deadline-exceeded");
});

test("a layer may finish its work after the deadline ended the handler", async () => {
  const records: string[] = [];
  const recording = definePlugin({
    name: "recording",
    options: {},
    create: () => ({
      name: "recording",
      position: "reuse",
      setup: () => ({
        layer: () => async (_call, next) => {
          const outcome: Outcome = await next();
          records.push(outcome.kind);
          return outcome;
        },
      }),
    }),
  });
  const { kernel, clock } = await testKernel({ plugins: [recording()], tools: { hang: never } });
  const pending = kernel.call("hang");
  await turn();
  clock.tick(60_000);
  await pending;
  assert.deepEqual(records, ["error"]);
});

test("a caller who cancels gets an answer at once, and the handler's signal is aborted", async () => {
  const caller = new AbortController();
  let reason: unknown;
  const { kernel } = await testKernel({
    tools: {
      hang: (_args, ctx) => {
        ctx.signal.addEventListener("abort", () => (reason = ctx.signal.reason));
        return never();
      },
    },
  });
  const pending = kernel.call("hang", {}, { signal: caller.signal });
  await turn();
  caller.abort();
  assert.equal((await pending).error.error_code, "kernel/cancelled");
  assert.equal((reason as Error).name, "AbortError");
});

test("a call that was cancelled before it began runs no handler", async () => {
  let ran = false;
  const { kernel } = await testKernel({ tools: { t: () => ((ran = true), {}) } });
  const { error } = await kernel.call("t", {}, { signal: AbortSignal.abort() });
  assert.equal(error.error_code, "kernel/cancelled");
  assert.equal(ran, false);
});

test("what a handler throws because of the abort is told as the abort", async () => {
  const caller = new AbortController();
  const { kernel, logs } = await testKernel({
    tools: {
      t: async (_args, ctx) => {
        caller.abort();
        ctx.signal.throwIfAborted();
        return {};
      },
    },
  });
  assert.equal((await kernel.call("t", {}, { signal: caller.signal })).error.error_code, "kernel/cancelled");
  assert.deepEqual(logs, []);
});

test("a finished call leaves no listener on the caller's signal and no timer", async () => {
  const caller = new AbortController();
  let listeners = 0;
  const { signal } = caller;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = ((...args: Parameters<typeof add>) => (listeners++, add(...args))) as typeof add;
  signal.removeEventListener = ((...args: Parameters<typeof remove>) => (listeners--, remove(...args))) as typeof remove;
  const { kernel, clock } = await testKernel({ tools: { t: async (_args, ctx) => ({ aborted: ctx.signal.aborted }) } });
  for (let i = 0; i < 5; i++) await kernel.call("t", {}, { signal });
  assert.equal(listeners, 0);
  clock.tick(1_000_000);
});
