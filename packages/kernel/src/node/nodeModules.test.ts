import assert from "node:assert/strict";
import { rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createKernel, loadConfig } from "@fettle/kernel";
import { nodeModules } from "@fettle/kernel/node";
import { machine, project, specText } from "../../test/project.js";

/** Files in a folder, and what the default export of one of them gives at the next generation. */
function modules(files: Readonly<Record<string, string>>) {
  const { folder } = project({ "package.json": "{}", ...files });
  const loader = nodeModules({});
  let generation = 0;
  const give = async (name: string): Promise<unknown> => {
    const { default: value } = await loader.import(join(folder, name), generation);
    return typeof value === "function" ? value() : value;
  };
  return {
    loader,
    path: (name: string) => join(folder, name),
    write: (name: string, text: string) => writeFileSync(join(folder, name), text),
    remove: (name: string) => rmSync(join(folder, name)),
    /** Imports at the generation as it is. */
    same: give,
    next: (name: string): Promise<unknown> => {
      generation += 1;
      return give(name);
    },
  };
}

/** Waits until a file is old enough that what is read now is what it holds. */
async function settled(file: string): Promise<void> {
  while (Date.now() - statSync(file).ctimeMs < 40) await new Promise((resolve) => setImmediate(resolve));
}

/** Imports each other by these endings: natively, by jiti, and one by way of the other. */
for (const [a, b] of [
  ["mjs", "mjs"],
  ["ts", "ts"],
  ["ts", "mjs"],
  ["mts", "cjs"],
  ["mjs", "cjs"],
] as const) {
  const value = (text: string | number): string => (b === "cjs" ? `module.exports = ${text};\n` : `export default ${text};\n`);
  const importing = (file: string): string => `import x from "./${file}";\nexport default () => x;\n`;

  test(`a change is loaded in a .${b} that a .${a} imports by way of another`, async () => {
    const { next, same, write } = modules({ [`a.${a}`]: importing(`m.${a}`), [`m.${a}`]: `export { default } from "./b.${b}";\n`, [`b.${b}`]: value(1) });
    assert.equal(await next(`a.${a}`), 1);
    write(`b.${b}`, value(22));
    assert.equal(await same(`a.${a}`), 1, "nothing changes within a generation");
    assert.equal(await next(`a.${a}`), 22);
    write(`b.${b}`, value(333));
    assert.equal(await next(`a.${a}`), 333);
    assert.equal(await next(`a.${a}`), 333);
  });

  // Node 20 leaves a rejected promise behind where an ES module imports CommonJS that throws, and the runner takes that for a failure.
  if (a === "mjs" && b === "cjs") continue;
  test(`a .${b} that a .${a} imports may be broken, be gone, and come back`, async () => {
    const { next, write, remove } = modules({ [`a.${a}`]: importing(`b.${b}`), [`b.${b}`]: value(1) });
    assert.equal(await next(`a.${a}`), 1);
    write(`b.${b}`, "const = 5;\n");
    await assert.rejects(next(`a.${a}`));
    await assert.rejects(next(`a.${a}`));
    write(`b.${b}`, value(2));
    assert.equal(await next(`a.${a}`), 2);
    remove(`b.${b}`);
    await assert.rejects(next(`a.${a}`));
    write(`b.${b}`, value(3));
    assert.equal(await next(`a.${a}`), 3);
    write(`b.${b}`, `throw new Error('at the top');\n${b === "cjs" ? "" : "export default 1;\n"}`);
    await assert.rejects(next(`a.${a}`), /at the top/);
    write(`b.${b}`, value(4));
    assert.equal(await next(`a.${a}`), 4);
  });
}

test("a change is loaded anew, also after a first import without generations", async () => {
  for (const name of ["a.mjs", "a.ts"]) {
    const { next, same, write } = modules({ [name]: 'export { default } from "./b.mjs";\n', "b.mjs": "export default 1;\n" });
    assert.equal(await same(name), 1);
    write("b.mjs", "export default 2;\n");
    assert.equal(await next(name), 2, name);
  }
});

