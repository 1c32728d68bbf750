import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { rename, rm, symlink, unlink } from "node:fs/promises";
import { join } from "node:path";
import { scratchRepository } from "./scratchRepository.js";
import { BY, data, env, kernel, onRepository } from "./test/onRepository.js";
import { realGit } from "./test/openTools.js";

const LATIN1 = Buffer.from("caf\xe9\n", "latin1");

onRepository("an empty repository has a status, a diff and a search, and takes a first commit", async (repository) => {
  assert.deepEqual(await data("git_status"), {
    branch: "main",
    detached: false,
    clean: true,
    files: [],
    files_total: 0,
    truncated: false,
    hint: "There are no commits yet.",
  });
  await repository.write({ "a.txt": "needle\n" });
  assert.match((await data("git_search", { pattern: "needle" })).hint, /nothing was committed yet/);
  await repository.git("add", "a.txt");
  assert.equal((await data("git_diff", { staged: true })).files[0].status, "added");
  assert.equal((await data("git_search", { pattern: "needle" })).matches[0].path, "a.txt");
  assert.equal((await kernel.call("git_diff", { base: "HEAD" })).error.error_code, "git/no-commits");
  const commit = await data("git_commit", { message: "First", paths: ["a.txt"] });
  assert.deepEqual(commit.files, [{ path: "a.txt", status: "added", additions: 1, deletions: 0, binary: false }]);
  assert.deepEqual((await data("git_log")).commits[0].parents, []);
  assert.equal((await data("git_show")).files_total, 1);
});

onRepository("a branch without commits beside one with commits is told apart from a misspelt name", async (repository) => {
  await repository.commit("First", BY, { "a.txt": "one\n" });
  await repository.git("checkout", "--quiet", "--orphan", "fresh");
  const { error } = await kernel.call("git_log", {});
  assert.equal(error.error_code, "git/no-commits");
  assert.deepEqual(error.how_to_fix, ["Send one of these as ref: main"]);
});

onRepository("a detached HEAD is shown, committed on with a warning, and kept by a branch", async (repository) => {
  const first = await repository.commit("First", BY, { "a.txt": "one\n" });
  await repository.git("checkout", "--quiet", "--detach");
  const status = await data("git_status");
  assert.equal(status.detached, true);
  assert.equal(status.branch, undefined);
  await repository.write({ "a.txt": "two\n" });
  const commit = await data("git_commit", { message: "Second", all_tracked: true });
  assert.match(commit.hint, /belongs to no branch/);
  assert.deepEqual(await data("git_create_branch", { name: "kept", switch: true }), { name: "kept", commit: commit.hash, switched: true });
  assert.equal((await data("git_log", { ref: "kept" })).commits[1].hash, first);
});

