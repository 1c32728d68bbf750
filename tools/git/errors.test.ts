import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { after, describe, test } from "node:test";
import { type JsonObject, renderToolError } from "fettle";
import setUp, { type GitFixture } from "./git.fixture.js";
import { type ScratchRepository, scratchRepository } from "./scratchRepository.js";
import { BY, clock, env, kernel, setEnv } from "./test/onRepository.js";
import { addHook, realGit, wrappedGit } from "./test/openTools.js";
import { until } from "./test/until.js";

/** Arguments with which each tool works on the fixture, and what its ref and path are called. */
const USUAL: Readonly<Record<string, { args: JsonObject; ref?: string; path?: string }>> = {
  "git_status 1.0.0": { args: {}, path: "path" },
  "git_log 2.0.0": { args: {}, ref: "ref", path: "path" },
  "git_log 1.4.0": { args: {}, ref: "branch", path: "file" },
  "git_diff 1.0.0": { args: {}, ref: "base", path: "path" },
  "git_show 1.0.0": { args: {}, ref: "ref", path: "path" },
  "git_search 1.0.0": { args: { pattern: "retry" }, ref: "ref", path: "path" },
  "git_blame 1.0.0": { args: { path: "src/retry.ts" }, ref: "ref", path: "path" },
  "git_create_branch 1.0.0": { args: { name: "new" }, ref: "start_point" },
  "git_commit 1.0.0": { args: { message: "Change" }, path: "paths" },
};

interface Case {
  readonly id: string;
  readonly args: JsonObject;
  withRef(ref: string): JsonObject;
  withPath(path: string): JsonObject;
}

/** Brings a repository into the state, or the arguments into the form, that a code is about. Gives the arguments. */
type Provoke = (it: Case, use: Use) => Promise<JsonObject> | JsonObject;

/** Keeps something until the call is answered. What came last goes first. */
type Use = (what: Disposable) => void;
interface Disposable {
  dispose(): Promise<void>;
}

const fresh = async (use: Use): Promise<ScratchRepository> => {
  const repository = await scratchRepository();
  use(repository);
  setEnv(repository.env);
  return repository;
};

const withCommit = async (use: Use): Promise<ScratchRepository> => {
  const repository = await fresh(use);
  await repository.commit("First", BY, { "a.txt": "one\n", "src/retry.ts": "retry\n" });
  return repository;
};

const withGit = async (use: Use, script: string): Promise<ScratchRepository> => {
  const repository = await withCommit(use);
  await repository.write({ "a.txt": "two\n" });
  setEnv({ ...repository.env, PATH: `${await wrappedGit(repository, script)}${delimiter}${process.env.PATH}` });
  return repository;
};

/** A repository in the middle of a merge. */
const merging = async (use: Use, conflict: boolean): Promise<ScratchRepository> => {
  const repository = await withCommit(use);
  await repository.git("switch", "--quiet", "--create", "side");
  await repository.commit("Side", BY, conflict ? { "a.txt": "side\n" } : { "b.txt": "side\n" });
  await repository.git("switch", "--quiet", "main");
  await repository.commit("Main", BY, { "a.txt": "main\n" });
  await repository.git("merge", "--quiet", "--no-commit", "side").catch(() => undefined);
  return repository;
};

/** A repository with two commits whose hashes begin with the same four digits; gives these. */
const ambiguous = async (use: Use): Promise<string> => {
  const repository = await fresh(use);
  const commits = Array.from({ length: 1_500 }, (_, i) => {
    const parent = i === 0 ? "" : `from :${i}\n`;
    return `commit refs/heads/main\nmark :${i + 1}\ncommitter A <a@example.com> ${1_700_000_000 + i} +0000\ndata 2\n${i % 10}\n${parent}\n`;
  });
  execFileSync(realGit(), ["fast-import", "--quiet"], { cwd: repository.root, input: commits.join(""), env: { ...repository.env } });
  const seen = new Set<string>();
  for (const hash of (await repository.git("rev-list", "main")).split("\n")) {
    const short = hash.slice(0, 4);
    if (seen.has(short)) return short;
    seen.add(short);
  }
  throw new Error("no two of 1,500 hashes begin alike");
};

