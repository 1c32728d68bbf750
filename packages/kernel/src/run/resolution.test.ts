import assert from "node:assert/strict";
import { test } from "node:test";
import { definePlugin, type PluginRun } from "@fettle/contract";
import { testKernel } from "@fettle/testkit";

const running = (name: string, run: PluginRun<unknown>) =>
  definePlugin({ name, options: {}, create: () => ({ name, position: "protect", setup: () => run }) })();
const versions = {
  "t@1": { name: "t", version: "1.9.0", handler: () => ({ v: 1 }) },
  t: { version: "1.10.0", handler: () => ({ v: 1.1 }) },
  "t@3": { name: "t", version: "3.0.0-beta.1", handler: () => ({ v: 3 }) },
};

test("without a version the highest stable one answers, by semver and not by text", async () => {
  const { kernel } = await testKernel({ tools: versions });
  assert.deepEqual((await kernel.call("t")).tool, { name: "t", version: "1.10.0" });
});

test("an exact version is served, also a pre-release that is named", async () => {
  const { kernel } = await testKernel({ tools: versions });
  assert.equal((await kernel.call("t", {}, { version: "1.9.0" })).tool?.version, "1.9.0");
  assert.equal((await kernel.call("t", {}, { version: "3.0.0-beta.1" })).tool?.version, "3.0.0-beta.1");
});

test("a version that isn't served is refused with those that are", async () => {
  const { kernel } = await testKernel({ tools: versions });
  const { error } = await kernel.call("t", {}, { version: "2.0.0" });
  assert.equal(error.error_code, "kernel/no-such-version");
  assert.deepEqual(error.details["versions"], ["3.0.0-beta.1", "1.10.0", "1.9.0"]);
});

test("a tool with pre-releases only has no default and isn't listed", async () => {
  const { kernel } = await testKernel({ tools: { t: { version: "1.0.0-rc.1", handler: () => ({}) } } });
  assert.match((await kernel.call("t")).error.what_went_wrong, /t has no stable version/);
  assert.deepEqual(await kernel.listTools({ caller: { tenant: "t", principal: "p", scopes: [] } }), []);
});

test("an unknown name is a resource_error with the nearest name, and isn't repeated in the error", async () => {
  const { kernel } = await testKernel({ tools: { git_log: () => ({}), git_show: () => ({}) } });
  const { error } = await kernel.call("git_lgo");
  assert.equal(error.error_code, "kernel/unknown-tool");
  assert.deepEqual(error.details["nearest"], ["git_log"]);
  assert.doesNotMatch(JSON.stringify(error), /git_lgo/);
});

for (const name of ["constructor", "__proto__", "toString", "", "x".repeat(100_000)]) {
  test(`the name ${JSON.stringify(name.slice(0, 20))} is of no tool`, async () => {
    const { kernel } = await testKernel({ tools: { echo: () => ({}) } });
    assert.equal((await kernel.call(name)).error.error_code, "kernel/unknown-tool");
  });
}

test("plugins resolve from the outside in, change the ask for those inside, and leave notes and meta", async () => {
  const alias = running("alias", {
    resolveTool: (ask, next) => (ask.note("asked", ask.name), ask.name === "t_v1" ? next({ name: "t", version: "1.9.0" }) : next()),
  });
  const marking = running("marking", { resolveTool: async (_ask, next) => ({ ...(await next()), meta: { "dev.fettle/version": "x" } }) as never });
  const { kernel } = await testKernel({ plugins: [alias, marking], tools: versions });
  const outcome = await kernel.call("t_v1");
  assert.equal(outcome.tool?.version, "1.9.0");
  assert.deepEqual(outcome.notes, { "alias.asked": "t_v1" });
  assert.deepEqual(outcome.meta, { "dev.fettle/version": "x" });
});

for (const [what, resolveTool] of [
  [
    "throws",
    () => {
      throw new Error("secret");
    },
  ],
  [
    "rejects",
    async () => {
      throw new Error("secret");
    },
  ],
] as const) {
  test(`a resolveTool that ${what} is named with plugin and hook`, async () => {
    const { kernel } = await testKernel({ plugins: [running("broken", { resolveTool })], tools: versions });
    const { error } = await kernel.call("t");
    assert.deepEqual([error.error_code, error.details["plugin"], error.details["hook"]], ["kernel/layer-threw", "broken", "resolveTool"]);
    assert.doesNotMatch(JSON.stringify(error), /secret/);
  });
}

for (const resolution of [undefined, {}, { tool: { name: "t", version: "9.9.9" } }]) {
  test(`a resolveTool that gives ${JSON.stringify(resolution)} ends the call in an internal_error`, async () => {
    const { kernel } = await testKernel({ plugins: [running("odd", { resolveTool: () => resolution as never })], tools: versions });
    assert.equal((await kernel.call("t")).error.error_code, "kernel/resolver-failed");
  });
}

