import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { checkSpecs, configFromCode, createKernel, type Platform } from "@fettle/kernel";
import { briefly, HANDLER, machine, project, specText } from "../../test/project.js";

const files = (folder: string, ...names: string[]): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => [
      [join(folder, `${name}.tool.yaml`), specText(name)],
      [join(folder, `${name}.handler.mjs`), HANDLER],
    ]),
  );
const check = (folder: string, tools: readonly string[] = ["."], platform = machine()) =>
  checkSpecs({ config: configFromCode({ tools: [...tools] }, folder), platform });
const below = (folder: string, paths: readonly string[]): string[] => paths.map((path) => path.slice(folder.length + 1));

test("links that lead back multiply nothing, and every file has its own path", async () => {
  const { folder } = project({ ...files("z", "a", "b"), ...files("z/deep", "c") });
  symlinkSync(".", join(folder, "again"));
  symlinkSync("..", join(folder, "z/back"));
  symlinkSync("z", join(folder, "a-link"));
  const { diagnostics, files: found } = await check(folder);
  assert.deepEqual(diagnostics, []);
  assert.deepEqual(below(folder, found), ["z/a.tool.yaml", "z/b.tool.yaml", "z/deep/c.tool.yaml"]);
});

test("a folder outside is followed once, whichever links lead there", async () => {
  const outside = project(files("deep", "a"));
  const { folder } = project(files(".", "b"));
  symlinkSync(outside.folder, join(folder, "one"));
  symlinkSync(outside.folder, join(folder, "two"));
  symlinkSync(join(outside.folder, "deep"), join(folder, "three"));
  const { diagnostics, files: found } = await check(folder);
  assert.deepEqual(diagnostics, []);
  assert.deepEqual(below(folder, found), ["b.tool.yaml", "one/deep/a.tool.yaml"]);
});

test("of two folders of the config one may lead into the other", async () => {
  const { folder } = project({ ...files("one", "a"), ...files("two", "b") });
  symlinkSync("../two", join(folder, "one/two"));
  symlinkSync("two", join(folder, "alias"));
  const { diagnostics, files: found } = await check(folder, ["one", "two", "alias"]);
  assert.deepEqual(diagnostics, []);
  assert.deepEqual(below(folder, found), ["one/a.tool.yaml", "two/b.tool.yaml"]);
});

test("whatever is called like a spec and can't be one is told, and nothing waits for it", async () => {
  const { folder } = project({ ...files(".", "a"), ...files("b.tool.yaml", "inside") });
  symlinkSync("nowhere", join(folder, "gone.tool.yaml"));
  symlinkSync("itself.tool.yaml", join(folder, "itself.tool.yaml"));
  execFileSync("mkfifo", [join(folder, "pipe.tool.yaml")]);
  const { diagnostics, catalog } = await check(folder);
  assert.deepEqual(
    catalog.tools.map(({ name }) => name),
    ["a", "inside"],
  );
  assert.deepEqual(
    diagnostics.map(({ code, file, message, hint }) => [code, file.slice(folder.length + 1), message, hint]),
    [
      ["spec/unreadable", "b.tool.yaml", "This is a folder and no file (EISDIR)", "Put a file in its place, or give it a name that doesn't end in .tool.yaml."],
      ["spec/unreadable", "gone.tool.yaml", "This is a link that leads nowhere (ENOENT)", "Mend the link, or delete it."],
      ["spec/unreadable", "itself.tool.yaml", "This is a link that leads back to itself (ELOOP)", "Mend the link, or delete it."],
      [
        "spec/unreadable",
        "pipe.tool.yaml",
        "This is a pipe, a socket or a device, and no file (EFTYPE)",
        "Put a file in its place, or give it a name that doesn't end in .tool.yaml.",
      ],
    ],
  );
  const named = await checkSpecs({ config: configFromCode({}, folder), platform: machine(), paths: [join(folder, "pipe.tool.yaml")] });
  assert.deepEqual(briefly(named.diagnostics), ["error spec/unreadable pipe.tool.yaml:1:1"]);
});

/** The machine with folders that this user may not read: the real root user may read everything. */
function without(...denied: readonly string[]): Platform {
  const real = machine();
  const list = async (folder: string) => {
    if (denied.includes(folder)) throw Object.assign(new Error("EACCES: permission denied"), { code: "EACCES" });
    return real.files.list(folder);
  };
  return { ...real, files: { ...real.files, list } };
}

test("a folder below that can't be read is a finding of its own, and the others are served", async () => {
  const { folder } = project({ ...files("tools", "a"), ...files("tools/secret", "b") });
  const secret = join(folder, "tools/secret");
  const { diagnostics } = await check(folder, ["tools"], without(secret));
  assert.deepEqual(briefly(diagnostics), ["error spec/unreadable secret:1:1"]);
  assert.equal(diagnostics[0]?.message, `The folder ${secret} can't be read (EACCES): specs in it are not served`);
  const kernel = await createKernel({ config: configFromCode({ tools: ["tools"] }, folder), platform: without(secret) });
  assert.deepEqual(
    kernel.catalog().tools.map(({ name }) => name),
    ["a"],
  );
});

test("a folder of the config that can't be read, or is a file, is told as such", async () => {
  const { folder } = project({ ...files("tools", "a"), "file.txt": "" });
  const { diagnostics } = await check(folder, ["tools", "file.txt"], without(join(folder, "tools")));
  assert.deepEqual(
    diagnostics.map(({ code, message, hint }) => [code, message.replace(`${folder}/`, ""), hint]),
    [
      ["config/folder-missing", "The folder file.txt can't be read (ENOTDIR)", "Name the folder that the file is in."],
      ["config/folder-missing", "The folder tools can't be read (EACCES)", "See that this user may read it."],
    ],
  );
});

test("an empty folder and a very deep one are no trouble", async () => {
  const deep = Array(60).fill("d").join("/");
  const { folder } = project(files(deep, "a"));
  mkdirSync(join(folder, "empty"));
  assert.equal((await check(folder)).catalog.tools.length, 1);
});
