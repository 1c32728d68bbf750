import assert from "node:assert/strict";
import { readdir, readFile, stat, unlink, utimes } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { ScratchRepository } from "./scratchRepository.js";
import { BY, clock, data, env, kernel, onRepository } from "./test/onRepository.js";
import { addHook } from "./test/openTools.js";
import { until } from "./test/until.js";
import { writerTurn } from "./writerTurn.js";

const indexOf = (repository: ScratchRepository): Promise<Buffer> => readFile(join(repository.root, ".git/index"));

/** Nothing of a commit that wasn't made is left in the git folder. */
async function assertClean(repository: ScratchRepository): Promise<void> {
  const left = (await readdir(join(repository.root, ".git"))).filter((name) => /lock|^index\./.test(name));
  assert.deepEqual(left, []);
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

function on(name: string, run: (repository: ScratchRepository) => Promise<void>): void {
  onRepository(name, async (repository) => {
    await repository.commit("First", BY, { "a.txt": "one\n", "b.txt": "one\n", "c.txt": "one\n" });
    await run(repository);
    await assertClean(repository);
  });
}

on("commits that are asked for at the same time are made one after the other, and each tells its own", async (repository) => {
  const names = Array.from({ length: 8 }, (_, i) => `new/${i}.txt`);
  await repository.write(Object.fromEntries(names.map((name) => [name, `${name}\n`])));
  const made = await Promise.all(names.map((name) => data("git_commit", { message: `Add ${name}`, paths: [name] })));
  assert.equal(new Set(made.map(({ hash }) => hash)).size, names.length);
  for (const [i, { hash, files }] of made.entries()) {
    assert.deepEqual(
      files.map((file: { path: string }) => file.path),
      [names[i]],
    );
    assert.equal(await repository.git("log", "-1", "--format=%s", hash), `Add ${names[i]}`);
  }
  assert.equal((await data("git_status")).clean, true);
  assert.equal(await repository.git("rev-list", "--count", "HEAD"), "9");
});

on("commits beside one that a hook refuses lose nothing, and neither does the index", async (repository) => {
  await addHook(repository, "commit-msg", 'sleep 0.1; ! grep -q BAD "$1"');
  await repository.write({ "x.txt": "x\n", "y.txt": "y\n", "z.txt": "z\n", "b.txt": "two\n" });
  await repository.git("add", "b.txt");
  const outcomes = await Promise.all(
    [
      ["x.txt", "Good x"],
      ["y.txt", "BAD y"],
      ["z.txt", "Good z"],
    ].map(([path, message]) => kernel.call("git_commit", { message: `${message}`, paths: [`${path}`] })),
  );
  assert.deepEqual(
    outcomes.map((outcome) => (outcome.kind === "error" ? outcome.error.error_code : "made")),
    ["made", "git/hook-rejected", "made"],
  );
  assert.equal(await repository.git("status", "--porcelain"), "M  b.txt\n?? y.txt");
});

on("another process that holds git's lock is told as such, and its lock is left alone", async (repository) => {
  await repository.write({ "a.txt": "two\n", ".git/index.lock": "" });
  for (const args of [{ paths: ["a.txt"] }, { all_tracked: true }, {}]) {
    const { error } = await kernel.call("git_commit", { message: "x", ...args });
    assert.equal(error.error_code, "git/locked");
    assert.equal(error.retry_recommended, true);
  }
  await unlink(join(repository.root, ".git/index.lock"));
});

on("git itself can't write to the index while a commit's hooks run, as with git's own commits of named files", async (repository) => {
  await addHook(repository, "pre-commit", `env -u GIT_INDEX_FILE git add b.txt 2>'${join(repository.outside, "said")}'; exit 0`);
  await repository.write({ "a.txt": "two\n", "b.txt": "two\n" });
  await data("git_commit", { message: "x", paths: ["a.txt"] });
  assert.match(await readFile(join(repository.outside, "said"), "utf8"), /index\.lock': File exists/);
});

on("a commit that a hook refuses leaves the index as it was, byte for byte", async (repository) => {
  await addHook(repository, "pre-commit", "exit 1");
  await repository.git("update-index", "--skip-worktree", "b.txt");
  await repository.git("update-index", "--assume-unchanged", "c.txt");
  await repository.write({ "planned.txt": "x\n", "a.txt": "two\n", "staged.txt": "x\n", "new.txt": "x\n" });
  await repository.git("add", "--intent-to-add", "planned.txt");
  await repository.git("add", "staged.txt");
  const flags = await repository.git("ls-files", "-v");
  for (const args of [{ paths: ["a.txt", "new.txt"] }, { all_tracked: true }, {}, { paths: ["."] }]) {
    const before = await indexOf(repository);
    const { error } = await kernel.call("git_commit", { message: "x", ...args });
    assert.equal(error.error_code, "git/hook-rejected", error.what_went_wrong);
    assert.ok(before.equals(await indexOf(repository)), JSON.stringify(args));
  }
  await unlink(join(repository.root, ".git/hooks/pre-commit"));
  await data("git_commit", { message: "x", paths: ["a.txt"] });
  assert.equal(await repository.git("ls-files", "-v"), flags);
  assert.match(await repository.git("status", "--porcelain"), /^A {2}staged\.txt\n A planned\.txt$|^ A planned\.txt\nA {2}staged\.txt/m);
});

on("hooks see what will be committed, and what they stage themselves is committed", async (repository) => {
  await addHook(repository, "pre-commit", `git diff --cached --name-only > '${join(repository.outside, "seen")}'; echo made > made.txt; git add made.txt`);
  await repository.write({ "a.txt": "two\n", "b.txt": "two\n", "new.txt": "x\n" });
  await repository.git("add", "b.txt");
  await data("git_commit", { message: "x", paths: ["a.txt", "new.txt"] });
  assert.equal(await readFile(join(repository.outside, "seen"), "utf8"), "a.txt\nnew.txt\n");
  await repository.write({ "c.txt": "two\n" });
  const all = await data("git_commit", { message: "y", all_tracked: true });
  assert.equal(await readFile(join(repository.outside, "seen"), "utf8"), "b.txt\nc.txt\n");
  assert.equal(all.files_total, 2);
  assert.equal((await data("git_status")).clean, true);
});

on("a change as old as the index isn't missed in the copy", async (repository) => {
  const file = join(repository.root, "a.txt");
  const { mtime } = await stat(join(repository.root, ".git/index"));
  await utimes(file, mtime, mtime);
  await repository.git("update-index", "--refresh");
  await repository.write({ "a.txt": "two\n" });
  await utimes(file, mtime, mtime);
  await utimes(join(repository.root, ".git/index"), mtime, mtime);
  assert.equal((await data("git_commit", { message: "x", all_tracked: true })).files[0].path, "a.txt");
});

for (const [how, stop] of [
  ["cancelled", (controller: AbortController) => controller.abort()],
  ["late", () => clock.tick(120_000)],
] as const) {
  on(`a commit that is ${how} leaves nothing staged`, async (repository) => {
    const started = join(repository.outside, "started");
    await addHook(repository, "pre-commit", `touch '${started}'; sleep 30`);
    await repository.write({ "a.txt": "two\n", "new.txt": "x\n" });
    const before = await indexOf(repository);
    const controller = new AbortController();
    const running = kernel.call("git_commit", { message: "x", paths: ["a.txt", "new.txt"] }, { signal: controller.signal });
    await until(() => exists(started));
    stop(controller);
    assert.equal((await running).kind, "error");
    await until(async () => !(await exists(join(repository.root, ".git/index.lock"))));
    assert.ok(before.equals(await indexOf(repository)));
    assert.equal(await repository.git("rev-list", "--count", "HEAD"), "1");
  });
}

on("a commit that is cancelled after it was made has its index, too", async (repository) => {
  const started = join(repository.outside, "started");
  await addHook(repository, "post-commit", `touch '${started}'; sleep 30`);
  await repository.write({ "a.txt": "two\n", "new.txt": "x\n" });
  const controller = new AbortController();
  const running = kernel.call("git_commit", { message: "x", paths: ["a.txt", "new.txt"] }, { signal: controller.signal });
  await until(() => exists(started));
  controller.abort();
  assert.match((await running).error.what_went_wrong, /may have taken effect/);
  await until(async () => !(await exists(join(repository.root, ".git/index.lock"))));
  assert.equal(await repository.git("rev-list", "--count", "HEAD"), "2");
  assert.equal(await repository.git("status", "--porcelain"), "");
});

on("a call that is cancelled while it waits for its turn does nothing and lets the others through", async (repository) => {
  const started = join(repository.outside, "started");
  const go = join(repository.outside, "go");
  await addHook(repository, "pre-commit", `touch '${started}'; while ! test -e '${go}'; do sleep 0.05; done`);
  await repository.write({ "a.txt": "two\n", "b.txt": "two\n", "c.txt": "two\n" });
  const controller = new AbortController();
  const first = data("git_commit", { message: "a", paths: ["a.txt"] });
  await until(() => exists(started));
  const second = kernel.call("git_commit", { message: "b", paths: ["b.txt"] }, { signal: controller.signal });
  const third = data("git_commit", { message: "c", paths: ["c.txt"] });
  // Waiting takes no slot.
  env.GIT_TOOLS_MAX_PROCESSES = "2";
  assert.equal((await kernel.call("git_status", {})).kind, "ok");
  controller.abort();
  assert.equal((await second).kind, "error");
  await repository.write({ "../outside/go": "" });
  await Promise.all([first, third]);
  assert.equal(await repository.git("log", "--format=%s"), "c\na\nFirst");
});

test("calls that wait for their turn are bounded, and their turns come in order", async () => {
  const { signal } = new AbortController();
  const never = () => new AbortController().signal;
  const order: number[] = [];
  const end = await writerTurn("/a root", signal);
  const waiting = Array.from({ length: 64 }, async (_, i) => {
    const ended = await writerTurn("/a root", never());
    order.push(i);
    ended();
  });
  await assert.rejects(writerTurn("/a root", signal), /64 calls wait already/);
  await writerTurn("/another root", signal).then((ended) => ended());
  end();
  await Promise.all(waiting);
  assert.deepEqual(
    order,
    Array.from({ length: 64 }, (_, i) => i),
  );
});
