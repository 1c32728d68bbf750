import assert from "node:assert/strict";
import { test } from "node:test";
import { definePlugin, type Plugin } from "@fettle/contract";
import { configFromCode, createKernel, LoadFailed } from "@fettle/kernel";
import { nodePlatform } from "@fettle/kernel/node";
import { fakeClock, testKernel } from "@fettle/testkit";

const turn = () => new Promise((resolve) => setImmediate(resolve));
const logged = (name: string, seen: string[], more: { setup?: () => void; dispose?: () => void } = {}) =>
  definePlugin({
    name,
    options: {},
    create: () => ({
      name,
      position: "observe",
      setup: async () => {
        seen.push(`setup ${name}`);
        more.setup?.();
        return {
          dispose: async () => {
            seen.push(`dispose ${name}`);
            more.dispose?.();
          },
        };
      },
    }),
  })();

test("plugins are set up in config order and disposed of in reverse, each once, also when one throws", async () => {
  const seen: string[] = [];
  const { kernel, logs } = await testKernel({
    plugins: [
      logged("a", seen),
      logged("b", seen, {
        dispose: () => {
          throw new Error("no");
        },
      }),
      logged("c", seen),
    ],
  });
  await Promise.all([kernel.close(), kernel.close()]);
  assert.deepEqual(seen, ["setup a", "setup b", "setup c", "dispose c", "dispose b", "dispose a"]);
  assert.match(logs[0]?.message ?? "", /plugin b failed in dispose/);
});

test("a set-up that throws names the plugin and disposes of those before it", async () => {
  const seen: string[] = [];
  await assert.rejects(
    testKernel({
      plugins: [
        logged("a", seen),
        logged("b", seen, {
          setup: () => {
            throw new Error("no database");
          },
        }),
      ],
    }),
    (error: unknown) => error instanceof LoadFailed && /The plugin b threw in setup: no database/.test(error.message),
  );
  assert.deepEqual(seen, ["setup a", "setup b", "dispose a"]);
});

test("closing waits for calls in flight and refuses new ones with advice to come back", async () => {
  const seen: string[] = [];
  let finish: (value: object) => void = () => undefined;
  const { kernel } = await testKernel({
    plugins: [logged("a", seen)],
    tools: {
      slow: () =>
        new Promise<object>((resolve) => {
          finish = resolve;
        }),
      quick: () => ({}),
    },
  });
  const pending = kernel.call("slow");
  await turn();
  const closed = kernel.close();
  await turn();
  assert.deepEqual(seen, ["setup a"]);
  const refused = await kernel.call("quick");
  assert.deepEqual([refused.error.error_code, refused.error.retry_recommended], ["kernel/closing", true]);
  assert.deepEqual(await kernel.health(), { ready: false, reasons: ["the server is shutting down"] });
  finish({ done: true });
  assert.deepEqual((await pending).data, { done: true });
  await closed;
  assert.deepEqual(seen, ["setup a", "dispose a"]);
});

test("calls that outlast the drain are cut off, and the plugins are disposed of all the same", async () => {
  const seen: string[] = [];
  const { kernel, clock } = await testKernel({ plugins: [logged("a", seen)], tools: { hang: () => new Promise<never>(() => undefined) } });
  const pending = kernel.call("hang");
  await turn();
  const closed = kernel.close({ drainMs: 2_000 });
  clock.tick(2_000);
  const { error } = await pending;
  assert.equal(error.error_code, "kernel/closing");
  assert.match(error.what_went_wrong, /shut down before hang ended. It may have taken effect/);
  await closed;
  assert.deepEqual(seen, ["setup a", "dispose a"]);
});

test("a call whose layer hangs past the drain is answered before closing ends", async () => {
  const hanging = definePlugin({
    name: "hanging",
    options: {},
    create: () => ({ name: "hanging", position: "protect", setup: () => ({ layer: () => () => new Promise<never>(() => undefined) }) }),
  });
  const { kernel, clock } = await testKernel({ plugins: [hanging()], tools: { t: () => ({}) } });
  const pending = kernel.call("t");
  await turn();
  const closed = kernel.close({ drainMs: 1_000 });
  clock.tick(1_000);
  clock.tick(499);
  assert.equal((await pending).error.error_code, "kernel/closing");
  await closed;
});

