/** How much of the repository's own configuration may act: `read` runs no program that it names, `write` runs its hooks and filters. */
export type GitMode = "read" | "write";

type Environment = Readonly<Record<string, string | undefined>>;

/** What a read needs of the server's environment. */
const BASE = ["PATH", "HOME", "XDG_CONFIG_HOME", "USERPROFILE", "HOMEDRIVE", "HOMEPATH", "APPDATA", "SYSTEMROOT", "TMPDIR", "TEMP", "TMP", "TZ"];

/** GIT_* variables that are passed on: they say who commits, and can't send git elsewhere. */
const IDENTITY = ["AUTHOR", "COMMITTER"].flatMap((who) => ["NAME", "EMAIL", "DATE"].map((what) => `GIT_${who}_${what}`));

/** Keys of GIT_CONFIG_COUNT that are passed on, so that containers can trust a folder or set an identity without a file. */
const PASSED_CONFIG = /^(safe\.directory|user\.(name|email))$/i;

/** Overrides for each call: nothing in a config may change the form of what we parse. */
const ALWAYS: readonly (readonly [string, string])[] = [
  ["color.ui", "false"],
  ["core.quotePath", "false"],
  ["core.pager", "cat"],
  ["safe.bareRepository", "explicit"],
  ["submodule.recurse", "false"],
  ["advice.statusHints", "false"],
];

/**
 * Overrides for reads. The first three name programs that git would run (git-config(1)); the rest change output.
 * External diff, textconv and signature checks are switched off by options of the commands as well.
 */
const FOR_READS: readonly (readonly [string, string])[] = [
  ["core.fsmonitor", "false"],
  ["core.hooksPath", process.platform === "win32" ? "NUL" : "/dev/null"],
  ["log.showSignature", "false"],
  ["log.follow", "false"],
  ["diff.orderFile", "/dev/null"],
  ["diff.submodule", "short"],
  ["diff.noprefix", "false"],
  ["diff.mnemonicPrefix", "false"],
  ["diff.relative", "false"],
  ["status.submoduleSummary", "false"],
  ["grep.fullName", "false"],
  // The list that is reset is one of files anywhere (git-config(1)). Versions of git that read them all the same get no configuration at all: see bareEnvironment.ts.
  ["blame.ignoreRevsFile", ""],
];

/** Config entries in the form of `GIT_CONFIG_COUNT`, which has no quoting to get wrong. */
function configEntries(entries: readonly (readonly [string, string])[]): Record<string, string> {
  const env: Record<string, string> = { GIT_CONFIG_COUNT: String(entries.length) };
  entries.forEach(([key, value], i) => {
    env[`GIT_CONFIG_KEY_${i}`] = key;
    env[`GIT_CONFIG_VALUE_${i}`] = value;
  });
  return env;
}

function passedConfig(server: Environment): [string, string][] {
  const count = Math.min(Number(server.GIT_CONFIG_COUNT) || 0, 1_000);
  const passed: [string, string][] = [];
  for (let i = 0; i < count; i++) {
    const key = server[`GIT_CONFIG_KEY_${i}`];
    if (key !== undefined && PASSED_CONFIG.test(key)) passed.push([key, server[`GIT_CONFIG_VALUE_${i}`] ?? ""]);
  }
  return passed;
}

/**
 * The environment of a git process. GIT_DIR, GIT_WORK_TREE, GIT_EXTERNAL_DIFF, pagers, tracing and all the other GIT_*
 * variables of the server are left out; only who commits is passed on.
 *
 * @param overrides further config entries, such as filters that are switched off
 */
export function gitEnvironment(server: Environment, mode: GitMode, ceiling: string, overrides: readonly (readonly [string, string])[]): Record<string, string> {
  const env: Record<string, string> = {};
  const keep = (name: string) => {
    const value = server[name];
    if (value !== undefined) env[name] = value;
  };
  // Hooks and filters of a write are the repository's own programs and may need anything; a read needs next to nothing.
  if (mode === "write") for (const name of Object.keys(server)) if (!/^(GIT_|SSH_ASKPASS$|LC_|LANGUAGE$|GPG_TTY$)/i.test(name)) keep(name);
  for (const name of [...BASE, ...IDENTITY, "GIT_CONFIG_NOSYSTEM"]) keep(name);
  Object.assign(env, {
    LC_ALL: "C",
    // git never looks above the root for a repository.
    GIT_CEILING_DIRECTORIES: ceiling,
    GIT_TERMINAL_PROMPT: "0",
    GIT_PAGER: "cat",
    GIT_EDITOR: ":",
    GIT_SEQUENCE_EDITOR: ":",
  });
  // No lock is taken and nothing is fetched by a read, also not from the promisor of a partial clone.
  if (mode === "read") Object.assign(env, { GIT_OPTIONAL_LOCKS: "0", GIT_NO_LAZY_FETCH: "1", GIT_ALLOW_PROTOCOL: "none" });
  return Object.assign(
    env,
    configEntries([...passedConfig(server), ...ALWAYS, ...(mode === "read" ? FOR_READS : [["user.useConfigOnly", "true"] as const]), ...overrides]),
  );
}
