import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { BY, data, env, kernel, onRepository } from "./test/onRepository.js";
import { wrappedGit } from "./test/openTools.js";

onRepository("lines without end are cut and say how much is missing", async (repository) => {
  const long = `${"x".repeat(999)}🎉${"y".repeat(2_000_000)}`;
  await repository.commit("First", BY, { "a.txt": `${long}\nneedle ${long}\n` });
  const show = await data("git_show");
  assert.ok(show.patch.length < 5_000);
  assert.match(show.patch, /\[\d+ more characters\]/);
  assert.match(show.hint, /2 lines were cut to 1000 characters/);
  assert.equal(show.truncated, true);
  const file = await data("git_show", { view: "file", path: "a.txt" });
  // A pair of surrogates is never cut in two.
  assert.equal(file.file.content.isWellFormed?.() ?? true, true);
  assert.ok((await data("git_search", { pattern: "needle" })).matches[0].text.length < 400);
  const blame = await data("git_blame", { path: "a.txt" });
  assert.equal(blame.truncated, true);
  assert.match(blame.hint, /Lines longer than 300/);
  await repository.commit(`${"subject ".repeat(200)}\n\n${"body ".repeat(5_000)}`, BY);
  assert.ok((await data("git_log")).commits[0].subject.length < 400);
  assert.ok((await data("git_show")).commit.body.length < 6_000);
});

onRepository("pages of patch, file, matches, files and blame put together are the whole", async (repository) => {
  const text = Array.from({ length: 95 }, (_, i) => `line ${i + 1}`).join("\n");
  await repository.commit("First", BY, Object.fromEntries([["a.txt", `${text}\n`], ...Array.from({ length: 12 }, (_, i) => [`f${i}.txt`, "x\n"])]));
  await repository.write(Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`f${i}.txt`, "y\n"])));
  const collect = async <T>(name: string, args: Record<string, string | number>, part: (page: Awaited<ReturnType<typeof data>>) => T[]): Promise<T[]> => {
    const all: T[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await data(name, { ...args, ...(cursor !== undefined && { cursor }) });
      all.push(...part(page));
      assert.equal(page.truncated, page.next_cursor !== undefined);
      cursor = page.next_cursor;
      if (cursor === undefined) return all;
      assert.match(page.hint, /next_cursor as cursor/);
    }
  };
  const whole = await repository.git("show", "--format=", "--no-color", "HEAD");
  assert.equal((await collect("git_show", { limit: 17 }, (page) => [page.patch])).join("").trimEnd(), whole.trimStart());
  assert.equal((await collect("git_show", { limit: 20, view: "file", path: "a.txt" }, (page) => [page.file.content])).join(""), `${text}\n`);
  assert.equal((await collect("git_search", { limit: 13, pattern: "line" }, (page) => page.matches)).length, 95);
  assert.equal((await collect("git_status", { limit: 5 }, (page) => page.files)).length, 12);
  const blamed = await collect("git_blame", { limit: 30, path: "a.txt", start_line: 3, end_line: 80 }, (page) =>
    page.hunks.flatMap((hunk: { lines: string[] }) => hunk.lines),
  );
  assert.equal(blamed.join("\n"), text.split("\n").slice(2, 80).join("\n"));
  assert.equal((await kernel.call("git_blame", { path: "a.txt", start_line: 3, end_line: 80, cursor: "80" })).error.error_code, "git/bad-cursor");
  assert.match((await data("git_show", { limit: 0, view: "file", path: "a.txt" })).hint, /limit is 0/);
  // Past the end there is nothing, which is no error.
  const past = await data("git_show", { view: "file", path: "a.txt", cursor: "5000" });
  assert.equal(past.file.content, "");
  assert.equal(past.hint, "The file ends before line 5001.");
  assert.equal((await data("git_status", { cursor: "500" })).hint, "The list ends before number 501: there are 12 files. Leave cursor out to start again.");
  const matches = await data("git_search", { pattern: "line", cursor: "500" });
  assert.equal(matches.hint, "The list ends before number 501: there are 95 matches. Leave cursor out to start again.");
});

onRepository("commit pages go on from the same commit when the branch moves", async (repository) => {
  for (let i = 0; i < 5; i++) await repository.commit(`Commit ${i}`, BY);
  const first = await data("git_log", { limit: 2 });
  await repository.commit("Meanwhile", BY);
  const second = await data("git_log", { limit: 2, cursor: first.next_cursor });
  const third = await data("git_log", { limit: 2, cursor: second.next_cursor });
  const subjects = [...first.commits, ...second.commits, ...third.commits].map((commit: { subject: string }) => commit.subject);
  assert.deepEqual(subjects, ["Commit 4", "Commit 3", "Commit 2", "Commit 1", "Commit 0"]);
  assert.equal(third.next_cursor, undefined);
  const gone = (await kernel.call("git_log", { cursor: `${"0".repeat(40)}.2` })).error;
  assert.equal(gone.error_code, "git/bad-cursor");
  assert.match(gone.how_to_fix.join(), /Leave cursor out to start again/);
  assert.match((await data("git_log", { cursor: first.next_cursor.replace(/\.2$/, ".200") })).hint, /The list ends before commit 201/);
});

onRepository("pages also end at 48,000 characters", async (repository) => {
  const wide = `needle ${"x".repeat(280)}\n`;
  await repository.commit("First", BY, { "wide.txt": wide.repeat(400) });
  const first = await data("git_search", { pattern: "needle", limit: 200 });
  assert.ok(first.matches.length > 100 && first.matches.length < 200);
  assert.equal(first.next_cursor, String(first.matches.length));
  const blame = await data("git_blame", { path: "wide.txt", limit: 500 });
  assert.ok(Number(blame.next_cursor) > 100 && Number(blame.next_cursor) < 200);
  assert.equal(blame.hunks[0].lines.length, Number(blame.next_cursor));
});

onRepository("very many files and very long answers are cut and say so", async (repository) => {
  await mkdir(join(repository.root, "many"));
  const files = Object.fromEntries(Array.from({ length: 250 }, (_, i) => [`many/${String(i).padStart(4, "0")}.txt`, "x\n"]));
  await repository.commit("First", BY, files);
  const show = await data("git_show");
  assert.equal(show.files.length, 200);
  assert.equal(show.files_total, 250);
  assert.match(show.hint, /200 of 250 files are listed/);
  assert.match((await data("git_diff", { base: "HEAD", head: "HEAD", limit: 0 })).from, /^[0-9a-f]{40}$/);
  await repository.write(Object.fromEntries(Object.keys(files).map((path) => [path, "y\n"])));
  const commit = await data("git_commit", { message: "All", all_tracked: true });
  assert.equal(commit.truncated, true);
  assert.equal(commit.files_total, 250);
  // A git that never stops: the answer is cut where the limits are.
  const endless = (what: string) =>
    wrappedGit(repository, `case "$*" in *"${what}"*) while :; do printf '${"z".repeat(200)}\\n${"z".repeat(200)}\\n'; done;; esac\nexec "$GIT" "$@"`);
  env.PATH = `${await endless("--patch")}:${process.env.PATH}`;
  const first = await data("git_show");
  assert.equal(first.next_cursor, String(Math.floor(48_000 / 201)));
  env.PATH = `${await endless("cat-file blob")}:${process.env.PATH}`;
  const file = await data("git_show", { view: "file", path: "many/0001.txt", limit: 5 });
  assert.equal(file.next_cursor, "5");
});
