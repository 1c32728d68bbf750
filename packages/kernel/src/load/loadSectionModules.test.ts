import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { type ConfiguredPlugin, definePlugin, type Plugin } from "@fettle/contract";
import { checkSpecs, configFromCode, createKernel } from "@fettle/kernel";
import { briefly, HANDLER, machine, project, specText } from "../../test/project.js";

interface Section {
  readonly marks?: readonly string[];
}

/** A plugin whose section names modules; its ring adds what each of them gives to the arguments. */
function marker(rest: Partial<Plugin<Section>> = {}): ConfiguredPlugin {
  return definePlugin<object, Section>({
    name: "marker",
    options: {},
    create: () => ({
      name: "marker",
      position: "shape",
      section: { type: "object", properties: { marks: { type: "array", items: { type: "string" } } } },
      modules: ({ section }) => (section?.marks ?? []).map((reference, i) => ({ reference, path: ["marker", "marks", i] })),
      setup: () => ({
        layer(tool) {
          const marks = [...(tool?.modules ?? [])].map(([reference, run]) => [reference, run()]);
          return (_, next) => next({ args: { marks: marks as never } });
        },
      }),
      ...rest,
    }),
  })();
}

const open = (folder: string, plugin = marker()) => createKernel({ config: configFromCode({ tools: ["."] }, folder), platform: machine(), plugins: [plugin] });

test("modules are loaded as handlers are, found relative to the spec, and handed to the ring of the plugin that asked", async () => {
  const { folder } = project({
    "tools/a.tool.yaml": specText("a", { marker: { marks: ["./one.ts", "../lib/all.mjs#two", "./one.ts"] } }),
    "tools/a.handler.mjs": HANDLER,
    "tools/one.ts": "enum E { One = 1 }\nexport default (): number => E.One;\n",
    "lib/all.mjs": "export const two = () => 2;\n",
    "tools/b.tool.yaml": specText("b"),
    "tools/b.handler.mjs": HANDLER,
  });
  const kernel = await open(folder);
  assert.deepEqual(kernel.diagnostics, []);
  const marks = async (name: string): Promise<unknown> => {
    const outcome = await kernel.call({ name, args: {} });
    return outcome.kind === "ok" && outcome.data;
  };
  assert.deepEqual(await marks("a"), {
    args: {
      marks: [
        ["./one.ts", 1],
        ["../lib/all.mjs#two", 2],
      ],
    },
  });
  assert.deepEqual(await marks("b"), { args: { marks: [] } });
});

test("a tool that lacks a module isn't served, the others are, and each place that names it is told", async () => {
  const { folder } = project({
    "a.tool.yaml": specText("a", { marker: { marks: ["./chekc.mjs", "./lib/none.mjs", "./throws.mjs", "./names.mjs", "./names.mjs#chek", "./none.mjs"] } }),
    "a.handler.mjs": HANDLER,
    "check.mjs": "export default () => 1;\n",
    "throws.mjs": 'throw new Error("no list");\n',
    "names.mjs": "export const check = () => 1;\n",
    "none.mjs": "export const one = 1;\n",
    "b.tool.yaml": specText("b"),
    "b.handler.mjs": HANDLER,
  });
  const kernel = await open(folder);
  assert.deepEqual(
    kernel.catalog().tools.map(({ name }) => name),
    ["b"],
  );
  const told = kernel.diagnostics.map(({ code, message, hint }) => `${code} ${message}. ${hint}`.replaceAll(`${folder}/`, ""));
  assert.deepEqual(told, [
    'spec/module-missing There is no file ./chekc.mjs. Did you mean "./check.mjs"?',
    "spec/module-missing There is no file ./lib/none.mjs. The path is relative to this spec.",
    "spec/module-failed The module throws.mjs can't be loaded: no list. Run the module by itself to see the whole error: node throws.mjs",
    "spec/module-not-a-function The module names.mjs has no default export that is a function. It exports check: write `./names.mjs#check`, or export a default.",
    "spec/module-not-a-function The module names.mjs has no function exported as chek. It exports check: write `./names.mjs#check`, or export a default.",
    "spec/module-not-a-function The module none.mjs has no default export that is a function. Export a function as default: `export default (value) => ...`.",
  ]);
  assert.ok(kernel.diagnostics.every(({ rule, line }) => rule === "T-SECTION-3" && line > 1));
});

for (const [what, modules, message] of [
  [
    "throws",
    () => {
      throw new Error("out of order");
    },
    "The plugin marker threw in modules: out of order",
  ],
  ["gives nonsense", () => [{ reference: 1 }], "The plugin marker gave something from modules that names no module"],
  ["gives no list", () => 5, /^The plugin marker threw in modules: /],
] as const) {
  test(`a plugin that ${what} in modules keeps its tool from being served without them`, async () => {
    const { folder } = project({ "a.tool.yaml": specText("a"), "a.handler.mjs": HANDLER });
    const kernel = await open(folder, marker({ modules: modules as never }));
    assert.deepEqual(kernel.catalog().tools, []);
    assert.deepEqual(briefly(kernel.diagnostics), ["error spec/module-failed a.tool.yaml:3:11"]);
    const found = kernel.diagnostics[0]?.message ?? "";
    if (typeof message === "string") assert.equal(found, message);
    else assert.match(found, message);
  });
}

test("a reload loads a changed module again; one that is broken leaves what was served", async () => {
  const { folder } = project({
    "a.tool.yaml": specText("a", { marker: { marks: ["./m.mjs"] } }),
    "a.handler.mjs": HANDLER,
    "m.mjs": "export default () => 1;\n",
  });
  const kernel = await open(folder);
  const mark = async (): Promise<unknown> => {
    const outcome = await kernel.call({ name: "a", args: {} });
    return outcome.kind === "ok" && outcome.data;
  };
  assert.deepEqual(await mark(), { args: { marks: [["./m.mjs", 1]] } });
  await writeFile(join(folder, "m.mjs"), "export default () => 2;\n");
  assert.equal((await kernel.reload()).swapped, true);
  assert.deepEqual(await mark(), { args: { marks: [["./m.mjs", 2]] } });
  await writeFile(join(folder, "m.mjs"), "export default 3;\n");
  const { swapped, diagnostics } = await kernel.reload();
  assert.deepEqual([swapped, diagnostics[0]?.code], [false, "spec/module-not-a-function"]);
  assert.deepEqual(await mark(), { args: { marks: [["./m.mjs", 2]] } });
});

test("where handlers aren't loaded, neither are the modules of sections", async () => {
  const { folder } = project({ "a.tool.yaml": specText("a", { marker: { marks: ["./none.mjs"] } }) });
  const { diagnostics } = await checkSpecs({ config: configFromCode({ tools: ["."] }, folder), platform: machine(), plugins: [marker()], handlers: false });
  assert.deepEqual(diagnostics, []);
});