const PROVOKE: Readonly<Record<string, Provoke>> = {
  "git/not-a-work-tree": async (it, use) => {
    const { outside } = await fresh(use);
    env.GIT_TOOLS_ROOT = outside;
    return it.args;
  },
  "git/dubious-ownership": async (it, use) => {
    await withGit(use, 'export GIT_TEST_ASSUME_DIFFERENT_OWNER=1\nexec "$GIT" "$@"');
    return it.args;
  },
  "git/not-installed": (it) => {
    env.PATH = "/no/such/folder:.";
    return it.args;
  },
  "git/too-many-processes": async (it, use) => {
    const repository = await withGit(use, ': > "$(dirname "$0")/started"\nexec sleep 60');
    env.GIT_TOOLS_MAX_PROCESSES = "1";
    const holder = new AbortController();
    const holding = kernel.call("git_status", {}, { signal: holder.signal });
    use({
      dispose: async () => {
        holder.abort();
        await holding;
      },
    });
    await until(() => existsSync(join(repository.outside, "bin", "started")));
    return it.args;
  },
  "kernel/deadline-exceeded": async (it, use) => {
    await withGit(use, "exec sleep 60");
    setTimeout(() => clock.tick(120_000), 50);
    return it.args;
  },
  "git/failed": async (it, use) => {
    await withGit(use, 'case "$*" in *--show-toplevel*|config*) exec "$GIT" "$@";; esac\necho "fatal: disk on fire" >&2\nexit 128');
    return it.args;
  },
  "git/unexpected-output": async (it, use) => {
    await withGit(use, 'case "$1" in rev-parse|config|check-ref-format) exec "$GIT" "$@";; esac\nprintf "garbage\\0of\\0no\\0kind\\n"');
    return it.args;
  },
  "git/bad-path": (it) => it.withPath("--output=x"),
  "git/path-outside-root": (it) => it.withPath("src/../../secret"),
  "git/path-in-git-folder": (it) => it.withPath(".git/config"),
  "git/no-such-path": (it) => ({ ...it.withPath("src/rety.ts"), ...(it.id.startsWith("git_show") && { view: "file" }) }),
  "git/bad-ref": (it) => it.withRef("--all"),
  "git/no-such-ref": (it) => it.withRef("mian"),
  "git/ambiguous-ref": async (it, use) => it.withRef(await ambiguous(use)),
  "git/no-commits": async (it, use) => {
    await fresh(use);
    return it.withRef("HEAD");
  },
  "git/bad-cursor": (it) => ({ ...it.args, cursor: "nonsense" }),
  "git/bad-date": (it) => ({ ...it.args, since: "last week" }),
  "git/empty-span": (it) => ({ ...it.args, since: "2026-02-01", until: "2026-01-01" }),
  "git/bad-text": (it) => ({ ...it.args, author: "Ada\nExample" }),
  "git/conflicting-arguments": (it) => (it.id.startsWith("git_diff") ? { head: "main" } : { ...it.args, paths: ["src"], all_tracked: true }),
  "git/no-merge-base": async (_, use) => {
    const repository = await withCommit(use);
    await repository.git("checkout", "--quiet", "--orphan", "other");
    await repository.commit("Other", BY);
    return { base: "main", head: "other", from_merge_base: true };
  },
  "git/path-missing": () => ({ view: "file" }),
  "git/not-a-file": (it) => ({ ...it.withPath("src"), ...(it.id.startsWith("git_show") && { view: "file" }) }),
  "git/binary-file": () => ({ path: "assets/logo.bin" }),
  "git/bad-line-range": () => ({ path: "README.md", start_line: 3, end_line: 2 }),
  "git/bad-pattern": () => ({ pattern: "a[", regex: true }),
  "git/bad-branch-name": () => ({ name: "a..b" }),
  "git/branch-exists": () => ({ name: "main" }),
  "git/dirty-tree": () => ({ name: "old", start_point: "v1.0.0", switch: true }),
  "git/unmerged-files": async (it, use) => {
    const repository = await merging(use, true);
    if (it.id.startsWith("git_commit")) return it.args;
    // The conflict stays in the index when git is told to forget the merge.
    await repository.git("merge", "--quit");
    return { ...it.args, switch: true };
  },
  "git/operation-in-progress": async (it, use) => {
    await merging(use, false);
    return it.id.startsWith("git_create") ? { ...it.args, switch: true } : { ...it.args, paths: ["b.txt"] };
  },
  "git/hook-rejected": async (it, use) => {
    const repository = await withCommit(use);
    await repository.write({ "a.txt": "two\n" });
    await addHook(
      repository,
      it.id.startsWith("git_commit") ? "pre-commit" : "reference-transaction",
      'test "$1" = committed || test "$1" = aborted || { echo "house rules"; exit 7; }',
    );
    return it.id.startsWith("git_commit") ? { ...it.args, all_tracked: true } : it.args;
  },
  "git/locked": async (it, use) => {
    const repository = await withCommit(use);
    await repository.write({ "a.txt": "two\n", ".git/index.lock": "" });
    return it.id.startsWith("git_commit") ? { ...it.args, paths: ["a.txt"] } : { ...it.args, switch: true };
  },
  "git/bad-message": () => ({ message: " \n " }),
  "git/nothing-staged": async (it, use) => {
    const repository = await withCommit(use);
    await repository.write({ "a.txt": "two\n" });
    return it.args;
  },
  "git/nothing-to-commit": (it) => ({ ...it.args, paths: ["src/retry.ts"] }),
  "git/path-ignored": (it) => ({ ...it.args, paths: ["dist/out.js"] }),
  "git/no-identity": async (it, use) => {
    const repository = await withCommit(use);
    await repository.write({ "a.txt": "two\n" });
    for (const key of Object.keys(env)) if (/^GIT_(AUTHOR|COMMITTER)/.test(key)) delete env[key];
    return { ...it.args, paths: ["a.txt"] };
  },
  "git/signing-failed": async (it, use) => {
    const repository = await withCommit(use);
    await repository.write({ "a.txt": "two\n" });
    await repository.git("config", "commit.gpgSign", "true");
    await repository.git("config", "gpg.program", "false");
    return { ...it.args, paths: ["a.txt"] };
  },
};

