import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** A copy of test/e2e/project in the system's temporary folder: outside of the repository, as a user's project is. */
export async function projectCopy(): Promise<{ readonly folder: string; readonly config: string; dispose(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "fettle-desk-"));
  await cp(fileURLToPath(new URL("project", import.meta.url)), folder, { recursive: true });
  return { folder, config: join(folder, "fettle.config.yaml"), dispose: () => rm(folder, { recursive: true, force: true }) };
}