onRepository("file names with spaces, quotes, line breaks and other scripts come through whole", async (repository) => {
  const names = ["a b.txt", 'quo"te.txt', "line\nbreak.txt", "tab\there.txt", "日本語.txt", "-dash.txt", "back\\slash.txt", " lead", "emoji 🎉.txt"];
  await repository.commit("First", BY, Object.fromEntries(names.map((name) => [name, "needle\n"])));
  await repository.write(Object.fromEntries(names.map((name) => [name, "needle\nmore\n"])));
  const sorted = [...names].sort();
  const paths = (files: readonly { path: string }[]) => files.map((file) => file.path).sort();
  assert.deepEqual(paths((await data("git_status")).files), sorted);
  assert.deepEqual(paths((await data("git_diff")).files), sorted);
  assert.deepEqual(paths((await data("git_show")).files), sorted);
  assert.deepEqual(paths((await data("git_search", { pattern: "needle" })).matches), sorted);
  assert.deepEqual(paths((await data("git_search", { pattern: "needle", ref: "HEAD" })).matches), sorted);
  for (const name of names) {
    const path = name.startsWith("-") ? `./${name}` : name;
    assert.equal((await data("git_blame", { path })).lines_total, 1, name);
    assert.equal((await data("git_show", { path, view: "file" })).file.content, "needle\n", name);
    assert.equal((await data("git_log", { path })).commits.length, 1, name);
  }
  const commit = await data("git_commit", { message: "All", paths: names.map((name) => (name.startsWith("-") ? `./${name}` : name)) });
  assert.equal(commit.files_total, names.length);
  await repository.git("mv", "a b.txt", "line\ntwo.txt");
  await repository.commit("Move", BY);
  assert.equal((await data("git_blame", { path: "line\ntwo.txt" })).hunks[0].old_path, "a b.txt");
  await repository.git("mv", 'quo"te.txt', "plain.txt");
  await repository.commit("Move", BY);
  assert.equal((await data("git_blame", { path: "plain.txt" })).hunks[0].old_path, 'quo"te.txt');
  await repository.git("mv", "back\\slash.txt", "plain2.txt");
  await repository.commit("Move", BY);
  await repository.git("mv", "tab\there.txt", "plain3.txt");
  await repository.commit("Move", BY);
  assert.equal((await data("git_blame", { path: "plain2.txt" })).hunks[0].old_path, "back\\slash.txt");
  assert.equal((await data("git_blame", { path: "plain3.txt" })).hunks[0].old_path, "tab\there.txt");
});

onRepository("bytes that aren't UTF-8 are shown and said to be so", async (repository) => {
  await repository.git("config", "i18n.commitEncoding", "ISO-8859-1");
  await repository.commit("First", BY, { "a.txt": LATIN1 });
  await repository.commit("Second", BY, { "a.txt": Buffer.concat([LATIN1, LATIN1]) });
  // An author and a message in Latin-1, as old repositories have them.
  execFileSync(realGit(), ["commit", "--quiet", "--allow-empty", "--file=-"], { cwd: repository.root, input: LATIN1, env: { ...repository.env, LC_ALL: "C" } });
  assert.equal((await data("git_log")).commits[0].subject, "café");
  assert.match((await data("git_show", { ref: "HEAD~1" })).hint, /U\+FFFD/);
  assert.match((await data("git_show", { path: "a.txt", view: "file" })).hint, /U\+FFFD/);
  assert.match((await data("git_blame", { path: "a.txt" })).hint, /U\+FFFD/);
  assert.equal((await data("git_search", { pattern: "caf" })).matches[0].text, "caf\ufffd");
  await repository.commit("Honest", BY, { "b.txt": "\ufffd\n" });
  assert.equal((await data("git_show", { path: "b.txt", view: "file" })).hint, undefined);
});

onRepository("a file name that isn't UTF-8 breaks nothing", async (repository) => {
  const blob = execFileSync(realGit(), ["hash-object", "-w", "--stdin"], { cwd: repository.root, input: "needle\n", env: { ...repository.env } })
    .toString()
    .trim();
  const input = Buffer.concat([Buffer.from(`100644 ${blob}\t`), Buffer.from("caf\xe9.txt", "latin1"), Buffer.from("\0")]);
  execFileSync(realGit(), ["update-index", "-z", "--index-info"], { cwd: repository.root, input, env: { ...repository.env } });
  await repository.git("commit", "--quiet", "--message=First");
  assert.equal((await data("git_show")).files[0].path, "caf\ufffd.txt");
  assert.equal((await data("git_status")).files_total, 1);
  assert.equal((await data("git_search", { pattern: "needle", ref: "HEAD" })).matches[0].path, "caf\ufffd.txt");
});

onRepository("a tag of a file is no commit", async (repository) => {
  await repository.commit("First", BY, { "a.txt": "one\n" });
  await repository.git("tag", "file", await repository.git("rev-parse", "HEAD:a.txt"));
  const { error } = await kernel.call("git_show", { ref: "file" });
  assert.equal(error.error_code, "git/no-such-ref");
  assert.match(error.what_went_wrong, /it is a blob and not a commit/);
});

