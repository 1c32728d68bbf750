import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "./runCli.js";

/** What would be published to npm, as of the last build. */
export interface Packed {
  /** Puts all packages into `node_modules` of a folder, with their programs and dependencies, as npm would; nothing is downloaded. */
  installInto(folder: string): void;
  dispose(): void;
}

/** Packs every package that would be published. */
export async function packAll(): Promise<Packed> {
  // The scripts are JavaScript, which these tests know no types of.
  const scripts = pathToFileURL(join(ROOT, "scripts/importPacked.mjs")).href;
  const { installPacked }: { installPacked(root: string, tarballs: readonly string[], folder: string): unknown } = await import(scripts);
  const folder = mkdtempSync(join(tmpdir(), "fettle-packed-"));
  const args = ["-y", "pnpm@10.34.9", "-r", "--filter=./packages/*", "--filter=./plugins/*", "pack", "--pack-destination", folder];
  const { status, stdout, stderr } = spawnSync("npx", args, { cwd: ROOT, encoding: "utf8" });
  if (status !== 0) throw new Error(`pnpm pack failed:\n${stdout}${stderr}`);
  const tarballs = readdirSync(folder).map((name) => join(folder, name));
  return {
    installInto: (target) => void installPacked(ROOT, tarballs, target),
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}
