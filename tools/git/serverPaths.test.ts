import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { after, test } from "node:test";
import { wordsOf } from "./gitErrors.js";
import { type ScratchRepository, scratchRepository } from "./scratchRepository.js";
import { BY } from "./test/onRepository.js";
import { openTools, wrappedGit } from "./test/openTools.js";

const env: Record<string, string | undefined> = {};
const { kernel, logs } = await openTools(env);
const made: ScratchRepository[] = [];
after(async () => {
  await kernel.close();
  for (const repository of made) await repository.dispose();
});

async function fresh(): Promise<ScratchRepository> {
  const repository = await scratchRepository();
  made.push(repository);
  await repository.commit("First", BY, { "a.txt": "one\n" });
  for (const key of Object.keys(env)) delete env[key];
  Object.assign(env, repository.env);
  return repository;
}

/** Whether the server's log tells what caused an error. Nothing of that goes to a client, also not to one that asks for log lines. */
const logged = (words: string): boolean => logs.some(({ fields }) => String(fields["error_message"]).includes(words));

test("an unusable root is named by its setting only, and its path is in the log", async () => {
  const { outside, root } = await fresh();
  for (const path of [outside, join(outside, "nowhere"), join(root, "a.txt"), join(root, ".git")]) {
    env.GIT_TOOLS_ROOT = path;
    const { error } = await kernel.call("git_status", {});
    assert.equal(error.error_code, "git/not-a-work-tree");
    assert.match(error.what_went_wrong, /the configured root \(GIT_TOOLS_ROOT\)/);
    assert.doesNotMatch(JSON.stringify(error), /fettle-git-/);
    assert.ok(logged(path), path);
  }
});

test("a top folder elsewhere and a foreign owner are told without their paths", async () => {
  const repository = await fresh();
  await repository.git("config", "core.worktree", repository.outside);
  const elsewhere = (await kernel.call("git_status", {})).error;
  assert.equal(elsewhere.error_code, "git/not-a-work-tree");
  assert.doesNotMatch(JSON.stringify(elsewhere), /fettle-git-/);
  assert.ok(logged(repository.outside));
  const other = await fresh();
  const folder = await wrappedGit(other, 'export GIT_TEST_ASSUME_DIFFERENT_OWNER=1\nexec "$GIT" "$@"');
  env.PATH = `${folder}${delimiter}${process.env.PATH}`;
  const { error } = await kernel.call("git_status", {});
  assert.equal(error.error_code, "git/dubious-ownership");
  assert.doesNotMatch(JSON.stringify(error), /fettle-git-/);
  assert.ok(logged(`safe.directory "${other.root}"`));
});

test("what git says is bounded, names no path of the server and quotes no file; the log has it all", async () => {
  const repository = await fresh();
  await writeFile(join(repository.root, ".git/config"), `[core]\n\tbigFileThreshold = hunter2\n`, { flag: "a" });
  const { error } = await kernel.call("git_status", {});
  assert.equal(error.error_code, "git/failed");
  assert.doesNotMatch(JSON.stringify(error), /hunter2|fettle-git-/);
  assert.ok(logged("hunter2"));
  const long = await fresh();
  const script = `case "$1" in log) i=0; while [ $i -lt 500 ]; do echo "fatal: trouble $i in ${long.root}/x and /etc/passwd"; i=$((i+1)); done >&2; exit 128;; esac\nexec "$GIT" "$@"`;
  env.PATH = `${await wrappedGit(long, script)}${delimiter}${process.env.PATH}`;
  const failed = (await kernel.call("git_log", {})).error;
  assert.equal(
    failed.what_went_wrong,
    "git log failed: trouble 0 in x and (a path on the server)\ntrouble 1 in x and (a path on the server)\ntrouble 2 in x and (a path on the server)",
  );
});

test("git's words are cleared of what is nobody's business", () => {
  for (const [said, shown] of [
    ["fatal: invalid object name: root:x:0:0:root", "invalid object name (not shown)"],
    ["fatal: could not open object name list: /home/ada/list", "could not open object name list: (a path on the server)"],
    [
      "fatal: bad numeric config value 'hunter2' for 'core.x' in file /srv/p/.git/config: invalid unit",
      "bad numeric config value (not shown) for 'core.x' in file (a path on the server): invalid unit",
    ],
    ["fatal: unable to access 'https://ada:hunter2@example.com/x.git/': no", "unable to access 'https://(not shown)': no"],
    ["fatal: cannot open 'C:\\Users\\ada\\x': no", "cannot open '(a path on the server)': no"],
    ["warning: old\nfatal: new src/a.ts\nhint: do this", "new src/a.ts"],
    ["some other program\nwith more to say", "some other program"],
    ["", ""],
  ] as const)
    assert.equal(wordsOf(said), shown);
  assert.ok(wordsOf(`fatal: ${"x".repeat(5_000)}`).length < 1_100);
});
