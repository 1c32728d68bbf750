import assert from "node:assert/strict";
import { test } from "node:test";
import { definePlugin, type Host, type Outcome, type Plugin } from "@fettle/contract";
import { testKernel } from "@fettle/testkit";

const withHost = (name: string, make: (host: Host) => ReturnType<NonNullable<Plugin<unknown>["setup"]>>, position: Plugin["position"] = "shape") =>
  definePlugin({ name, options: {}, create: () => ({ name, position, setup: make }) })();

test("host.call makes a whole call with its parent, and observers count the child", async () => {
  const parents: (string | undefined)[] = [];
  const calling = withHost("calling", (host) => ({
    layer: (tool) =>
      tool?.name === "outer"
        ? async (call, next) => {
            const child = await host.call({ name: "inner", args: { by: "outer" } }, call);
            call.note("child", child.kind);
            return next();
          }
        : undefined,
  }));
  const spying = withHost("spying", () => ({ layer: () => (call, next) => (parents.push(call.parentId), next()) }), "observe");
  const { kernel, observed } = await testKernel({
    plugins: [spying, calling],
    tools: { outer: () => ({}), inner: (args, ctx) => ({ args, caller: ctx.caller.principal }) },
  });
  const outcome = await kernel.call("outer", {}, { caller: { tenant: "t", principal: "ann", scopes: [] } });
  assert.equal(outcome.notes["calling.child"], "ok");
  assert.deepEqual(
    observed.map(({ tool }) => tool?.name),
    ["inner", "outer"],
  );
  assert.deepEqual((observed[0] as { data?: unknown }).data, { args: { by: "outer" }, caller: "ann" });
  assert.equal(parents[0], undefined);
  assert.match(String(parents[1]), /^[0-9a-f-]{36}$/);
});

test("tools that call each other for ever are stopped", async () => {
  let deepest: Outcome | undefined;
  const looping = withHost("looping", (host) => ({
    layer: () => async (call) => {
      const child = await host.call({ name: "t", args: {} }, call);
      if (child.kind === "error" && child.error.error_code === "kernel/call-depth") deepest ??= child;
      return child;
    },
  }));
  const { kernel } = await testKernel({ plugins: [looping], tools: { t: () => ({}) } });
  assert.equal((await kernel.call("t")).error.error_code, "kernel/call-depth");
  assert.ok(deepest);
});

test("host.run runs another version's rings at the positions that are named, and its handler", async () => {
  const rings: string[] = [];
  const marking = (name: string, position: Plugin["position"]) =>
    withHost(name, () => ({ layer: (tool) => (_call, next) => (rings.push(`${name} ${tool?.version}`), next()) }), position);
  const adapter = withHost(
    "adapter",
    (host) => ({
      layer: (tool) =>
        tool?.version === "1.0.0"
          ? async (call, _next) => host.run({ name: "t", version: "2.0.0" }, { limit: call.args["max"] }, call, ["shape", "execute"])
          : undefined,
    }),
    "execute",
  );
  const { kernel } = await testKernel({
    plugins: [marking("p", "protect"), marking("s", "shape"), marking("r", "reuse"), marking("e", "execute"), adapter],
    tools: { "t@1": { name: "t", version: "1.0.0", handler: () => ({ old: true }) }, t: { version: "2.0.0", handler: (args) => ({ args }) } },
  });
  const outcome = await kernel.call("t", { max: 3 }, { version: "1.0.0" });
  assert.deepEqual(outcome.data, { args: { limit: 3 } });
  assert.deepEqual(rings, ["p 1.0.0", "s 1.0.0", "r 1.0.0", "e 1.0.0", "s 2.0.0", "e 2.0.0"]);
});

test("host.run refuses a call that isn't one and a tool that isn't served", async () => {
  const seen: unknown[] = [];
  const odd = withHost("odd", (host) => ({
    layer: () => async (call, next) => {
      seen.push(await host.run({ name: "t", version: "9.0.0" }, {}, call, ["shape"]));
      try {
        await host.run({ name: "t", version: "1.0.0" }, {}, {} as never, []);
      } catch (error) {
        seen.push(error);
      }
      return next();
    },
  }));
  const { kernel } = await testKernel({ plugins: [odd], tools: { t: () => ({}) } });
  await kernel.call("t");
  assert.equal((seen[0] as { error: { error_code: string } }).error.error_code, "kernel/resolver-failed");
  assert.ok(seen[1] instanceof TypeError);
});

test("capabilities connect plugins that don't know each other, and everybody works without", async () => {
  const seen: unknown[] = [];
  const asking = withHost("asking", (host) => ({
    layer: () => (_call, next) => (seen.push(host.find("scores")?.of({ name: "t", version: "1.0.0" })), next()),
  }));
  const offering = withHost("offering", (host) => {
    host.provide("scores", { of: () => 87 });
    return {};
  });
  await (await testKernel({ plugins: [asking, offering], tools: { t: () => ({}) } })).kernel.call("t");
  await (await testKernel({ plugins: [asking], tools: { t: () => ({}) } })).kernel.call("t");
  assert.deepEqual(seen, [87, undefined]);
});

test("host.catalog, clock, log and dataDir are the kernel's", async () => {
  const seen: unknown[] = [];
  const looking = withHost("looking", (host) => {
    seen.push(
      host.catalog().tools.map(({ name }) => name),
      host.clock.now(),
      host.dataDir.endsWith(".fettle/looking"),
    );
    host.log.info("set up");
    return {};
  });
  const { logs } = await testKernel({ plugins: [looking], tools: { b: () => ({}), a: () => ({}) } });
  assert.deepEqual(seen, [["a", "b"], Date.UTC(2026, 0, 1), true]);
  assert.equal(logs[0]?.message, "set up");
});