test("what wasn't changed keeps its state, and is one module for all that import it", async () => {
  for (const ending of ["mjs", "ts"]) {
    const handler = `import { counter } from "./state.${ending}";\nexport default () => ++counter.value;\n`;
    const { next, same, write, path } = modules({
      [`a.${ending}`]: handler,
      [`b.${ending}`]: handler,
      [`state.${ending}`]: "export const counter = { value: 0 };\n",
      [`other.${ending}`]: "export default 1;\n",
    });
    await settled(path(`other.${ending}`));
    assert.deepEqual([await next(`a.${ending}`), await same(`b.${ending}`), await next(`a.${ending}`)], [1, 2, 3]);
    await same(`other.${ending}`);
    if (ending === "mjs") {
      write("other.mjs", "export default 22;\n");
      await settled(path("other.mjs"));
      assert.deepEqual([await next("other.mjs"), await same("a.mjs")], [22, 4]);
      write("a.mjs", `// changed\n${handler}`);
      await settled(path("a.mjs"));
      assert.deepEqual([await next("a.mjs"), await same("b.mjs")], [5, 6]);
    }
    write(`state.${ending}`, "export const counter = { value: 100 };\n");
    assert.deepEqual([await next(`a.${ending}`), await same(`b.${ending}`)], [101, 102]);
  }
});

test("a package keeps its state, whatever changes around it", async () => {
  const { next, write, path } = modules({
    "a.mjs": 'import counter from "counter";\nexport default () => ++counter.value;\n',
    "node_modules/counter/package.json": '{ "name": "counter", "type": "module", "exports": "./index.js" }',
    "node_modules/counter/index.js": "export default { value: 0 };\n",
    "elsewhere/package.json": '{ "name": "linked", "type": "module", "exports": "./index.js" }',
    "elsewhere/index.js": "export default { value: 10 };\n",
  });
  await settled(path("a.mjs"));
  assert.equal(await next("a.mjs"), 1);
  write("a.mjs", '// changed\nimport counter from "counter";\nexport default () => ++counter.value;\n');
  assert.equal(await next("a.mjs"), 2);
  symlinkSync(path("elsewhere"), path("node_modules/linked"), "dir");
  write("a.mjs", 'import counter from "linked";\nexport default () => ++counter.value;\n');
  assert.equal(await next("a.mjs"), 11);
  write("a.mjs", '// again\nimport counter from "linked";\nexport default () => ++counter.value;\n');
  assert.equal(await next("a.mjs"), 12);
});

test("two modules that import each other are loaded anew", async () => {
  for (const ending of ["mjs", "ts"]) {
    const { next, write } = modules({
      [`a.${ending}`]: `import { b } from "./b.${ending}";\nexport const a = 1;\nexport default () => b();\n`,
      [`b.${ending}`]: `import { a } from "./a.${ending}";\nexport const b = () => a + 1;\n`,
    });
    assert.equal(await next(`a.${ending}`), 2);
    write(`b.${ending}`, `import { a } from "./a.${ending}";\nexport const b = () => a + 10;\n`);
    assert.equal(await next(`a.${ending}`), 11);
  }
});

test("a change in the same moment, of the same length, is loaded at the generation after", async () => {
  for (const ending of ["mjs", "ts"]) {
    const { next, write } = modules({ [`a.${ending}`]: "export default 1;\n" });
    for (let i = 1; i < 10; i++) {
      write(`a.${ending}`, `export default ${i};\n`);
      assert.equal(await next(`a.${ending}`), i);
    }
  }
});

