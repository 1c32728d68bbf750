import assert from "node:assert/strict";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type TestBench, testKernel } from "@fettle/testkit";
import { gitExecutable } from "../gitExecutable.js";
import type { ScratchRepository } from "../scratchRepository.js";

/** The folder of the Git tools. */
export const TOOLS: string = fileURLToPath(new URL("..", import.meta.url));

/** The real kernel with the real Git tools and a clock that the test turns. `env` may be changed between calls. */
export function openTools(env: Readonly<Record<string, string | undefined>>): Promise<TestBench> {
  return testKernel({ folders: [TOOLS], env, strict: true });
}

/** Every error that was seen stands in the spec of its tool, save for the kernel's own. */
export function assertListed({ kernel, observed }: TestBench): void {
  for (const { spec } of kernel.catalog().tools) {
    const listed = new Set(spec.common_errors.map((error) => error.error_code));
    for (const outcome of observed) {
      if (outcome.kind !== "error" || outcome.tool?.name !== spec.name || outcome.tool.version !== spec.version) continue;
      const code = outcome.error.error_code;
      assert.ok(code.startsWith("kernel/") || listed.has(code), `${spec.name} ${spec.version} gave ${code}, which its spec doesn't list`);
    }
  }
}

/** The git of this machine. */
export function realGit(): string {
  return gitExecutable(process.env.PATH, "/no/such/root");
}

/**
 * A folder for PATH that holds a git of the test's own, in shell. `$GIT` is the real one.
 *
 * @example await wrappedGit(repository, 'test "$1" = log && exit 3\nexec "$GIT" "$@"')
 */
export async function wrappedGit(repository: ScratchRepository, script: string): Promise<string> {
  const folder = join(repository.outside, "bin");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "git"), `#!/bin/sh\nGIT='${realGit()}'\n${script}\n`);
  await chmod(join(folder, "git"), 0o755);
  return folder;
}

/** Puts a hook into a repository. */
export async function addHook(repository: ScratchRepository, name: string, script: string): Promise<void> {
  const folder = join(repository.root, ".git", "hooks");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`);
  await chmod(join(folder, name), 0o755);
}
