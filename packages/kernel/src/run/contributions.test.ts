import assert from "node:assert/strict";
import { test } from "node:test";
import { definePlugin, type Host, internalError, type ListName, type PluginRun, type Prompt, toolErrorFrom } from "@fettle/contract";
import { testKernel } from "@fettle/testkit";

const running = (name: string, setup: (host: Host) => PluginRun) => definePlugin({ name, options: {}, create: () => ({ name, position: "observe", setup }) })();
const prompt = (name: string): Prompt => ({ name, get: () => ({ messages: [] }) });
const names = (prompts: readonly Prompt[]): readonly string[] => prompts.map(({ name }) => name);

test("invalidateLists tells listeners which lists changed: those named, each once, else that of the tools", async () => {
  let invalidate: Host["invalidateLists"] = () => undefined;
  const plugin = running("p", (host) => {
    invalidate = host.invalidateLists;
    return {};
  });
  const { kernel } = await testKernel({ plugins: [plugin] });
  const told: (readonly ListName[])[] = [];
  const stop = kernel.onListChanged((lists) => told.push(lists));
  invalidate();
  invalidate("prompts", "resources", "prompts");
  stop();
  invalidate();
  assert.deepEqual(told, [["tools"], ["prompts", "resources"]]);
});

test("contributions and commands of all plugins are there", async () => {
  const prompt = { name: "p", get: () => ({ messages: [] }) };
  const resource = { name: "r", uri: "x://r", read: () => [] };
  const template = { name: "t", uriTemplate: "x://{a}", read: () => [] };
  const route = { method: "GET" as const, path: "/x", handle: () => ({ status: 204 }) };
  const command = { name: "c", summary: "Does it.", run: () => 0 };
  const plugin = definePlugin({
    name: "all",
    options: {},
    create: () => ({
      name: "all",
      position: "observe",
      commands: [command],
      setup: () => ({ prompts: [prompt], resources: [resource], resourceTemplates: [template], routes: [route] }),
    }),
  });
  const { kernel } = await testKernel({ plugins: [plugin()] });
  assert.deepEqual(
    [kernel.prompts, kernel.resources, kernel.resourceTemplates, kernel.routes, kernel.commands],
    [[prompt], [resource], [template], [route], [command]],
  );
});

test("what a plugin contributes is read anew each time, whether it changes its array or has a getter", async () => {
  const own = [prompt("a")];
  let late: Prompt[] = [];
  const { kernel } = await testKernel({
    plugins: [
      running("array", () => ({ prompts: own })),
      running("getter", () => ({
        get prompts() {
          return late;
        },
      })),
    ],
  });
  assert.deepEqual(names(kernel.prompts), ["a"]);
  own.push(prompt("b"));
  late = [prompt("c")];
  assert.deepEqual(names(kernel.prompts), ["a", "b", "c"]);
});

test("a plugin with an empty list says that it may contribute later; one without says nothing", async () => {
  const none = await testKernel({ plugins: [running("p", () => ({}))] });
  assert.deepEqual(none.kernel.contributes, { prompts: false, resources: false });
  const empty = await testKernel({ plugins: [running("p", () => ({ prompts: [] })), running("q", () => ({ resourceTemplates: [] }))] });
  assert.deepEqual(empty.kernel.contributes, { prompts: true, resources: true });
});

test("of two prompts with one name, and of two resources at one URI, the first plugin's counts", async () => {
  const [first, second] = [prompt("same"), prompt("same")];
  const resource = { uri: "x://same", name: "first", read: () => [] };
  const { kernel } = await testKernel({
    plugins: [
      running("p", () => ({ prompts: [first], resources: [resource] })),
      running("q", () => ({ prompts: [second, prompt("other")], resources: [{ ...resource, name: "second" }] })),
    ],
  });
  assert.equal(kernel.prompts[0], first);
  assert.deepEqual(names(kernel.prompts), ["same", "other"]);
  assert.deepEqual(kernel.resources, [resource]);
});

test("a template that is none is named in the log when the plugin starts, with plugin and template, and once", async () => {
  const { kernel, logs } = await testKernel({
    plugins: [running("p", () => ({ resourceTemplates: [{ name: "t", uriTemplate: "x://{", read: () => [] }] }))],
  });
  const told = (): readonly string[] => logs.filter(({ level }) => level === "error").map(({ message }) => message);
  assert.equal(told().length, 1);
  assert.match(told()[0] ?? "", /^plugin p gave resourceTemplates\[0\] that can't be served: its uriTemplate "x:\/\/\{" is none by RFC 6570/);
  assert.deepEqual(kernel.resourceTemplates, []);
  assert.equal(told().length, 1);
});

test("a plugin whose list throws or is none costs the others nothing, and the log names it", async () => {
  const { kernel, logs } = await testKernel({
    plugins: [
      running("throws", () => ({
        get prompts(): Prompt[] {
          throw new Error("secret");
        },
      })),
      running("nonsense", () => ({ prompts: {} as never })),
      running("sound", () => ({ prompts: [prompt("a")] })),
    ],
  });
  assert.deepEqual(names(kernel.prompts), ["a"]);
  const told = logs.filter(({ level }) => level === "error").map(({ message }) => message);
  assert.deepEqual(told, [
    "plugin throws threw when it was asked for its prompts; none of its prompts are served",
    "plugin nonsense gave something that is no list of prompts; none of its prompts are served",
  ]);
});

test("a tool error of a contribution is given as it is, thrown or returned, and its cause is logged once; so is a fault without one", async () => {
  const own = prompt("a");
  const { kernel, logs } = await testKernel({ plugins: [running("p", () => ({ prompts: [own] }))] });
  assert.deepEqual(kernel.prompts, [own]);
  const missing = () => toolErrorFrom(Object.assign(new Error("at /srv/secret"), { code: "ENOENT" }), { doing: "read it" });
  const made = { thrown: () => Promise.reject(missing()), returned: missing, fault: () => Promise.reject(internalError("p/broken", { what: "W." })) };
  for (const [how, run] of Object.entries(made)) {
    const before = logs.length;
    const code = how === "fault" ? "p/broken" : "system/not-found";
    await assert.rejects(kernel.contribute({ of: own, hook: "prompts.get", subject: "The prompt a" }, run as () => never), { code });
    assert.equal(logs.length, before + 1);
    assert.equal(logs.at(-1)?.message, `plugin p failed in its prompts.get hook: ${code}`);
  }
  assert.equal(logs[0]?.fields["error_message"], "at /srv/secret");
});