test("a change that puts the old time back is noticed", async () => {
  const { next, write, path } = modules({ "a.mjs": "export default 1;\n" });
  const old = new Date("2020-01-01");
  utimesSync(path("a.mjs"), old, old);
  assert.equal(await next("a.mjs"), 1);
  write("a.mjs", "export default 2;\n");
  utimesSync(path("a.mjs"), old, old);
  assert.equal(await next("a.mjs"), 2);
});

test("the files to watch are those that were loaded and those that imports stumbled over", async () => {
  const { next, loader, path, write } = modules({
    "a.ts": 'import "./lib/b.ts";\nimport "./c.mjs";\nexport default 1;\n',
    "lib/b.ts": "",
    "c.mjs": 'import "./d.mjs";\n',
    "d.mjs": "",
  });
  assert.deepEqual(loader.files(), []);
  await next("a.ts");
  assert.deepEqual([...loader.files()].filter((file) => file.startsWith(path("."))).sort(), ["a.ts", "c.mjs", "d.mjs", "lib/b.ts"].map(path));
  write("lib/b.ts", 'import "./e.ts";\n');
  write("lib/e.ts", "const = 1;\n");
  await assert.rejects(next("a.ts"));
  assert.ok(loader.files().includes(path("lib/e.ts")));
});

for (const ending of ["mjs", "ts"]) {
  test(`a .${ending} that never ends to load is begun once, and a mended one doesn't wait for it`, async () => {
    const never = "globalThis.begun = (globalThis.begun ?? 0) + 1;\nawait new Promise(() => {});\n";
    const begun = (): unknown => Reflect.get(globalThis, "begun");
    Reflect.deleteProperty(globalThis, "begun");
    const { loader, next, path, write } = modules({
      [`a.${ending}`]: `import x from "./b.${ending}";\nexport default x;\n`,
      [`b.${ending}`]: `${never}export default 1;\n`,
      [`c.${ending}`]: "export default 3;\n",
    });
    await settled(path(`c.${ending}`));
    next(`a.${ending}`).catch(() => undefined);
    while (begun() !== 1) await new Promise((resolve) => setImmediate(resolve));
    next(`a.${ending}`).catch(() => undefined);
    write(`c.${ending}`, "export default 4;\n");
    assert.equal(await next(`c.${ending}`), 4);
    assert.deepEqual(
      loader.pending().map(({ file }) => file),
      [path(`a.${ending}`)],
    );
    assert.ok(loader.files().includes(path(`b.${ending}`)), "what it waits for is watched");
    assert.equal(begun(), 1);
    write(`b.${ending}`, "export default 22;\n");
    assert.equal(await next(`a.${ending}`), 22);
    assert.deepEqual(loader.pending(), []);
  });
}

test("a reload that is aborted changes nothing, and the next one doesn't wait for it", async () => {
  const { folder, write } = project({
    "fettle.config.yaml": "tools: [.]\n",
    "t.tool.yaml": specText("t"),
    "t.handler.mjs": "export default () => ({ v: 1 });\n",
  });
  const platform = machine();
  const kernel = await createKernel({ config: await loadConfig({ file: join(folder, "fettle.config.yaml"), platform }), platform });
  const value = async (): Promise<unknown> => {
    const outcome = await kernel.call({ name: "t", args: {} });
    return outcome.kind === "ok" ? outcome.data : outcome;
  };
  write("t.handler.mjs", "await new Promise(() => {});\nexport default () => ({ v: 2 });\n");
  const hangs = new AbortController();
  const left = kernel.reload({ signal: hangs.signal });
  const next = kernel.reload({ signal: AbortSignal.abort(new Error("too late")) });
  hangs.abort(new Error("something newer"));
  await assert.rejects(left, /something newer/);
  await assert.rejects(next, /too late/);
  assert.deepEqual(await value(), { v: 1 });
  write("t.handler.mjs", "export default () => ({ v: 3 });\n");
  assert.equal((await kernel.reload()).swapped, true);
  assert.deepEqual(await value(), { v: 3 });
  await kernel.close();
});