test("a reload swaps the catalog at once: a call in flight ends on the old one, later ones on the new, listeners are told", async () => {
  let finish: (value: object) => void = () => undefined;
  const { kernel, memory } = await testKernel({
    tools: {
      t: () =>
        new Promise<object>((resolve) => {
          finish = resolve;
        }),
      gone: () => ({}),
    },
  });
  let changes = 0;
  const stop = kernel.onListChanged(() => changes++);
  const pending = kernel.call("t");
  await turn();
  memory.add("t", { version: "1.1.0", handler: () => ({ from: "new" }) });
  memory.remove("gone");
  const { swapped, diagnostics } = await kernel.reload();
  assert.deepEqual([swapped, diagnostics], [true, []]);
  finish({ from: "old" });
  const old = await pending;
  assert.deepEqual([old.data, old.tool?.version], [{ from: "old" }, "1.0.0"]);
  assert.deepEqual((await kernel.call("t")).data, { from: "new" });
  assert.equal((await kernel.call("gone")).kind, "error");
  assert.equal(changes, 1);
  stop();
  await kernel.reload();
  assert.equal(changes, 1);
});

test("a reload of a kernel that was closed, also while it loads, changes nothing and says so", async () => {
  const { kernel, memory } = await testKernel({ tools: { t: () => ({}) } });
  memory.add("late", () => ({}));
  const reloading = kernel.reload();
  await kernel.close();
  assert.equal((await reloading).swapped, false);
  assert.equal((await kernel.reload()).swapped, false);
  assert.equal(kernel.catalog().get("late"), undefined);
});