onRepository("steps back past the first commit, and names that are like no other, are told with what there is", async (repository) => {
  await repository.commit("First", BY);
  await repository.git("branch", "release/2026");
  assert.match((await kernel.call("git_show", { ref: "HEAD~5" })).error.how_to_fix[0] ?? "", /HEAD with a smaller number/);
  assert.match((await kernel.call("git_show", { ref: "zzzzzzzz" })).error.how_to_fix[0] ?? "", /main, release\/2026/);
  assert.deepEqual((await kernel.call("git_show", { ref: "2026" })).error.details["nearest"], ["release/2026"]);
  assert.deepEqual((await kernel.call("git_show", { ref: "MAIN" })).error.details["nearest"], ["main"]);
});

onRepository("days before 1970 and after 2100 are taken as days", async (repository) => {
  await repository.commit("First", BY);
  assert.equal((await data("git_log", { since: "1900-01-01", until: "2999-12-31" })).commits.length, 1);
  assert.equal((await data("git_log", { until: "1900-01-01" })).commits.length, 0);
  assert.equal((await data("git_log", { since: "2026-01-05", until: "2026-01-05" })).commits.length, 1);
  assert.equal((await data("git_log", { since: "2026-01-06" })).commits.length, 0);
});

onRepository("renames, copies, deletions and changes of type are named as such", async (repository) => {
  const body = Array.from({ length: 30 }, (_, i) => `line ${i}`).join("\n");
  await repository.commit("First", BY, { "old.txt": `${body}\n`, "gone.txt": "x\n", "link.txt": "x\n", "bin.dat": Uint8Array.from([0, 1, 2]) });
  await rename(join(repository.root, "old.txt"), join(repository.root, "new.txt"));
  await unlink(join(repository.root, "gone.txt"));
  await unlink(join(repository.root, "link.txt"));
  await symlink("new.txt", join(repository.root, "link.txt"));
  await repository.write({ "bin.dat": Uint8Array.from([0, 1, 2, 3]) });
  await repository.git("add", "--all");
  const { files } = await data("git_diff", { staged: true });
  const shown = Object.fromEntries(files.map((file: { path: string; status: string }) => [file.path, file.status]));
  assert.deepEqual(shown, { "bin.dat": "modified", "gone.txt": "deleted", "link.txt": "type_changed", "new.txt": "renamed" });
  assert.equal(files.find((file: { path: string }) => file.path === "bin.dat").binary, true);
  const status = (await data("git_status")).files;
  assert.deepEqual(
    status.find((file: { path: string }) => file.path === "new.txt"),
    { path: "new.txt", staged: "renamed", unstaged: "unchanged", old_path: "old.txt" },
  );
  const commit = await data("git_commit", { message: "Change" });
  assert.equal(commit.files_total, 4);
  assert.equal((await data("git_show", { view: "file", path: "link.txt" })).file.content, "new.txt");
  assert.match((await data("git_show")).patch, /Binary files/);
});

onRepository("a merge conflict is shown by status and diff", async (repository) => {
  await repository.commit("First", BY, { "a.txt": "one\n" });
  await repository.git("switch", "--quiet", "--create", "side");
  await repository.commit("Side", BY, { "a.txt": "side\n" });
  await repository.git("switch", "--quiet", "main");
  await repository.commit("Main", BY, { "a.txt": "main\n" });
  await repository.git("merge", "side").catch(() => undefined);
  const status = await data("git_status");
  assert.equal(status.operation, "merge");
  assert.deepEqual(status.files, [{ path: "a.txt", staged: "conflict", unstaged: "conflict" }]);
  const diff = await data("git_diff");
  assert.equal(diff.files[0].status, "unmerged");
  assert.match(diff.patch, /<<<<<<</);
  await repository.write({ "a.txt": "both\n" });
  await repository.git("add", "a.txt");
  const commit = await data("git_commit", { message: "Merge side" });
  assert.equal((await data("git_log")).commits[0].parents.length, 2);
  assert.equal((await data("git_show", { ref: commit.hash })).files[0].path, "a.txt");
});

