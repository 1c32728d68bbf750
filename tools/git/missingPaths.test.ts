import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { unlink } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject } from "fettle";
import type { ScratchRepository } from "./scratchRepository.js";
import { scratchRepository } from "./scratchRepository.js";
import { BY, data, kernel, onRepository } from "./test/onRepository.js";
import { realGit } from "./test/openTools.js";

/** Calls that may be empty for a path. */
const EMPTY: readonly (readonly [string, JsonObject])[] = [
  ["git_status", {}],
  ["git_diff", {}],
  ["git_diff", { staged: true }],
  ["git_diff", { base: "HEAD~1", head: "HEAD" }],
  ["git_show", {}],
  ["git_search", { pattern: "one" }],
  ["git_search", { pattern: "one", ref: "HEAD" }],
];

function on(name: string, run: (repository: ScratchRepository) => Promise<void>): void {
  onRepository(name, async (repository) => {
    await repository.commit("First", BY, { "a.txt": "one\n", "src/retry.ts": "x\n", "gone.txt": "x\n" });
    await repository.git("rm", "--quiet", "gone.txt");
    await repository.commit("Second", BY, { "b.txt": "two\n" });
    await run(repository);
  });
}

on("a path that is nowhere is an error with the names that are like it, and no empty answer", async () => {
  for (const [name, args] of EMPTY) {
    const { error } = await kernel.call(name, { ...args, path: "src/rety.ts" });
    assert.equal(error.error_code, "git/no-such-path", `${name} ${JSON.stringify(args)}`);
    assert.deepEqual(error.details["nearest"], ["src/retry.ts"]);
  }
  const log = await data("git_log", { path: "src/rety.ts" });
  assert.deepEqual(log.commits, []);
  assert.match(log.hint, /No file is called src\/rety\.ts.*Send one of these as path: src\/retry\.ts/);
});

on("a pattern in the place of a path is answered with the wish for a plain path", async () => {
  for (const path of ["*.txt", ":(glob)**", ":/", "src/[rR]etry.ts", ":!a.txt"]) {
    for (const [name, args] of EMPTY) {
      const { error } = await kernel.call(name, { ...args, path });
      assert.equal(error.error_code, "git/no-such-path", `${name} ${path}`);
      assert.match(`${error.why_it_happened} ${error.how_to_fix.join(" ")}`, /one plain path.*Send a plain path/);
    }
    assert.match((await data("git_log", { path })).hint, /Send a plain path/);
    assert.match((await kernel.call("git_commit", { message: "x", paths: [path] })).error.how_to_fix.join(), /Send a plain path/);
  }
});

on("a path that is there, was deleted or is in one of the commits gives an empty answer as before", async (repository) => {
  await repository.write({ "untracked.txt": "x\n", ".gitignore": "dist/\n", "dist/x": "x\n" });
  for (const path of ["a.txt", "src", "dist", "untracked.txt", ".gitignore"]) {
    for (const [name, args] of EMPTY) {
      if (name === "git_search" && args["ref"] !== undefined) continue;
      assert.equal((await kernel.call(name, { ...args, path })).kind, "ok", `${name} ${path}`);
    }
    assert.equal((await data("git_log", { path, author: "Nobody" })).hint, undefined);
  }
  assert.match((await data("git_show", { path: "a.txt" })).hint, /This commit doesn't change a\.txt/);
  assert.match((await data("git_search", { pattern: "x", ref: "HEAD", path: "dist" })).hint, /dist isn't in that commit/);
  await unlink(join(repository.root, "b.txt"));
  await repository.git("add", "b.txt");
  assert.equal((await data("git_diff", { path: "b.txt" })).files_total, 0);
  assert.equal((await data("git_diff", { base: "HEAD~1", head: "HEAD", path: "gone.txt" })).files[0].status, "deleted");
  assert.equal((await data("git_log", { path: "gone.txt" })).commits.length, 2);
});

on("a name that isn't UTF-8 is said to be so, and isn't proposed", async (repository) => {
  const blob = await repository.git("rev-parse", "HEAD:a.txt");
  const input = Buffer.concat([Buffer.from(`100644 ${blob}\t`), Buffer.from("caf\xe9.txt", "latin1"), Buffer.from("\0")]);
  execFileSync(realGit(), ["update-index", "-z", "--index-info"], { cwd: repository.root, input, env: { ...repository.env } });
  await repository.git("commit", "--quiet", "--message=Third");
  const path = (await data("git_show")).files[0].path;
  for (const [name, args] of [
    ["git_show", { view: "file", path }],
    ["git_blame", { path }],
    ["git_search", { pattern: "x", path }],
    ["git_commit", { message: "x", paths: [path] }],
  ] as const) {
    const { error } = await kernel.call(name, args);
    assert.equal(error.error_code, "git/no-such-path", name);
    assert.match(error.why_it_happened, /isn't UTF-8/);
    assert.deepEqual(error.details["nearest"], []);
  }
  assert.deepEqual((await kernel.call("git_blame", { path: "cafe.txt" })).error.details["nearest"], []);
});

on("a path in a submodule is told as such by all tools", async (repository) => {
  const other = await scratchRepository();
  await other.commit("Inner", BY, { "inner.txt": "one\n" });
  await repository.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other.root, "sub");
  await repository.commit("Add sub", BY);
  for (const path of ["sub/inner.txt", "sub/nowhere.txt"]) {
    for (const [name, args] of [
      ["git_commit", { message: "x", paths: [path] }],
      ["git_show", { view: "file", path }],
      ["git_blame", { path }],
    ] as const) {
      const { error } = await kernel.call(name, args);
      assert.equal(error.error_code, "git/no-such-path", name);
      assert.match(error.what_went_wrong, /is no file of this repository/);
      assert.match(error.why_it_happened, /It lies in sub, which is a submodule/);
    }
  }
  assert.equal((await kernel.call("git_status", { path: "sub/nowhere.txt" })).error.error_code, "git/no-such-path");
  await other.dispose();
});