test("a call that names no tool, or is none, is answered with what a call needs", async () => {
  const silent = (): void => {};
  const log = { debug: silent, info: silent, warn: silent, error: silent };
  const kernel = await createKernel({ config: configFromCode({}, "/"), platform: nodePlatform({ log, env: {}, fallbackFrom: import.meta.url }) });
  for (const ask of [undefined, null, "t", {}, { name: 5 }]) {
    const outcome = await kernel.call(ask as never);
    assert.equal(outcome.kind, "error");
    assert.match(outcome.kind === "error" ? `${outcome.error.error_code} ${outcome.error.how_to_fix}` : "", /kernel\/bad-ask .*call\(\{ name/);
  }
  await kernel.close();
});

test("a reload that finds an error in a served spec keeps the old catalog and says why", async () => {
  const { kernel, memory } = await testKernel({ tools: { t: () => ({ v: 1 }) } });
  memory.write("t.tool.yaml", "spec_version: 1\nname: [");
  const { swapped, diagnostics } = await kernel.reload();
  assert.equal(swapped, false);
  assert.equal(diagnostics[0]?.code, "spec/bad-yaml");
  assert.deepEqual((await kernel.call("t")).data, { v: 1 });
});

test("a reload that can't read a folder of served specs keeps the old catalog", async () => {
  const { kernel, memory } = await testKernel({ tools: { top: () => ({}), "deep/t": { name: "t", handler: () => ({ v: 1 }) } } });
  assert.equal((await kernel.call("t")).kind, "ok");
  const { list } = memory.files;
  Object.assign(memory.files, {
    list: async (folder: string) => {
      if (folder.endsWith("/deep")) throw Object.assign(new Error("EACCES"), { code: "EACCES" });
      return list(folder);
    },
  });
  const { swapped, diagnostics } = await kernel.reload();
  assert.deepEqual([swapped, diagnostics[0]?.code], [false, "spec/unreadable"]);
  assert.deepEqual((await kernel.call("t")).data, { v: 1 });
});

test("a spec that was broken before doesn't stop a reload", async () => {
  const { kernel, memory } = await testKernel({ tools: { t: () => ({ v: 1 }) } });
  memory.write("bad.tool.yaml", "nonsense: true");
  await kernel.reload();
  memory.add("t", () => ({ v: 2 }));
  assert.equal((await kernel.reload()).swapped, true);
  assert.deepEqual((await kernel.call("t")).data, { v: 2 });
});

test("a reload in which a plugin's layer throws keeps the old catalog", async () => {
  const picky = definePlugin({
    name: "picky",
    options: {},
    create: () => ({
      name: "picky",
      position: "shape",
      setup: () => ({
        layer: (tool) => {
          if (tool?.version === "2.0.0") throw new Error("not that");
          return undefined;
        },
      }),
    }),
  });
  const { kernel, memory } = await testKernel({ plugins: [picky()], tools: { t: () => ({ v: 1 }) } });
  memory.add("t", { version: "2.0.0", handler: () => ({ v: 2 }) });
  const { swapped, diagnostics } = await kernel.reload();
  assert.equal(swapped, false);
  assert.match(diagnostics.at(-1)?.message ?? "", /picky threw in layer for t: not that/);
});

const hooked = (name: string, run: object) => definePlugin({ name, options: {}, create: () => ({ name, position: "observe", setup: () => run }) })();

test("a set-up that never ends is given up after 30 s, named", async () => {
  const clock = fakeClock();
  const hanging = definePlugin({
    name: "hanging",
    options: {},
    create: () => ({ name: "hanging", position: "observe", setup: () => new Promise<never>(() => undefined) }),
  });
  const starting = testKernel({ plugins: [hanging()], clock });
  const failed = assert.rejects(starting, /The plugin hanging threw in setup: it did not end within 30 s/);
  for (let i = 0; i < 50; i++) await turn();
  clock.tick(30_000);
  await failed;
});

test("a set-up that gives something else than a running plugin is named", async () => {
  const odd = definePlugin({ name: "odd", options: {}, create: () => ({ name: "odd", position: "observe", setup: () => "x" as never }) });
  await assert.rejects(testKernel({ plugins: [odd()] }), /The plugin odd threw in setup: it gave a string/);
});

test("a dispose that never ends is left behind, named in the log", async () => {
  const seen: string[] = [];
  const { kernel, clock, logs } = await testKernel({
    plugins: [logged("first", seen), hooked("hanging", { dispose: () => new Promise<never>(() => undefined) })],
  });
  const closed = kernel.close();
  await turn();
  clock.tick(1_000);
  await closed;
  assert.deepEqual(seen, ["setup first", "dispose first"]);
  assert.match(logs[0]?.message ?? "", /plugin hanging failed in dispose/);
});

test("a health check that never answers isn't ready", async () => {
  const { kernel, clock } = await testKernel({ plugins: [hooked("hanging", { health: () => new Promise<never>(() => undefined) })] });
  const health = kernel.health();
  await turn();
  clock.tick(2_000);
  assert.deepEqual(await health, { ready: false, reasons: ["hanging: its health check did not answer"] });
});

test("health joins what the plugins say; one that throws isn't ready", async () => {
  const saying = (name: string, health: () => { ready: boolean; reason?: string }) =>
    definePlugin({ name, options: {}, create: () => ({ name, position: "observe", setup: () => ({ health }) }) })();
  const good = await testKernel({ plugins: [saying("a", () => ({ ready: true }))] });
  assert.deepEqual(await good.kernel.health(), { ready: true, reasons: [] });
  const bad = await testKernel({
    plugins: [
      saying("a", () => ({ ready: false, reason: "store down" })),
      saying("b", () => ({ ready: false })),
      saying("c", () => {
        throw new Error("secret");
      }),
    ],
  });
  assert.deepEqual(await bad.kernel.health(), { ready: false, reasons: ["a: store down", "b: not ready", "c: its health check failed"] });
});

test("a reload tells of the list of tools only when a spec came, went or differs", async () => {
  const { kernel, memory } = await testKernel({ tools: { a: () => ({ v: 1 }) } });
  const told: (readonly string[])[] = [];
  kernel.onListChanged((lists) => told.push(lists));
  const toldAfter = async (change: () => void): Promise<number> => {
    told.length = 0;
    change();
    await kernel.reload();
    return told.length;
  };
  assert.equal(await toldAfter(() => {}), 0);
  assert.equal(await toldAfter(() => memory.add("a", { handler: () => ({ v: 2 }) })), 0);
  assert.deepEqual((await kernel.call("a")).data, { v: 2 });
  assert.equal(await toldAfter(() => memory.add("a", { title: "An A", handler: () => ({ v: 2 }) })), 1);
  assert.equal(await toldAfter(() => memory.add("b", { handler: () => ({}) })), 1);
  assert.equal(await toldAfter(() => memory.remove("b")), 1);
});

test("where a plugin decides what is listed, each reload tells of the list of tools", async () => {
  const lister: Plugin = { name: "lister", position: "observe", setup: () => ({ listTools: (_query, next) => next() }) };
  for (const [plugins, expected] of [
    [[lister], 1],
    [[], 0],
  ] as const) {
    const { kernel } = await testKernel({ plugins, tools: { a: () => ({}) } });
    assert.equal(kernel.variesList, expected === 1);
    let told = 0;
    kernel.onListChanged(() => told++);
    await kernel.reload();
    assert.equal(told, expected);
  }
});
