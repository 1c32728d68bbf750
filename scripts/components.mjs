// Programs that the tests need beside Node. The list is test/support/components.json.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Installs what is missing where that can be done without asking (root on Debian), and returns what is still missing. */
export function ensureComponents(root) {
  const components = Object.entries(JSON.parse(readFileSync(join(root, "test/support/components.json"), "utf8")));
  const isMissing = ([, { probe }]) => spawnSync(probe[0], probe.slice(1), { cwd: root, stdio: "ignore" }).status !== 0;
  const missing = components.filter(isMissing);
  const packages = missing.flatMap(([, { debian }]) => debian ?? []);
  if (packages.length > 0 && existsSync("/etc/debian_version") && process.getuid?.() === 0) {
    console.error(`Installing Debian packages: ${packages.join(", ")}`);
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    for (const args of [
      ["update", "-qq"],
      ["install", "-y", "-qq", "--no-install-recommends", ...packages],
    ]) {
      spawnSync("apt-get", args, { stdio: ["ignore", 2, 2], env });
    }
  }
  return missing.filter(isMissing).map(([name, { needed_by, get }]) => ({ name, needed_by, get }));
}
