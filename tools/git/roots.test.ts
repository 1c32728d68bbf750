import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { BY, env, kernel, onRepository, setEnv } from "./test/onRepository.js";

onRepository("a busy work tree says when to come back, and is free again afterwards", async (repository) => {
  await repository.commit("First", BY, { "a.txt": "one\n" });
  setEnv({ ...repository.env, GIT_TOOLS_MAX_PROCESSES: "2" });
  const outcomes = await Promise.all(Array.from({ length: 5 }, () => kernel.call("git_log", {})));
  const refused = outcomes.filter((outcome) => outcome.kind === "error");
  assert.equal(refused.length, 3);
  assert.equal(refused[0]?.error.retry_after_seconds, 1);
  assert.equal(refused[0]?.error.retry_recommended, true);
  assert.equal((await kernel.call("git_log", {})).kind, "ok");
  env.GIT_TOOLS_MAX_PROCESSES = "many";
  assert.equal((await Promise.all(Array.from({ length: 17 }, () => kernel.call("git_status", {})))).filter((outcome) => outcome.kind === "error").length, 1);
});

onRepository("a root that is a file, that isn't there or that is inside of a work tree can't be used", async (repository) => {
  await repository.commit("First", BY, { "src/a.txt": "one\n" });
  for (const [root, says] of [
    [join(repository.root, "src/a.txt"), /is a file/],
    [join(repository.root, "nowhere"), /no such folder/],
    [join(repository.root, "src"), /not the top folder/],
    [join(repository.root, ".git"), /bare repository or the inside of \.git/],
  ] as const) {
    setEnv({ ...repository.env, GIT_TOOLS_ROOT: root });
    assert.match((await kernel.call("git_status", {})).error.what_went_wrong, says);
  }
  await repository.git("config", "core.worktree", repository.outside);
  setEnv(repository.env);
  assert.match((await kernel.call("git_status", {})).error.what_went_wrong, /top folder/);
});

test("the root is the server's working folder where no other is set", async () => {
  setEnv({ PATH: process.env.PATH });
  const outcome = await kernel.call("git_status", { limit: 1 });
  if (outcome.kind === "error") assert.match(outcome.error.what_went_wrong, /the configured root/);
  else assert.equal(typeof outcome.data.clean, "boolean");
});

onRepository("a config that git can't read is told in git's words", async (repository) => {
  await writeFile(join(repository.root, ".git/config"), "[core\n");
  setEnv(repository.env);
  const { error } = await kernel.call("git_status", {});
  assert.equal(error.error_code, "git/failed");
  assert.match(error.what_went_wrong, /bad config/);
  assert.equal(error.retry_recommended, false);
});
