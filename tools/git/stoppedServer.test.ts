import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { access, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { atExit } from "./atExit.js";
import { BY, data, kernel, onRepository } from "./test/onRepository.js";
import { addHook, TOOLS } from "./test/openTools.js";

const SERVER = fileURLToPath(new URL("test/exitDuringCommit.ts", import.meta.url));

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // One that has ended stays listed until somebody asks how; that may take its new parent a while.
    return !execFileSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).startsWith("Z");
  } catch {
    return false;
  }
}

for (const how of ["exit", "close"]) {
  onRepository(`no hook outlives a server that ends by ${how}, and no lock stays`, async (repository) => {
    const pid = join(repository.outside, "pid");
    await repository.commit("First", BY, { "a.txt": "one\n" });
    await addHook(repository, "pre-commit", `trap '' TERM INT HUP; sleep 300 & echo $$ $! > '${pid}'; while :; do sleep 0.2; done`);
    await repository.write({ "a.txt": "two\n" });
    const before = await readFile(join(repository.root, ".git/index"));
    const args = ["--conditions=source", "--import", "tsx", SERVER, pid, how];
    await promisify(execFile)(process.execPath, args, { cwd: TOOLS, env: { ...process.env, ...repository.env }, timeout: 60_000 });
    const pids = (await readFile(pid, "utf8")).trim().split(" ").map(Number);
    for (let i = 0; pids.some(alive) && i < 100; i++) await new Promise((resolve) => setTimeout(resolve, 50));
    assert.deepEqual(pids.filter(alive), []);
    assert.deepEqual(
      (await readdir(join(repository.root, ".git"))).filter((name) => /lock|^index\./.test(name)),
      [],
    );
    assert.ok(before.equals(await readFile(join(repository.root, ".git/index"))));
  });
}

onRepository("calls leave no listeners behind on the process", async (repository) => {
  await repository.commit("First", BY, { "a.txt": "one\n" });
  const before = process.listenerCount("exit");
  await Promise.all(Array.from({ length: 12 }, () => kernel.call("git_status", {})));
  await repository.write({ "a.txt": "two\n" });
  await data("git_commit", { message: "x", all_tracked: true });
  assert.equal(process.listenerCount("exit"), before);
  const taken = [atExit(() => undefined), atExit(() => undefined)];
  assert.equal(process.listenerCount("exit"), before + 1);
  for (const take of taken) take();
  assert.equal(process.listenerCount("exit"), before);
  await access(repository.root);
});
