import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { WorkTree } from "./workTree.js";

/**
 * Runs `work` on a tree whose git sees the objects of the repository and nothing else of it: no configuration, neither the repository's nor
 * the user's. For what no option and no override can switch off.
 *
 * @param hashLength 40 in SHA-1 repositories, 64 in SHA-256 ones
 */
export async function withoutConfiguration<T>(tree: WorkTree, hashLength: number, work: (tree: WorkTree) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "fettle-git-"));
  try {
    await mkdir(join(folder, "objects/info"), { recursive: true });
    await mkdir(join(folder, "refs"));
    await writeFile(join(folder, "HEAD"), "ref: refs/heads/none\n");
    if (hashLength === 64) await writeFile(join(folder, "config"), "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tobjectformat = sha256\n");
    // Where this is a line of its own in quotes, any path can stand in it (gitrepository-layout(5)).
    await writeFile(join(folder, "objects/info/alternates"), `${JSON.stringify(join(tree.commonDir, "objects"))}\n`);
    await copyFile(join(tree.commonDir, "shallow"), join(folder, "shallow")).catch(() => undefined);
    return await work(tree.withEnv({ GIT_DIR: folder, HOME: folder, XDG_CONFIG_HOME: folder, GIT_CONFIG_NOSYSTEM: "1" }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
