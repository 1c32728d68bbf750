import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile, rm, symlink, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ScratchRepository } from "./scratchRepository.js";
import { BY, clock, data, env, kernel, onRepository } from "./test/onRepository.js";
import { addHook } from "./test/openTools.js";
import { until } from "./test/until.js";

/** A test on a repository with one commit. */
function on(name: string, run: (repository: ScratchRepository) => Promise<void>): void {
  onRepository(name, async (repository) => {
    await repository.commit("First", BY, { "a.txt": "one\n", "b.txt": "one\n", "src/c.txt": "one\n" });
    await run(repository);
  });
}

const files = (commit: { files: readonly { path: string; status: string }[] }) => commit.files.map((file) => `${file.status} ${file.path}`);

on("named paths are committed alone, and what else is staged stays staged", async (repository) => {
  await repository.write({ "a.txt": "two\n", "b.txt": "two\n", "new/d.txt": "new\n" });
  await repository.git("add", "b.txt");
  await unlink(join(repository.root, "src/c.txt"));
  assert.deepEqual(files(await data("git_commit", { message: "Some", paths: ["a.txt", "new", "src"] })), [
    "modified a.txt",
    "added new/d.txt",
    "deleted src/c.txt",
  ]);
  assert.deepEqual((await data("git_status")).files, [{ path: "b.txt", staged: "modified", unstaged: "unchanged" }]);
});

on("a deletion that is staged already can be committed by its path", async (repository) => {
  await repository.git("rm", "--quiet", "a.txt");
  await repository.write({ "b.txt": "two\n" });
  assert.deepEqual(files(await data("git_commit", { message: "Drop", paths: ["a.txt", "b.txt"] })), ["deleted a.txt", "modified b.txt"]);
});

on("unchanged paths beside changed ones are no error", async (repository) => {
  await repository.write({ "a.txt": "two\n" });
  assert.deepEqual(files(await data("git_commit", { message: "One", paths: ["a.txt", "b.txt"] })), ["modified a.txt"]);
});

on("the root as a path takes everything but what is ignored", async (repository) => {
  await repository.write({ ".gitignore": "dist/\n", "dist/x.js": "x\n", "e.txt": "new\n" });
  assert.deepEqual(files(await data("git_commit", { message: "All", paths: ["."] })), ["added .gitignore", "added e.txt"]);
});

on("the message is kept as it was sent, also lines that look like comments or options", async (repository) => {
  await repository.write({ "a.txt": "two\n" });
  const message = "-m --amend $(touch pwned) `x`\n\n# not a comment\n\nLast \u{1f389} line";
  const { hash, subject } = await data("git_commit", { message, all_tracked: true });
  assert.equal(subject, "-m --amend $(touch pwned) `x`");
  assert.equal(await repository.git("log", "-1", "--format=%B", hash), `${message}\n`);
  assert.equal((await data("git_show")).commit.author, "Cleo Example");
});

on("a commit that a hook refuses changes nothing, and its words come back cut and clean", async (repository) => {
  await addHook(
    repository,
    "commit-msg",
    "grep -q TICKET \"$1\" && exit 0\nprintf '\\033[31mno ticket\\033[0m\\n' >&2\nyes 'very long' | head -c 50000 >&2\nexit 3",
  );
  await repository.write({ "a.txt": "two\n", "b.txt": "two\n", "new.txt": "new\n" });
  await repository.git("add", "b.txt");
  await repository.write({ "b.txt": "three\n" });
  const before = await repository.git("status", "--porcelain=v2", "--branch");
  const { error } = await kernel.call("git_commit", { message: "Change", paths: ["a.txt", "b.txt", "new.txt"] });
  assert.equal(error.error_code, "git/hook-rejected");
  assert.equal(error.details["hook"], "commit-msg");
  assert.equal(error.details["exit_code"], 3);
  assert.match(error.what_went_wrong, /commit-msg hook refused to let git commit\. It said:\nno ticket\n/);
  assert.ok(error.what_went_wrong.length < 2_500);
  assert.equal(error.retry_recommended, false);
  assert.equal(await repository.git("status", "--porcelain=v2", "--branch"), before);
  assert.equal((await data("git_commit", { message: "TICKET Change", paths: ["a.txt", "b.txt", "new.txt"] })).files_total, 3);
});

on("a hook that passes and one that only informs don't keep a commit from being made", async (repository) => {
  await addHook(repository, "pre-commit", "git diff --cached --quiet -- '*.md'; exit 0");
  await addHook(repository, "post-commit", "exit 1");
  await repository.write({ "a.txt": "two\n" });
  assert.equal((await data("git_commit", { message: "Change", all_tracked: true })).files_total, 1);
});

