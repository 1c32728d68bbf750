import assert from "node:assert/strict";
import { access, appendFile, chmod, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ScratchRepository } from "./scratchRepository.js";
import { BY, data, env, kernel, onRepository } from "./test/onRepository.js";

/** A filter that leaves a trace when it is run, behind a configuration of some size. */
async function withFilter(repository: ScratchRepository, padding: string): Promise<string> {
  const program = join(repository.outside, "program");
  const ran = join(repository.outside, "ran");
  await repository.commit("First", BY, { ".gitattributes": "a.txt filter=evil\n", "a.txt": "one\n" });
  await writeFile(program, `#!/bin/sh\ntouch '${ran}'\ncat\n`);
  await chmod(program, 0o755);
  await appendFile(join(repository.root, ".git/config"), `${padding}[filter "evil"]\n\tclean = ${program}\n\tsmudge = ${program}\n\trequired = true\n`);
  await repository.write({ "a.txt": "two\n" });
  return ran;
}

const ranAt = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

onRepository("a filter behind nine megabytes of other configuration isn't run by a read", async (repository) => {
  const ran = await withFilter(repository, Array.from({ length: 9_000 }, (_, i) => `[pad "${i}"]\n\tvalue = ${"x".repeat(1_000)}\n`).join(""));
  assert.equal((await data("git_diff")).files_total, 1);
  assert.equal((await data("git_status")).files_total, 1);
  assert.equal(await ranAt(ran), false);
});

onRepository("more filters than can be switched off end the call before a file is read", async (repository) => {
  const ran = await withFilter(repository, Array.from({ length: 2_000 }, (_, i) => `[filter "${i}"]\n\tclean = cat\n`).join(""));
  for (const name of ["git_diff", "git_status"]) {
    const { error } = await kernel.call(name, {});
    assert.equal(error.error_code, "git/failed");
    assert.match(error.what_went_wrong, /more filter programs than can be switched off/);
  }
  const { error } = await kernel.call("git_search", { pattern: "x" });
  assert.equal(error.error_code, "git/failed");
  assert.equal(await ranAt(ran), false);
});

onRepository("more filters than git's answer holds end the call as well", async (repository) => {
  const ran = await withFilter(repository, Array.from({ length: 10_000 }, (_, i) => `[filter "${i}"]\n\tclean = ${"x".repeat(1_000)}\n`).join(""));
  assert.match((await kernel.call("git_status", {})).error.what_went_wrong, /more filter programs/);
  assert.equal(await ranAt(ran), false);
});

onRepository("a list of commits to ignore that is configured for blame is passed over, wherever it is, and nothing of it is told", async (repository) => {
  const first = await repository.commit("First", BY, { "a.txt": "one\n" });
  const secret = join(repository.outside, "secret");
  await writeFile(secret, "hunter2 is the password\n");
  const home = String(env["HOME"]);
  for (const list of [secret, "nowhere", join(repository.outside, "nowhere"), ".git-blame-ignore-revs"]) {
    await writeFile(join(home, ".gitconfig"), `[blame]\n\tignoreRevsFile = ${list}\n`);
    assert.equal((await data("git_blame", { path: "a.txt" })).hunks[0].hash, first, list);
    await rm(join(home, ".gitconfig"));
    await repository.git("config", "blame.ignoreRevsFile", list);
    assert.equal((await data("git_blame", { path: "a.txt" })).hunks[0].hash, first, list);
    await repository.git("config", "--unset", "blame.ignoreRevsFile");
  }
});

onRepository("a configured list is passed over in a SHA-256 repository too", async (repository) => {
  await rm(join(repository.root, ".git"), { recursive: true });
  await repository.git("init", "--quiet", "--template=", "--object-format=sha256", "--initial-branch=main", ".");
  const first = await repository.commit("First", BY, { "a.txt": "one\n" });
  await repository.git("config", "blame.ignoreRevsFile", "nowhere");
  assert.equal((await data("git_blame", { path: "a.txt" })).hunks[0].hash, first);
});
