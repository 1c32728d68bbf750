import assert from "node:assert/strict";
import { access, chmod, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { after, before, test } from "node:test";
import type { JsonObject } from "fettle";
import { type ScratchRepository, type Signature, scratchRepository } from "./scratchRepository.js";
import { addHook, assertListed, openTools } from "./test/openTools.js";

const env: Record<string, string | undefined> = {};
const bench = await openTools(env);
const { kernel } = bench;
const BY: Signature = { name: "Ada Example", email: "ada@example.com", date: "2026-01-05T10:00:00+00:00" };
let repository: ScratchRepository;

before(async () => {
  repository = await scratchRepository();
  await repository.commit("First version", BY, { "a.txt": "one\n", "src/b.txt": "needle\n" });
  await repository.commit("Second version", BY, { "a.txt": "two\n" });
  Object.assign(env, repository.env);
  await writeFile(join(repository.outside, "secret.txt"), "needle: secret\n");
});
after(async () => {
  assertListed(bench);
  await kernel.close();
  await repository.dispose();
});

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Calls of every tool that reads, with a path where it takes one. */
const READS: readonly (readonly [string, JsonObject, string?])[] = [
  ["git_status", {}],
  ["git_log", {}],
  ["git_log", {}, "1.4.0"],
  ["git_diff", {}],
  ["git_diff", { staged: true }],
  ["git_diff", { base: "HEAD~1", head: "HEAD" }],
  ["git_show", {}],
  ["git_show", { view: "file", path: "a.txt" }],
  ["git_search", { pattern: "needle" }],
  ["git_search", { pattern: "needle", ref: "HEAD" }],
  ["git_blame", { path: "a.txt" }],
];

test("no path leads out of the work tree, however it is spelt", async () => {
  const { root, outside } = repository;
  await symlink(outside, join(root, "link"));
  await symlink("secret.txt", join(outside, "inner"));
  await symlink(join(outside, "nothing-there-yet"), join(root, "dangling"));
  await symlink("loop-b", join(root, "loop-a"));
  await symlink("loop-a", join(root, "loop-b"));
  const paths = [
    "..",
    "../outside/secret.txt",
    "src/../../outside/secret.txt",
    "/etc/passwd",
    join(outside, "secret.txt"),
    "link",
    "link/secret.txt",
    "link/inner",
    "link/not-there-yet/new.txt",
    "dangling",
    "dangling/new.txt",
    "loop-a",
    "src/../link/secret.txt",
    `${root}-other/a.txt`,
  ];
  for (const path of paths) {
    for (const [name, args] of [
      ["git_status", { path }],
      ["git_log", { path }],
      ["git_diff", { path }],
      ["git_show", { path, view: "file" }],
      ["git_search", { pattern: "needle", path }],
      ["git_blame", { path }],
      ["git_commit", { message: "x", paths: ["a.txt", path] }],
    ] as const) {
      const { error } = await kernel.call(name, args);
      assert.equal(error.error_code, "git/path-outside-root", `${name} ${path}`);
      assert.doesNotMatch(JSON.stringify(error), /secret\b(?!\.txt)/);
    }
  }
  assert.equal((await kernel.call("git_log", { file: "link/secret.txt" }, { version: "1.4.0" })).error.error_code, "git/path-outside-root");
});

test("a link that stays inside, an absolute path and a detour through .. are fine", async () => {
  const { root } = repository;
  await symlink("src", join(root, "inside"));
  for (const path of ["inside", join(root, "a.txt"), "src/../a.txt", "./a.txt", ".", "src/"]) {
    assert.equal((await kernel.call("git_log", { path })).kind, "ok", path);
  }
  await symlink(root, join(repository.outside, "to-root"));
  assert.equal((await kernel.call("git_blame", { path: join(repository.outside, "to-root", "a.txt") })).data.path, "a.txt");
});

test("git's own folder is off limits in all its spellings", async () => {
  await symlink(".git", join(repository.root, "dotgit"));
  for (const path of [
    ".git",
    ".git/config",
    ".GIT/config",
    "src/.git/hooks",
    ".git./config",
    "git~1/config",
    ".g\u200cit/config",
    ".git::$INDEX_ALLOCATION/x",
    "dotgit/config",
  ]) {
    assert.equal((await kernel.call("git_commit", { message: "x", paths: [path] })).error.error_code, "git/path-in-git-folder", path);
  }
  assert.equal((await kernel.call("git_log", { path: ".gitignore" })).kind, "ok");
});

test("a git folder that lies elsewhere in the work tree is found and kept shut", async () => {
  const other = await scratchRepository();
  await other.commit("First", BY, { "a.txt": "one\n" });
  await other.git("init", "--quiet", "--separate-git-dir", join(other.root, "data"));
  env.GIT_TOOLS_ROOT = other.root;
  assert.equal((await kernel.call("git_status", { path: "data/config" })).error.error_code, "git/path-in-git-folder");
  assert.equal((await kernel.call("git_log", {})).kind, "ok");
  Object.assign(env, repository.env);
  await other.dispose();
});

test("nothing that is passed as a ref, a path, a name or a text becomes an option of git", async () => {
  const { root } = repository;
  const hostile = ["--output=pwned", "-O./pwned", "--ext-diff", "--upload-pack=touch pwned", "--all", "-"];
  for (const text of hostile) {
    for (const [name, args, code] of [
      ["git_log", { ref: text }, "git/bad-ref"],
      ["git_diff", { base: text }, "git/bad-ref"],
      ["git_diff", { base: "HEAD", head: text }, "git/bad-ref"],
      ["git_show", { ref: text }, "git/bad-ref"],
      ["git_search", { pattern: "x", ref: text }, "git/bad-ref"],
      ["git_blame", { path: "a.txt", ref: text }, "git/bad-ref"],
      ["git_create_branch", { name: "new", start_point: text }, "git/bad-ref"],
      ["git_create_branch", { name: text }, "git/bad-branch-name"],
      ["git_log", { path: text }, "git/bad-path"],
      ["git_commit", { message: "x", paths: [text] }, "git/bad-path"],
    ] as const) {
      assert.equal((await kernel.call(name, args)).error.error_code, code, `${name} ${text}`);
    }
    for (const [name, args] of [
      ["git_search", { pattern: text }],
      ["git_search", { pattern: text, regex: true }],
      ["git_log", { author: text, message: text }],
    ] as const) {
      assert.equal((await kernel.call(name, args)).kind, "ok", `${name} ${text}`);
    }
  }
  for (const ref of ["HEAD..main", "HEAD:a.txt", ":/First", "HEAD^{/First}", "a b", "HEAD\n", "ma*n", "x".repeat(251), "", "a\0b"]) {
    assert.equal((await kernel.call("git_show", { ref })).error.error_code, "git/bad-ref", JSON.stringify(ref));
  }
  for (const path of ["", "a\0b", "x".repeat(1_001), `${"x".repeat(300)}/y`]) {
    assert.equal((await kernel.call("git_log", { path })).error.error_code, "git/bad-path", path.slice(0, 10));
  }
  assert.equal(await exists(join(root, "pwned")), false);
});

test("a path is a name and no pattern", async () => {
  for (const path of ["*.txt", ":(top)a.txt", ":/", ":!a.txt", "src/[b].txt"]) {
    assert.deepEqual((await kernel.call("git_log", { path })).data.commits, [], path);
  }
  assert.equal((await kernel.call("git_commit", { message: "x", paths: [":(top)."] })).error.error_code, "git/no-such-path");
});

test("the server's own GIT variables don't send git elsewhere", async () => {
  const other = await scratchRepository();
  await other.commit("Elsewhere", BY, { "elsewhere.txt": "x\n" });
  const pwned = join(other.outside, "pwned");
  Object.assign(env, {
    GIT_DIR: join(other.root, ".git"),
    GIT_WORK_TREE: other.root,
    GIT_INDEX_FILE: join(other.root, ".git/index"),
    GIT_OBJECT_DIRECTORY: join(other.root, ".git/objects"),
    GIT_EXTERNAL_DIFF: `touch ${pwned}`,
    GIT_PAGER: `touch ${pwned}`,
    GIT_SSH_COMMAND: `touch ${pwned}`,
    GIT_ASKPASS: `touch ${pwned}`,
    GIT_TRACE: pwned,
    GIT_CONFIG_GLOBAL: join(other.root, ".git/config"),
    GIT_CONFIG_PARAMETERS: "'core.fsmonitor'='touch pwned'",
    GIT_CONFIG_COUNT: "2",
    GIT_CONFIG_KEY_0: "core.fsmonitor",
    GIT_CONFIG_VALUE_0: `touch ${pwned}`,
    GIT_CONFIG_KEY_1: "user.name",
    GIT_CONFIG_VALUE_1: "Passed On",
    GIT_LITERAL_PATHSPECS: "0",
  });
  assert.equal((await kernel.call("git_log", { limit: 1 })).data.commits[0].subject, "Second version");
  assert.equal((await kernel.call("git_status", { path: "elsewhere.txt" })).error.error_code, "git/no-such-path");
  assert.equal((await kernel.call("git_show", {})).data.files[0].path, "a.txt");
  assert.equal(await exists(pwned), false);
  for (const key of Object.keys(env)) delete env[key];
  Object.assign(env, repository.env);
  await other.dispose();
});

test("no program that a repository's configuration names is run by a tool that reads", async () => {
  const hostile = await scratchRepository();
  const { root, outside } = hostile;
  const ran = join(outside, "ran");
  const program = join(outside, "program");
  await writeFile(program, `#!/bin/sh\necho "$0 $*" >> '${ran}'\ncat\n`);
  await chmod(program, 0o755);
  await hostile.commit("First version", BY, { ".gitattributes": "* diff=evil filter=evil\n", "a.txt": "one\n", "src/b.txt": "needle\n" });
  await hostile.commit("Second version", BY, { "a.txt": "two\n" });
  for (const [key, value] of [
    ["core.fsmonitor", program],
    ["core.pager", program],
    ["core.sshCommand", program],
    ["core.editor", program],
    ["pager.log", program],
    ["diff.external", program],
    ["diff.evil.command", program],
    ["diff.evil.textconv", program],
    ["filter.evil.clean", program],
    ["filter.evil.smudge", program],
    ["filter.evil.process", program],
    ["filter.evil.required", "true"],
    ["log.showSignature", "true"],
    ["gpg.program", program],
    ["alias.log", `!${program}`],
    ["diff.orderFile", join(outside, "missing")],
    ["color.ui", "always"],
    ["diff.noprefix", "true"],
    ["log.follow", "true"],
  ] as const) {
    await hostile.git("config", key, value);
  }
  for (const hook of ["post-index-change", "pre-commit", "post-checkout", "reference-transaction", "fsmonitor-watchman"])
    await addHook(hostile, hook, `echo ${hook} >> '${ran}'`);
  // Changed on disk, also only in its time stamp: git has to read the files again, through its filters if it may.
  await hostile.write({ "a.txt": "three\n", "src/b.txt": "needle\n" });
  Object.assign(env, hostile.env);
  for (const [name, args, version] of READS) {
    const outcome = await kernel.call(name, args, { ...(version !== undefined && { version }) });
    assert.equal(outcome.kind, "ok", `${name} ${JSON.stringify(outcome)}`);
    assert.doesNotMatch(JSON.stringify(outcome.data), /\\u001b/);
  }
  assert.equal(await exists(ran), false, (await exists(ran)) ? await readFile(ran, "utf8") : "");
  assert.deepEqual((await kernel.call("git_status", {})).data.files, [{ path: "a.txt", staged: "unchanged", unstaged: "modified" }]);
  assert.match((await kernel.call("git_diff", {})).data.patch, /^diff --git a\/a\.txt b\/a\.txt\n/);
  Object.assign(env, repository.env);
  assert.equal(root, hostile.root);
  await hostile.dispose();
});

test("a clean filter of the user's own configuration still works", async () => {
  const other = await scratchRepository();
  await writeFile(join(String(other.env["HOME"]), ".gitconfig"), '[filter "upper"]\n\tclean = tr a-z A-Z\n\trequired = true\n');
  await other.commit("First version", BY, { ".gitattributes": "*.txt filter=upper\n", "a.txt": "one\n" });
  await other.write({ "a.txt": "One\n" });
  Object.assign(env, other.env, { PATH: process.env.PATH });
  assert.equal((await kernel.call("git_status", {})).data.clean, true);
  Object.assign(env, repository.env);
  await other.dispose();
});

test("a program called git in the work tree is never run", async () => {
  const { root } = repository;
  await mkdir(join(root, "bin"));
  await writeFile(join(root, "bin/git"), "#!/bin/sh\ntouch pwned\n");
  await writeFile(join(root, "git"), "#!/bin/sh\ntouch pwned\n");
  for (const file of ["bin/git", "git"]) await chmod(join(root, file), 0o755);
  env.PATH = [".", "", "bin", join(root, "bin"), root, process.env.PATH].join(delimiter);
  assert.equal((await kernel.call("git_log", {})).kind, "ok");
  assert.equal(await exists(join(root, "pwned")), false);
});
