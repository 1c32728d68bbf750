import { execFile } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Who commits and when. */
export interface Signature {
  readonly name: string;
  readonly email: string;
  /** ISO 8601 with offset. */
  readonly date: string;
}

/** A repository in a temporary folder, made with the real git and cut off from the configuration of the user and the machine. */
export interface ScratchRepository {
  /** Absolute real path of the work tree. */
  readonly root: string;
  /** A folder beside the work tree, outside of the root. */
  readonly outside: string;
  /** For the tools: the root, an identity, and no configuration but the repository's. */
  readonly env: Readonly<Record<string, string>>;
  /** Runs git and gives its output without the last line break. */
  git(...args: readonly string[]): Promise<string>;
  /** Writes files by path, making their folders. */
  write(files: Readonly<Record<string, string | Uint8Array>>): Promise<void>;
  /** Writes files, stages everything, commits; gives the hash. */
  commit(message: string, by: Signature, files?: Readonly<Record<string, string | Uint8Array>>): Promise<string>;
  dispose(): Promise<void>;
}

const SOMEBODY: Signature = { name: "Cleo Example", email: "cleo@example.com", date: "2026-03-02T09:00:00+00:00" };

function identity({ name, email, date }: Signature): Record<string, string> {
  return {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
    GIT_COMMITTER_DATE: date,
  };
}

/**
 * Makes an empty repository with the branch main.
 *
 * @example
 * const repository = await scratchRepository();
 * await repository.commit("First version", { name: "Ada Example", email: "ada@example.com", date: "2026-01-05T10:00:00+00:00" }, { "README.md": "# Hello\n" });
 */
export async function scratchRepository(): Promise<ScratchRepository> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "fettle-git-")));
  const root = join(folder, "work");
  const outside = join(folder, "outside");
  const home = join(folder, "home");
  for (const path of [root, outside, home]) await mkdir(path);
  const env = {
    ...(process.env.PATH !== undefined && { PATH: process.env.PATH }),
    HOME: home,
    XDG_CONFIG_HOME: home,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_TOOLS_ROOT: root,
    ...identity(SOMEBODY),
  };
  const git = async (args: readonly string[], by: Signature = SOMEBODY) => {
    const { stdout } = await run("git", [...args], { cwd: root, env: { ...env, ...identity(by), GIT_MERGE_AUTOEDIT: "no" } });
    return stdout.replace(/\n$/, "");
  };
  const write = async (files: Readonly<Record<string, string | Uint8Array>>) => {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), content);
    }
  };
  await git(["init", "--quiet", "--template=", "--initial-branch=main", "."]);
  return {
    root,
    outside,
    env,
    git: (...args) => git(args),
    write,
    commit: async (message, by, files = {}) => {
      await write(files);
      await git(["add", "--all"]);
      await git(["commit", "--quiet", "--allow-empty", `--message=${message}`], by);
      return git(["rev-parse", "HEAD"]);
    },
    dispose: () => rm(folder, { recursive: true, force: true }),
  };
}
