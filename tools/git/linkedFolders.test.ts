import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ScratchRepository } from "./scratchRepository.js";
import { BY, data, kernel, onRepository } from "./test/onRepository.js";
import { realGit } from "./test/openTools.js";

/** Puts a link in the place of a tracked folder. */
async function replace(repository: ScratchRepository, folder: string, target: string): Promise<void> {
  await rm(join(repository.root, folder), { recursive: true, force: true });
  await symlink(target, join(repository.root, folder));
}

const paths = (answer: { matches: readonly { path: string }[] }) => answer.matches.map((match) => match.path);

onRepository("a search never reads through a folder that was replaced by a link out of the root, into .git or elsewhere", async (repository) => {
  await writeFile(join(repository.outside, "passwd"), "needle secret\n");
  await mkdir(join(repository.outside, "deep/er"), { recursive: true });
  await writeFile(join(repository.outside, "deep/er/f"), "needle secret\n");
  const files = { "etc/passwd": "x\n", "x/config": "x\n", "a/deep/er/f": "x\n", "same/f.txt": "x\n", "src/f.txt": "needle here\n", "z.txt": "needle z\n" };
  await repository.commit("First", BY, files);
  await repository.git("config", "user.needle", "needle secret");
  await replace(repository, "etc", repository.outside);
  await replace(repository, "x", ".git");
  await replace(repository, "a/deep", join(repository.outside, "deep"));
  await replace(repository, "same", "src");
  for (const path of [undefined, ".", "a"] as const) {
    const answer = await data("git_search", { pattern: "needle", ...(path !== undefined && { path }) });
    assert.deepEqual(paths(answer), path === "a" ? [] : ["src/f.txt", "z.txt"]);
    assert.doesNotMatch(JSON.stringify(answer), /secret/);
  }
  // Pages count what is shown.
  const first = await data("git_search", { pattern: "needle", limit: 1 });
  assert.deepEqual([paths(first), first.next_cursor], [["src/f.txt"], "1"]);
  const second = await data("git_search", { pattern: "needle", limit: 1, cursor: "1" });
  assert.deepEqual([paths(second), second.next_cursor], [["z.txt"], undefined]);
});

onRepository("a search doesn't read through a linked folder whose name isn't UTF-8", async (repository) => {
  await writeFile(join(repository.outside, "f"), "needle secret\n");
  const blob = execFileSync(realGit(), ["hash-object", "-w", "--stdin"], { cwd: repository.root, input: "x\n", env: { ...repository.env } })
    .toString()
    .trim();
  const folder = Buffer.from("caf\xe9", "latin1");
  const input = Buffer.concat([Buffer.from(`100644 ${blob}\t`), folder, Buffer.from("/f\0")]);
  execFileSync(realGit(), ["update-index", "-z", "--index-info"], { cwd: repository.root, input, env: { ...repository.env } });
  await symlink(repository.outside, Buffer.concat([Buffer.from(`${repository.root}/`), folder]));
  assert.deepEqual(paths(await data("git_search", { pattern: "needle" })), []);
});

onRepository(
  "the diff, the status and a commit don't read through a folder that was replaced by a link, not even where it is in conflict",
  async (repository) => {
    await writeFile(join(repository.outside, "passwd"), "SECRET\n");
    await repository.commit("First", BY, { "etc/passwd": "base\n" });
    await repository.git("switch", "--quiet", "--create", "side");
    await repository.commit("Side", BY, { "etc/passwd": "side\n" });
    await repository.git("switch", "--quiet", "main");
    await repository.commit("Main", BY, { "etc/passwd": "main\n" });
    await repository.git("merge", "side").catch(() => undefined);
    await replace(repository, "etc", repository.outside);
    const seen = [await data("git_diff"), await data("git_diff", { base: "HEAD" }), await data("git_status"), await data("git_diff", { staged: true })];
    assert.doesNotMatch(JSON.stringify(seen), /SECRET/);
    assert.equal(seen[0].files[0].path, "etc/passwd");
    await repository.git("reset", "--quiet", "HEAD");
    await repository.git("merge", "--quit");
    assert.doesNotMatch(JSON.stringify([await data("git_diff"), await data("git_diff", { base: "HEAD" })]), /SECRET/);
    await data("git_commit", { message: "All", paths: ["."] });
    assert.doesNotMatch(await repository.git("log", "-p", "--all"), /SECRET/);
    assert.doesNotMatch(JSON.stringify(await kernel.call("git_show", { view: "file", path: "etc/passwd", ref: "HEAD" })), /SECRET/);
  },
);

onRepository("a git folder in the work tree under another name is neither committed, listed, compared nor searched", async (repository) => {
  await repository.commit("First", BY, { "a.txt": "needle\n" });
  await repository.git("init", "--quiet", "--separate-git-dir", join(repository.root, "data"));
  await repository.git("config", "user.token", "needle-secret");
  await repository.write({ "a.txt": "needle two\n" });
  assert.deepEqual(
    (await data("git_status")).files.map((file: { path: string }) => file.path),
    ["a.txt"],
  );
  assert.equal((await data("git_commit", { message: "All", paths: ["."] })).files_total, 1);
  assert.equal((await kernel.call("git_commit", { message: "x", paths: ["data"] })).error.error_code, "git/path-in-git-folder");
  // Tracked all the same, by somebody else.
  await repository.git("add", "data/config");
  await repository.git("config", "user.other", "needle-secret");
  assert.deepEqual(paths(await data("git_search", { pattern: "needle" })), ["a.txt"]);
  assert.doesNotMatch((await data("git_diff")).patch, /secret/);
});

onRepository("the shared git folder of a linked work tree is off limits too", async (repository) => {
  await repository.commit("First", BY, { "a.txt": "one\n" });
  const linked = join(repository.outside, "linked");
  await repository.git("worktree", "add", "--quiet", linked, "-b", "linked");
  await rename(join(repository.root, ".git"), join(linked, "shared"));
  await writeFile(join(linked, ".git"), `gitdir: ${join(linked, "shared/worktrees/linked")}\n`);
  const { env } = await import("./test/onRepository.js");
  env.GIT_TOOLS_ROOT = linked;
  assert.equal((await kernel.call("git_commit", { message: "x", paths: ["shared/config"] })).error.error_code, "git/path-in-git-folder");
  assert.deepEqual((await data("git_status")).files, []);
});

onRepository("a path through a linked folder inside of the root means the file that the link leads to", async (repository) => {
  await repository.commit("First", BY, { "src/b.txt": "needle\n", "old/c.txt": "needle\n" });
  await rm(join(repository.root, "old"), { recursive: true });
  await symlink("src", join(repository.root, "inside"));
  await symlink("src", join(repository.root, "old"));
  await repository.write({ "src/b.txt": "needle two\n" });
  assert.equal((await data("git_status", { path: "inside/b.txt" })).files[0].path, "src/b.txt");
  assert.equal((await data("git_diff", { path: "inside/b.txt" })).files_total, 1);
  assert.equal((await data("git_log", { path: "inside/b.txt" })).commits.length, 1);
  assert.equal((await data("git_blame", { path: "inside/b.txt" })).path, "src/b.txt");
  assert.equal((await data("git_show", { path: "inside/b.txt", view: "file" })).file.path, "src/b.txt");
  assert.deepEqual(paths(await data("git_search", { pattern: "needle", path: "inside/b.txt" })), ["src/b.txt"]);
  // What a commit holds under the path that was sent goes first.
  assert.equal((await data("git_show", { path: "old/c.txt", view: "file" })).file.path, "old/c.txt");
});