test("a plugin whose listTools hangs is passed over after 10 s and named, and not the one around it", async () => {
  const lead = running("lead", { listTools: async (_query, next) => (await next()).map((listing) => ({ ...listing, lead: "New." })) });
  const hanging = running("hanging", { listTools: () => new Promise<never>(() => {}) });
  const { kernel, clock, logs } = await testKernel({ plugins: [lead, hanging], tools: { a: () => ({}) } });
  const listing = Promise.resolve(kernel.listTools({ caller: { tenant: "t", principal: "p", scopes: [] } }));
  clock.tick(10_000);
  assert.deepEqual(
    (await listing).map(({ tool, lead }) => [tool.name, lead]),
    [["a", "New."]],
  );
  assert.deepEqual(
    logs.map(({ message }) => message),
    ["plugin hanging did not answer within 10 s in its listTools hook; its change to the list is left out"],
  );
});

test("the list has each tool once, by name, through the plugins that change it; one that throws is passed over", async () => {
  const lead = running("lead", { listTools: async (_query, next) => (await next()).map((listing) => ({ ...listing, lead: "New." })) });
  const broken = running("broken", {
    listTools: () => {
      throw new Error("no");
    },
  });
  const { kernel, logs } = await testKernel({ plugins: [lead, broken], tools: { ...versions, a: () => ({}) } });
  const listed = await kernel.listTools({ caller: { tenant: "t", principal: "p", scopes: [] } });
  assert.deepEqual(
    listed.map(({ tool, lead }) => [tool.name, tool.version, lead]),
    [
      ["a", "1.0.0", "New."],
      ["t", "1.10.0", "New."],
    ],
  );
  assert.match(logs[0]?.message ?? "", /plugin broken threw in its listTools hook; its change to the list is left out/);
});

test("a resolveTool that gives nonsense is named in the answer and in the log", async () => {
  const { kernel, logs } = await testKernel({ plugins: [running("odd", { resolveTool: () => null as never })], tools: versions });
  const { error } = await kernel.call("t");
  assert.match(error.what_went_wrong, /the plugin odd resolved the call to something that is no tool of the catalog/);
  assert.deepEqual([logs[0]?.fields["plugin"], logs[0]?.fields["call_id"]], ["odd", error.details["call_id"]]);
});

for (const listed of [7, null, [null], [{}], [{ tool: { name: "zz", version: "1.0.0" } }]]) {
  test(`a listTools that gives ${JSON.stringify(listed)} is passed over and named in the log`, async () => {
    const { kernel, logs } = await testKernel({ plugins: [running("odd", { listTools: async () => listed as never })], tools: { a: () => ({}) } });
    const tools = await kernel.listTools({ caller: { tenant: "t", principal: "p", scopes: [] } });
    assert.deepEqual(
      tools.map(({ tool }) => tool.name),
      ["a"],
    );
    assert.match(logs[0]?.message ?? "", /plugin odd gave something that is no list of tools/);
  });
}

test("an identify that gives nonsense lets nobody in", async () => {
  const { kernel } = await testKernel({ plugins: [running("odd", { identify: () => 5 as never })] });
  await assert.rejects(async () => kernel.identify({ transport: "http", headers: {}, meta: {} }), { code: "kernel/identify-failed" });
});

test("the first plugin that knows the caller decides; else stdio is the local user and the rest anonymous", async () => {
  const request = { transport: "http" as const, headers: { authorization: "x" }, meta: {} };
  const knowing = running("knowing", { identify: ({ headers }) => (headers["authorization"] ? { tenant: "a", principal: "b", scopes: [] } : undefined) });
  const later = running("later", { identify: () => ({ tenant: "later", principal: "later", scopes: [] }) });
  const { kernel } = await testKernel({ plugins: [knowing, later] });
  assert.equal((await kernel.identify(request)).tenant, "a");
  assert.equal((await kernel.identify({ ...request, headers: {} })).tenant, "later");
  const plain = (await testKernel()).kernel;
  assert.equal((await plain.identify(request)).principal, "anonymous");
  assert.equal((await plain.identify({ ...request, transport: "stdio" })).principal, "local");
});

test("an identify that throws lets nobody in", async () => {
  const { kernel } = await testKernel({
    plugins: [
      running("broken", {
        identify: () => {
          throw new Error("secret");
        },
      }),
    ],
  });
  await assert.rejects(async () => kernel.identify({ transport: "http", headers: {}, meta: {} }), {
    message: "It could not be found out who calls: the plugin broken threw in its identify hook.",
    code: "kernel/identify-failed",
  });
});
