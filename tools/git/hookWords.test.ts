import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { bothEnds, HeadAndTail } from "./headAndTail.js";
import { HookTrace } from "./hookTrace.js";
import type { ScratchRepository } from "./scratchRepository.js";
import { BY, env, kernel, onRepository } from "./test/onRepository.js";
import { addHook } from "./test/openTools.js";

async function said(repository: ScratchRepository): Promise<{ output: string; hook: unknown; text: string }> {
  await repository.write({ "a.txt": "two\n" });
  const { error } = await kernel.call("git_commit", { message: "x", paths: ["a.txt"] });
  assert.equal(error.error_code, "git/hook-rejected", error.what_went_wrong);
  return { output: String(error.details["output"]), hook: error.details["hook"], text: error.what_went_wrong };
}

function on(name: string, run: (repository: ScratchRepository) => Promise<void>): void {
  onRepository(name, async (repository) => {
    await repository.commit("First", BY, { "a.txt": "one\n" });
    await run(repository);
  });
}

on("of a talkative hook the beginning and the reason at the end are shown, and how much is missing", async (repository) => {
  await addHook(
    repository,
    "pre-commit",
    "echo checking >&2; i=0; while [ $i -lt 20000 ]; do echo \"file number $i is fine\"; i=$((i+1)); done >&2; echo 'REASON: a.txt is bad' >&2; exit 1",
  );
  const { output, text } = await said(repository);
  assert.match(output, /^checking\n/);
  assert.match(output, /REASON: a\.txt is bad$/);
  const missing = Number(/\[(\d+) characters left out\]/.exec(output)?.[1]);
  assert.ok(missing > 450_000 && missing < 600_000, String(missing));
  assert.ok(text.length < 2_500);
});

on("only the words of the hook that refused are put down to it", async (repository) => {
  await addHook(repository, "post-index-change", "printf 'noise of another hook' >&2");
  await addHook(repository, "pre-commit", "printf 'fine so far' >&2; git diff --cached --stat >/dev/null");
  await addHook(repository, "commit-msg", "printf 'no ticket' >&2; git log --oneline >/dev/null; echo ' in the message'; exit 1");
  assert.deepEqual(await said(repository), {
    output: "no ticket in the message",
    hook: "commit-msg",
    text: "The repository's commit-msg hook refused to let git commit. It said:\nno ticket in the message",
  });
});

on("a hook that reads git's stderr finds no words of the tools in it", async (repository) => {
  await addHook(repository, "pre-commit", 'said=$(git rev-parse --verify nowhere 2>&1); echo "git said: $said" >&2; exit 1');
  assert.equal((await said(repository)).output, "git said: fatal: Needed a single revision");
});

on("paths of the server are told relative to the root", async (repository) => {
  await addHook(repository, "pre-commit", 'echo "$PWD/a.txt:1 is bad" >&2; exit 1');
  assert.equal((await said(repository)).output, "a.txt:1 is bad");
});

on("where no stream can be shared a refusal is told all the same", async (repository) => {
  await addHook(repository, "pre-commit", "echo reason >&2; exit 3");
  const before = process.env.TMPDIR;
  process.env.TMPDIR = join(repository.outside, "nowhere");
  try {
    await repository.write({ "a.txt": "two\n" });
    env.GIT_TOOLS_MAX_PROCESSES = "3";
    const { error } = await kernel.call("git_commit", { message: "x", paths: ["a.txt"] });
    assert.equal(error.error_code, "git/hook-rejected");
    assert.equal(error.details["exit_code"], 3);
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
});

test("events are told from words wherever the pieces are cut", () => {
  const event = (fields: object) => `${JSON.stringify({ event: "", sid: "1", ...fields })}\n`;
  const stream = [
    "git \u00e9 {",
    event({ event: "child_start", child_id: 0, child_class: "hook", hook_name: "post-index-change" }),
    "noise",
    event({ event: "child_exit", child_id: 0, code: 1 }),
    event({ event: "child_start", child_id: 1, child_class: "hook", hook_name: "pre-commit" }),
    'reason {"event":"no event"}\n{"event":',
    event({ event: "child_start", sid: "1/2", child_id: 0, child_class: "hook", hook_name: "nested" }),
    event({ event: "child_exit", child_id: 1, code: 4 }),
    'after {"eve',
  ].join("");
  for (let size = 1; size < 60; size++) {
    const trace = new HookTrace();
    for (let at = 0; at < stream.length; at += size) trace.add(stream.slice(at, at + size));
    assert.equal(trace.ownWords(), 'git \u00e9 {after {"eve', String(size));
    assert.equal(trace.failed?.name, "pre-commit");
    assert.equal(trace.failed?.code, 4);
    assert.equal(trace.failed?.said.toString(), 'reason {"event":"no event"}\n{"event":');
  }
});

test("both ends of a text are kept with the count of what is between", () => {
  const text = new HeadAndTail(10);
  for (const piece of ["0123", "456789abc", "d".repeat(100), "end of it!"]) text.add(piece);
  assert.equal(text.toString(), "0123456789\n\u2026 [103 characters left out] \u2026\nend of it!");
  assert.equal(bothEnds("short", 10), "short");
  assert.match(bothEnds(`${"a".repeat(50)}${text}${"b".repeat(50)}`, 20), /^a{8}\n\u2026 \[\d+ characters left out\] \u2026\nb{12}$/);
});