onRepository("a merge that changes nothing is still committed", async (repository) => {
  await repository.commit("First", BY, { "a.txt": "one\n" });
  await repository.git("switch", "--quiet", "--create", "side");
  await repository.commit("Side", BY);
  await repository.git("switch", "--quiet", "main");
  await repository.commit("Main", BY);
  await repository.git("merge", "--quiet", "--no-commit", "side");
  assert.deepEqual((await data("git_commit", { message: "Merge side" })).files, []);
});

onRepository("a submodule is a line of its own, and its files aren't read", async (repository) => {
  const other = await scratchRepository();
  await other.commit("Inner", BY, { "inner.txt": "needle\n" });
  await repository.commit("First", BY, { "a.txt": "needle\n" });
  await repository.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other.root, "sub");
  await repository.commit("Add sub", BY);
  execFileSync(realGit(), ["commit", "--quiet", "--allow-empty", "--message=Inner 2"], { cwd: join(repository.root, "sub"), env: { ...repository.env } });
  assert.deepEqual((await data("git_status")).files, [{ path: "sub", staged: "unchanged", unstaged: "modified", submodule: true }]);
  assert.match((await data("git_diff")).patch, /^\+Subproject commit/m);
  assert.equal((await data("git_search", { pattern: "needle" })).matches.length, 1);
  assert.match((await kernel.call("git_show", { view: "file", path: "sub" })).error.what_went_wrong, /submodule/);
  assert.equal((await kernel.call("git_show", { view: "file", path: "sub/inner.txt" })).error.error_code, "git/no-such-path");
  assert.deepEqual((await data("git_log", { path: "sub/inner.txt" })).commits, []);
  const inner = await kernel.call("git_commit", { message: "x", paths: ["sub/inner.txt"] });
  assert.equal(inner.kind, "error");
  assert.equal((await data("git_commit", { message: "Move sub", paths: ["sub"] })).files_total, 1);
  await other.dispose();
});

onRepository("a repository with SHA-256 hashes works the same", async (repository) => {
  await rm(join(repository.root, ".git"), { recursive: true });
  await repository.git("init", "--quiet", "--template=", "--object-format=sha256", "--initial-branch=main", ".");
  await repository.commit("First", BY, { "a.txt": "needle\n" });
  await repository.commit("Second", BY);
  const log = await data("git_log", { limit: 1 });
  assert.equal(log.commits[0].hash.length, 64);
  assert.equal((await data("git_log", { cursor: log.next_cursor })).commits[0].subject, "First");
  assert.equal((await data("git_show", { ref: "HEAD~1" })).files_total, 1);
  assert.equal((await data("git_blame", { path: "a.txt" })).hunks.length, 1);
  assert.equal((await data("git_search", { pattern: "needle", ref: "HEAD" })).matches[0].path, "a.txt");
});

onRepository("the distance to the upstream branch is told, and an unfinished operation", async (repository) => {
  await repository.commit("First", BY, { "a.txt": "one\n" });
  await repository.git("branch", "base");
  await repository.git("branch", "--set-upstream-to=base");
  await repository.commit("Second", BY, { "a.txt": "two\n" });
  const { upstream, ahead, behind } = await data("git_status");
  assert.deepEqual({ upstream, ahead, behind }, { upstream: "base", ahead: 1, behind: 0 });
  await repository.git("bisect", "start");
  assert.equal((await data("git_status")).operation, "bisect");
});

onRepository("what the server keeps in a linked work tree is used as any other", async (repository) => {
  await repository.commit("First", BY, { "a.txt": "one\n" });
  const linked = join(repository.outside, "linked");
  await repository.git("worktree", "add", "--quiet", linked, "-b", "linked");
  env.GIT_TOOLS_ROOT = linked;
  assert.equal((await data("git_status")).branch, "linked");
  assert.equal((await kernel.call("git_show", { path: ".git" })).error.error_code, "git/path-in-git-folder");
});
