// What would be published, installed without a registry, and every entry of it imported by plain Node, as whoever installs it would.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { workspacePackages } from "./workspace.mjs";

/**
 * Unpacks the tarballs side by side into `node_modules`, gives each what its package.json declares, and links the programs, as npm would.
 * @param {string} root the workspace
 * @param {string[]} tarballs
 * @param {string} folder the folder whose `node_modules` they go into
 * @returns {{ name: string, version: string, home: string, exports: object, bin?: Record<string, string> }[]}
 */
export function installPacked(root, tarballs, folder) {
  const dirs = new Map(workspacePackages(root).map(({ name, dir }) => [name, join(root, dir)]));
  return tarballs.map((tarball) => {
    const manifest = JSON.parse(spawnSync("tar", ["-xOf", tarball, "package/package.json"], { encoding: "utf8" }).stdout);
    const home = join(folder, "node_modules", manifest.name);
    mkdirSync(home, { recursive: true });
    spawnSync("tar", ["-xf", tarball, "-C", home, "--strip-components=1"]);
    // Ours are beside it; the others are where pnpm put them.
    for (const name of Object.keys(manifest.dependencies ?? {}).filter((name) => !dirs.has(name))) {
      const link = join(home, "node_modules", name);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(realpathSync(join(dirs.get(manifest.name) ?? root, "node_modules", name)), link);
    }
    for (const [name, file] of Object.entries(manifest.bin ?? {})) {
      const link = join(folder, "node_modules/.bin", name);
      mkdirSync(dirname(link), { recursive: true });
      chmodSync(join(home, file), 0o755);
      symlinkSync(join(home, file), link);
    }
    return { ...manifest, home };
  });
}

/**
 * Imports every entry of the packed packages.
 * @param {string} root the workspace
 * @param {string[]} tarballs
 * @param {string} folder an empty folder to work in
 * @returns {{ ok: boolean, output: string }}
 */
export function importPacked(root, tarballs, folder) {
  const entries = installPacked(root, tarballs, folder).flatMap(({ name, home, exports, bin = {} }) => [
    ...Object.keys(exports).flatMap((path) => (path === "./package.json" ? [] : [`${name}${path.slice(1)}`])),
    ...Object.values(bin).map((file) => join(home, file)),
  ]);
  let output = "";
  for (const entry of entries) {
    // The CLI runs when it is imported: then --version is what it is asked for.
    const code = "process.argv = [process.argv[0], 'entry', '--version']; await import(process.env.ENTRY);";
    const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", code], {
      cwd: folder,
      encoding: "utf8",
      env: { ...process.env, ENTRY: entry, NODE_OPTIONS: "" },
    });
    if (status !== 0) output += `${entry} can't be imported by plain Node:\n${stderr.trimEnd()}\n`;
  }
  if (entries.length === 0) output += "There was nothing to import.\n";
  return { ok: output === "", output };
}
