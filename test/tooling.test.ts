import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

/** Asks for Git in a process whose PATH has none. */
const askWithoutGit = (ci: string): { status: number | null; stdout: string; stderr: string } => {
  const helper = pathToFileURL(join(root, "test/support/requireComponent.ts")).href;
  const script = `import { requireComponent } from ${JSON.stringify(helper)}; console.log(JSON.stringify(requireComponent("git")));`;
  return spawnSync(process.execPath, ["--import", "tsx", "--input-type=module", "--eval", script], {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, PATH: join(root, "test"), CI: ci },
  });
};

test("without Git a test on a laptop is skipped, and says how to get it", () => {
  const { status, stdout } = askWithoutGit("");
  assert.equal(status, 0);
  assert.match(JSON.parse(stdout).skip, /git isn't installed.*apt-get install git.*brew install git/);
});

test("without Git a test in CI fails", () => {
  const { status, stderr } = askWithoutGit("true");
  assert.equal(status, 1);
  assert.match(stderr, /In CI nothing is skipped: git isn't installed/);
});

for (const [script, args, says] of [
  ["test", ["--covrage"], /unknown option --covrage\. Known: --coverage/],
  ["test", ["no-such-file"], /no test file has no-such-file in its path/],
  ["check", ["no-such-check"], /no check has no-such-check in its name\. There are: format and lint,/],
  ["start", ["eighty"], /eighty is not a port\. Give a number from 0 to 65535/],
] as const) {
  test(`scripts/${script}.mjs ${args.join(" ")} says what is wrong and exits 2`, () => {
    const run = spawnSync(process.execPath, [join(root, `scripts/${script}.mjs`), ...args], { cwd: root, encoding: "utf8" });
    assert.match(run.stderr, says);
    assert.equal(run.status, 2);
  });
}