const typesSeen = new Set<string>();

for (const { name, version, spec } of kernel.catalog().tools) {
  describe(`${name} ${version} gives every error that its spec lists`, { concurrency: false }, () => {
    const id = `${name} ${version}`;
    const { args, ref, path } = USUAL[id] ?? { args: {} };
    const it: Case = {
      id,
      args,
      withRef: (value) => ({ ...args, [ref ?? "ref"]: value }),
      withPath: (value) => ({ ...args, [path ?? "path"]: path === "paths" ? [value] : value }),
    };
    let shared: Promise<GitFixture> | undefined;
    after(async () => (await shared)?.dispose());

    for (const { error_type, error_code } of spec.common_errors) {
      test(error_code, async () => {
        shared ??= setUp();
        setEnv((await shared).env);
        const provoke = PROVOKE[error_code];
        assert.ok(provoke, `no way to provoke ${error_code} is known`);
        const used: Disposable[] = [];
        const outcome = await kernel.call(name, await provoke(it, (what) => used.unshift(what)), { version });
        assert.equal(outcome.error.error_code, error_code, outcome.error.what_went_wrong);
        assert.equal(outcome.error.error_type, error_type);
        typesSeen.add(outcome.error.error_type);
        // A small model has nothing but these to repair its call with.
        assert.ok(outcome.error.what_went_wrong.length > 10 && outcome.error.why_it_happened !== "" && outcome.error.how_to_fix.length > 0);
        assert.ok(renderToolError(outcome.error).length < 4_000);
        for (const what of used) await what.dispose();
      });
    }
  });
}

test("all seven error types occur", () => {
  assert.deepEqual([...typesSeen].sort(), [
    "external_error",
    "input_error",
    "internal_error",
    "permission_error",
    "rate_limit_error",
    "resource_error",
    "state_error",
  ]);
});

test("every code in the sources is listed in a spec", async () => {
  const listed = new Set(kernel.catalog().tools.flatMap(({ spec }) => spec.common_errors.map((error) => error.error_code)));
  const folder = new URL(".", import.meta.url).pathname;
  for (const file of await readdir(folder)) {
    if (!file.endsWith(".ts") || file.endsWith(".test.ts")) continue;
    for (const [, code] of (await readFile(join(folder, file), "utf8")).matchAll(/Error\("(git\/[a-z-]+)"/g))
      assert.ok(listed.has(code ?? ""), `${code} of ${file} is in no spec`);
  }
});