on("a filter of the repository is applied by a commit", async (repository) => {
  await repository.git("config", "filter.upper.clean", "tr a-z A-Z");
  await repository.write({ ".gitattributes": "a.txt filter=upper\n", "a.txt": "two\n" });
  await data("git_commit", { message: "Change", paths: ["a.txt"] });
  assert.equal(await repository.git("cat-file", "blob", "HEAD:a.txt"), "TWO");
});

on("a change that a filter takes back is nothing to commit", async (repository) => {
  await repository.git("config", "filter.one.clean", "echo one");
  await repository.write({ ".gitattributes": "a.txt filter=one\n" });
  await repository.commit("Filter", BY);
  await repository.write({ "a.txt": "whatever\n" });
  const { error } = await kernel.call("git_commit", { message: "Change", all_tracked: true });
  assert.equal(error.error_code, "git/nothing-to-commit");
});

on("a clean work tree and new files without all_tracked are told apart", async (repository) => {
  assert.match((await kernel.call("git_commit", { message: "x" })).error.what_went_wrong, /as the last commit left it/);
  assert.match((await kernel.call("git_commit", { message: "x", all_tracked: true })).error.what_went_wrong, /no file that git tracks/);
  await repository.write({ "new.txt": "x\n" });
  assert.equal((await kernel.call("git_commit", { message: "x", all_tracked: true })).error.error_code, "git/nothing-to-commit");
  const { error } = await kernel.call("git_commit", { message: "x" });
  assert.equal(error.error_code, "git/nothing-staged");
  assert.deepEqual(error.details["changed"], ["new.txt"]);
});

on("a path behind a link inside of the work tree is the one that the link leads to", async (repository) => {
  await symlink("src", join(repository.root, "inside"));
  await repository.write({ "src/c.txt": "two\n" });
  assert.deepEqual(files(await data("git_commit", { message: "x", paths: ["inside/c.txt"] })), ["modified src/c.txt"]);
});

on("the identity may come from GIT_CONFIG_COUNT", async (repository) => {
  for (const key of Object.keys(env)) if (/^GIT_(AUTHOR|COMMITTER)/.test(key)) delete env[key];
  Object.assign(env, {
    GIT_CONFIG_COUNT: "2",
    GIT_CONFIG_KEY_0: "user.name",
    GIT_CONFIG_VALUE_0: "Container",
    GIT_CONFIG_KEY_1: "user.email",
    GIT_CONFIG_VALUE_1: "c@example.com",
  });
  await repository.write({ "a.txt": "two\n" });
  await data("git_commit", { message: "Change", all_tracked: true });
  assert.equal((await data("git_show")).commit.author, "Container");
});

on("a branch is made at a commit without touching the work tree, or switched to with its files", async (repository) => {
  const first = await repository.git("rev-parse", "HEAD");
  await repository.commit("Second", BY, { "a.txt": "two\n" });
  assert.deepEqual(await data("git_create_branch", { name: "old", start_point: first.slice(0, 10) }), {
    name: "old",
    commit: first,
    switched: false,
    previous_branch: "main",
  });
  assert.equal(await readFile(join(repository.root, "a.txt"), "utf8"), "two\n");
  assert.equal((await data("git_create_branch", { name: "older", start_point: "HEAD~1", switch: true })).switched, true);
  assert.equal(await readFile(join(repository.root, "a.txt"), "utf8"), "one\n");
  assert.equal((await data("git_status")).branch, "older");
});

on("a refused switch leaves no branch behind, and untracked files are kept too", async (repository) => {
  await repository.commit("Second", BY, { "new.txt": "tracked\n" });
  await repository.git("rm", "--quiet", "new.txt");
  await repository.commit("Third", BY);
  await repository.write({ "new.txt": "mine\n" });
  const { error } = await kernel.call("git_create_branch", { name: "back", start_point: "HEAD~1", switch: true });
  assert.equal(error.error_code, "git/dirty-tree");
  assert.deepEqual(error.details["files"], ["new.txt"]);
  assert.match(error.what_went_wrong, /untracked files/);
  assert.equal(await repository.git("branch", "--list", "back"), "");
});

on("a post-checkout hook that fails undoes nothing and is no error", async (repository) => {
  await addHook(repository, "post-checkout", "exit 9");
  assert.equal((await data("git_create_branch", { name: "new", switch: true })).switched, true);
  assert.equal((await kernel.call("git_create_branch", { name: "new", switch: true })).error.error_code, "git/branch-exists");
});

