// The packages of the workspace, read from the folders that pnpm-workspace.yaml names.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** @returns {{ dir: string, name: string, private: boolean }[]} folders relative to the root, sorted */
export function workspacePackages(root) {
  return ["packages", "plugins", "tools"]
    .flatMap((group) => readdirSync(join(root, group)).map((name) => join(group, name)))
    .filter((dir) => existsSync(join(root, dir, "package.json")))
    .map((dir) => {
      const pkg = JSON.parse(readFileSync(join(root, dir, "package.json"), "utf8"));
      return { dir, name: pkg.name, private: pkg.private === true };
    })
    .sort((a, b) => (a.dir < b.dir ? -1 : 1));
}
