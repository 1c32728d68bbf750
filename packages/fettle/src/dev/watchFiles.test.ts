import assert from "node:assert/strict";
import { mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, utimesSync, writeFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { tempProject } from "../../test/tempProject.js";
import { until } from "../../test/until.js";
import { type Watched, watchFiles } from "./watchFiles.js";

interface Watching {
  path(name: string): string;
  watch(what: Partial<Watched>, since?: number): void;
  /** Waits until the listener was told of all of these since this was asked last. */
  tells(...names: readonly string[]): Promise<void>;
  /** All bursts so far, each with the names in it, sorted. */
  readonly bursts: readonly (readonly string[])[];
}

/** Watches a folder that the test may do anything in. */
async function watching(t: TestContext, files: Readonly<Record<string, string>>): Promise<Watching> {
  const { folder, path } = await tempProject(t, files);
  const bursts: (readonly string[])[] = [];
  let read = 0;
  const watcher = watchFiles({
    changed: (paths) => bursts.push(paths.map((each) => each.slice(folder.length + 1)).sort()),
    failed: (error) => assert.fail(error),
  });
  t.after(() => watcher.close());
  return {
    path,
    bursts,
    watch: ({ deep = [], flat = [], read: files = [] }, since = Date.now() + 60_000) =>
      watcher.watch({ deep: deep.map(path), flat: flat.map(path), read: files.map(path) }, since),
    async tells(...names) {
      const seen = (): Set<string> => new Set(bursts.slice(read).flat());
      await until(
        () => names.every((name) => seen().has(name)),
        () => `${names}; there were ${[...seen()]}`,
        20_000,
      );
      read = bursts.length;
    },
  };
}

test("a folder that is replaced at once, also one below, is watched as it was before, again and again", async (t) => {
  const { path, watch, tells } = await watching(t, { "tools/a.tool.yaml": "", "tools/sub/b.tool.yaml": "" });
  watch({ deep: ["tools"], flat: [""] });
  for (const folder of ["tools/sub", "tools", "tools/sub", "tools"]) {
    rmSync(path(folder), { recursive: true });
    mkdirSync(path(folder));
    writeFileSync(path(`${folder}/c.tool.yaml`), "new");
    await tells(`${folder}/c.tool.yaml`, ...(folder === "tools" ? ["tools"] : []));
    // What comes right after the folder was noticed, and what is changed later.
    mkdirSync(path("tools/sub"), { recursive: true });
    writeFileSync(path("tools/sub/b.tool.yaml"), "back");
    await tells("tools/sub/b.tool.yaml");
    writeFileSync(path("tools/sub/b.tool.yaml"), "changed");
    writeFileSync(path(`${folder}/c.tool.yaml`), "changed too");
    await tells("tools/sub/b.tool.yaml", `${folder}/c.tool.yaml`);
  }
});

test("a folder that is moved away and back is told of, and so are the changes made to it elsewhere", async (t) => {
  const { path, watch, tells } = await watching(t, { "tools/a.tool.yaml": "one" });
  watch({ deep: ["tools"] });
  renameSync(path("tools"), path("away"));
  renameSync(path("away"), path("tools"));
  await tells("tools");
  renameSync(path("tools"), path("away"));
  await tells("tools", "tools/a.tool.yaml");
  writeFileSync(path("away/a.tool.yaml"), "two");
  renameSync(path("away"), path("tools"));
  await tells("tools", "tools/a.tool.yaml");
  writeFileSync(path("tools/a.tool.yaml"), "three");
  await tells("tools/a.tool.yaml");
});

test("what nobody keeps specs in is left out: hidden folders, node_modules, dist, and other kinds of files", async (t) => {
  const { path, watch, tells, bursts } = await watching(t, { "a.tool.yaml": "", "flat/b.mjs": "", "flat/below/c.mjs": "" });
  watch({ deep: [""], flat: ["flat"] });
  for (const folder of [".fettle", ".git", "node_modules", "dist", "src/node_modules"]) {
    mkdirSync(path(folder), { recursive: true });
    writeFileSync(path(`${folder}/x.tool.yaml`), "");
  }
  for (const name of ["notes.txt", ".a.tool.yaml", "a.tool.yaml~", "src/log"]) writeFileSync(path(name), "");
  writeFileSync(path("a.tool.yaml"), "changed");
  await tells("a.tool.yaml");
  assert.deepEqual(bursts, [["a.tool.yaml"]]);
});

test("of a flat folder what is below isn't told of", async (t) => {
  const { path, watch, tells, bursts } = await watching(t, { "lib/a.mjs": "", "lib/below/b.mjs": "" });
  watch({ flat: ["lib"] });
  writeFileSync(path("lib/below/b.mjs"), "changed");
  writeFileSync(path("lib/a.mjs"), "changed");
  await tells("lib/a.mjs");
  assert.deepEqual(bursts, [["lib/a.mjs"]]);
});

test("in a folder that wasn't watched, what was changed, came or went since the load counts", async (t) => {
  const { path, watch, tells, bursts } = await watching(t, { "lib/old.mjs": "", "lib/gone.mjs": "", "lib/changed.mjs": "", "other/gone.mjs": "" });
  const old = Date.now();
  // Clocks of file systems may be behind a little.
  await until(
    () => Date.now() > old + 100,
    () => "the clock to go on",
  );
  const since = Date.now();
  writeFileSync(path("lib/changed.mjs"), "changed");
  writeFileSync(path("lib/new.mjs"), "");
  unlinkSync(path("lib/gone.mjs"));
  rmSync(path("other"), { recursive: true });
  watch({ flat: ["lib", "other"], read: ["lib/old.mjs", "lib/gone.mjs", "lib/changed.mjs", "other/gone.mjs"] }, since);
  await tells("lib/changed.mjs");
  assert.deepEqual(bursts, [["lib/changed.mjs", "lib/gone.mjs", "lib/new.mjs", "other/gone.mjs"]]);
});

test("a folder that doesn't exist yet is told of when it comes, with what is in it", async (t) => {
  const { path, watch, tells } = await watching(t, {});
  watch({ deep: ["tools"], flat: ["lib/deep"] });
  mkdirSync(path("tools/sub"), { recursive: true });
  writeFileSync(path("tools/sub/a.tool.yaml"), "");
  mkdirSync(path("lib/deep"), { recursive: true });
  writeFileSync(path("lib/deep/b.mjs"), "");
  await tells("tools", "tools/sub/a.tool.yaml", "lib/deep/b.mjs");
});

test("folders that are no longer wanted are left alone", async (t) => {
  const { path, watch, tells, bursts } = await watching(t, { "a/x.mjs": "", "b/x.mjs": "" });
  watch({ flat: ["a", "b"] });
  watch({ flat: ["b"] });
  writeFileSync(path("a/x.mjs"), "changed");
  writeFileSync(path("b/x.mjs"), "changed");
  await tells("b/x.mjs");
  assert.deepEqual(bursts, [["b/x.mjs"]]);
});

test("links are followed: of a file, of a folder, and in a circle", async (t) => {
  const { path, watch, tells } = await watching(t, { "tools/a.tool.yaml": "", "else/real.mjs": "", "else/folder/b.tool.yaml": "" });
  symlinkSync(path("else/real.mjs"), path("tools/link.mjs"));
  symlinkSync(path("else/folder"), path("tools/linked"));
  symlinkSync(path("tools"), path("tools/circle"));
  watch({ deep: ["tools"] });
  writeFileSync(path("else/real.mjs"), "changed");
  await tells("tools/link.mjs");
  writeFileSync(path("else/folder/b.tool.yaml"), "changed");
  await tells("tools/linked/b.tool.yaml");
  writeFileSync(path("tools/a.tool.yaml"), "changed");
  await tells("tools/a.tool.yaml");
});

test("a change that leaves size and time of the file as they were is told of", async (t) => {
  const { path, watch, tells } = await watching(t, { "a.mjs": "one" });
  utimesSync(path("a.mjs"), 1_000, 1_000);
  watch({ flat: [""] });
  writeFileSync(path("a.mjs"), "two");
  utimesSync(path("a.mjs"), 1_000, 1_000);
  await tells("a.mjs");
});