on("a name that would be the folder of another, or lie in one, is refused with a name that fits", async () => {
  await data("git_create_branch", { name: "team/x" });
  const folder = (await kernel.call("git_create_branch", { name: "team" })).error;
  assert.equal(folder.error_code, "git/branch-exists");
  assert.match(folder.how_to_fix.join(), /team-2/);
  assert.match((await kernel.call("git_create_branch", { name: "main/x" })).error.how_to_fix.join(), /main-x/);
});

on("names that git doesn't take are refused with one that it does", async () => {
  for (const [name, suggestion] of [
    ["my branch", "my-branch"],
    ["a..b", "a.b"],
    ["feature//x", "feature/x"],
    [".hidden/x.lock", "hidden/x"],
    ["refs/heads/x", "x"],
    ["x~1^2:3", "x-1-2-3"],
    ["x@{1}", undefined],
    ["@{-1}", undefined],
    ["$(touch x)", undefined],
    ["caf\u00e9 & more", undefined],
    ["main..", "main-2"],
    ["HEAD", undefined],
    ["head", undefined],
    ["FETCH_HEAD", undefined],
    ["ORIG_HEAD", undefined],
    ["0123456789abcdef0123456789abcdef01234567", undefined],
    ["heads/x", "x-2"],
    ["tags/y", "y"],
    ["remotes/origin/z", "origin/z"],
    ["@", undefined],
    ["///", undefined],
    ["", undefined],
  ] as const) {
    const { error } = await kernel.call("git_create_branch", { name });
    assert.equal(error.error_code, "git/bad-branch-name", name);
    assert.equal(error.details["suggestion"], suggestion, name);
    if (suggestion !== undefined) await data("git_create_branch", { name: suggestion });
  }
  for (const name of ["deadbeef", "fix-429", "ahead", "feature/\u65e5\u672c"]) await data("git_create_branch", { name });
});

on("a call that is cancelled stops git and the hooks that it started, and gives its slot back", async (repository) => {
  const pid = join(repository.outside, "pid");
  await addHook(repository, "pre-commit", `trap '' TERM; echo $$ > '${pid}'; while :; do sleep 0.1; done`);
  await repository.write({ "a.txt": "two\n" });
  env.GIT_TOOLS_MAX_PROCESSES = "1";
  const controller = new AbortController();
  const running = kernel.call("git_commit", { message: "x", all_tracked: true }, { signal: controller.signal });
  await until(async () => existsSync(pid) && (await readFile(pid, "utf8")) !== "");
  assert.equal((await kernel.call("git_status", {})).error.error_code, "git/too-many-processes");
  controller.abort();
  assert.equal((await running).kind, "error");
  const hook = Number(await readFile(pid, "utf8"));
  const alive = () => {
    try {
      process.kill(hook, 0);
      return true;
    } catch {
      return false;
    }
  };
  await until(() => !alive());
  await until(async () => (await kernel.call("git_status", {})).kind === "ok");
  assert.equal((await data("git_status")).files_total, 1);
  assert.equal(await repository.git("rev-list", "--count", "HEAD"), "1");
});

on("a deadline stops git like a cancelled call", async (repository) => {
  await addHook(repository, "pre-commit", "sleep 30");
  await repository.write({ "a.txt": "two\n" });
  setTimeout(() => clock.tick(120_000), 300);
  const { error } = await kernel.call("git_commit", { message: "x", all_tracked: true });
  assert.equal(error.error_code, "kernel/deadline-exceeded");
  assert.match(error.what_went_wrong, /may have taken effect/);
});

on("a call that was cancelled before it began runs nothing", async (repository) => {
  await repository.write({ "a.txt": "two\n" });
  const outcome = await kernel.call("git_commit", { message: "x", all_tracked: true }, { signal: AbortSignal.abort() });
  assert.equal(outcome.kind, "error");
  assert.equal(await repository.git("rev-list", "--count", "HEAD"), "1");
});

on("a hook that leaves a process behind holds nothing up", async (repository) => {
  await addHook(repository, "post-commit", "sleep 20 &");
  await repository.write({ "a.txt": "two\n" });
  const started = performance.now();
  await data("git_commit", { message: "Change", all_tracked: true });
  assert.ok(performance.now() - started < 10_000);
});

on("a damaged object is told in git's words", async (repository) => {
  const blob = await repository.git("rev-parse", "HEAD:a.txt");
  const file = join(repository.root, ".git/objects", blob.slice(0, 2), blob.slice(2));
  await rm(file, { force: true });
  await writeFile(file, "garbage");
  const { error } = await kernel.call("git_show", { view: "file", path: "a.txt" });
  assert.equal(error.error_code, "git/failed");
  assert.doesNotMatch(error.what_went_wrong, /^git cat-file failed: fatal/);
});
