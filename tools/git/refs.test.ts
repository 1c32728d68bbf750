import assert from "node:assert/strict";
import type { JsonObject } from "fettle";
import { BY, data, kernel, onRepository } from "./test/onRepository.js";

const WITH_REF: readonly ((ref: string) => readonly [string, JsonObject])[] = [
  (ref) => ["git_show", { ref }],
  (ref) => ["git_log", { ref }],
  (ref) => ["git_diff", { base: ref }],
  (ref) => ["git_diff", { base: "HEAD", head: ref }],
  (ref) => ["git_search", { pattern: "x", ref }],
  (ref) => ["git_blame", { path: "a.txt", ref }],
  (ref) => ["git_create_branch", { name: "new", start_point: ref }],
];

onRepository("ranges and sets of commits are refused as what they are", async (repository) => {
  await repository.commit("First", BY, { "a.txt": "one\n" });
  await repository.commit("Second", BY);
  for (const ref of ["^HEAD", "^main", "HEAD^@", "HEAD^!", "HEAD^-", "HEAD^-1", "main^-2", "^", "HEAD^^@"]) {
    for (const call of WITH_REF) {
      const { error } = await kernel.call(...call(ref));
      assert.equal(error.error_code, "git/bad-ref", ref);
      assert.match(error.what_went_wrong, /is a range or a set of commits, and not one commit/);
    }
  }
  assert.equal((await kernel.call("git_log", { branch: "^HEAD" }, { version: "1.4.0" })).error.error_code, "git/bad-ref");
  for (const ref of ["HEAD^", "HEAD^1", "HEAD^0", "HEAD^{}", "HEAD^{commit}", "@", "@~1", "main@{0}"]) await data("git_show", { ref });
});

onRepository("an upstream, an earlier branch or an earlier place that isn't there is told as what is missing", async (repository) => {
  await repository.commit("First", BY, { "a.txt": "one\n" });
  for (const [ref, says] of [
    ["@{u}", /The branch main has no upstream branch, so @\{u\} names no commit/],
    ["main@{upstream}", /The branch main has no upstream branch/],
    ["@{push}", /upstream/],
    ["nope@{u}", /There is no branch called nope/],
    ["main@{9}", /has pointed has only 1 entries/],
    ["@{-1}", /so many other branches weren't checked out/],
    ["@{-3}", /so many other branches/],
  ] as const) {
    const { error } = await kernel.call("git_show", { ref });
    assert.equal(error.error_code, "git/no-such-ref", ref);
    assert.match(error.what_went_wrong, says);
    assert.ok(error.how_to_fix.length > 0);
  }
  await repository.git("checkout", "--quiet", "--detach");
  assert.match((await kernel.call("git_show", { ref: "@{u}" })).error.what_went_wrong, /HEAD is detached/);
});

onRepository("no text as a ref is a fault of the tool", async (repository) => {
  await repository.commit("First", BY, { "a.txt": "one\n" });
  const odd = [
    "~1",
    "~",
    "HEAD~99999999999999",
    "HEAD^9999999999999",
    "main@{}",
    "@{}",
    "HEAD^{blob}",
    "HEAD^{tree}",
    "HEAD^{foo}",
    "HEAD^{",
    "HEAD~-1",
    "}",
    "@{1",
    ".",
    "/",
    "a/",
  ];
  for (const ref of [...odd, "stash@{0}", "FETCH_HEAD", "HEAD.lock", "\u00e9", "0".repeat(40), "f".repeat(64), "caf\ufffd"]) {
    const outcome = await kernel.call("git_show", { ref });
    if (outcome.kind === "error") assert.match(outcome.error.error_code, /^git\/(bad-ref|no-such-ref)$/, `${ref} ${JSON.stringify(outcome.error)}`);
  }
});

onRepository("a branch whose name isn't UTF-8 is said to be so, and isn't proposed", async (repository) => {
  const hash = await repository.commit("First", BY, { "a.txt": "one\n" });
  const { execFileSync } = await import("node:child_process");
  const input = Buffer.concat([Buffer.from("create refs/heads/caf\xe9 ", "latin1"), Buffer.from(`${hash}\n`)]);
  execFileSync("git", ["update-ref", "--stdin"], { cwd: repository.root, input, env: { ...repository.env } });
  const { error } = await kernel.call("git_show", { ref: "caf\ufffd" });
  assert.match(error.what_went_wrong, /isn't UTF-8/);
  assert.deepEqual((await kernel.call("git_show", { ref: "cafe" })).error.details["nearest"], ["main"]);
});

onRepository("a branch can't be called like a tag, a remote branch or another ref", async (repository) => {
  const hash = await repository.commit("First", BY, { "a.txt": "one\n" });
  await repository.git("tag", "v1");
  await repository.git("update-ref", "refs/remotes/origin/topic", hash);
  await repository.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/topic");
  await repository.git("update-ref", "refs/stash", hash);
  for (const [name, suggestion] of [
    ["v1", "v1-2"],
    ["origin/topic", "origin/topic-2"],
    ["origin", "origin-2"],
    ["stash", "stash-2"],
  ] as const) {
    const { error } = await kernel.call("git_create_branch", { name });
    assert.equal(error.error_code, "git/bad-branch-name", name);
    assert.match(error.what_went_wrong, /because refs\/.* exists/);
    assert.equal(error.details["suggestion"], suggestion);
  }
});
