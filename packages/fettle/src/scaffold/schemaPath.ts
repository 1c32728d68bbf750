import { join, relative, sep } from "node:path";
import { installedAt } from "./installedAt.js";

/**
 * The path of a meta-schema as a file in `folder` names it for editors: in the package that is installed there, else where it will be once the
 * dependencies of the project are.
 *
 * @param root the project's folder
 */
export function schemaPath(name: "tool" | "config", folder: string, root: string): string {
  const home = installedAt(folder) ?? join(root, "node_modules/fettle");
  const path = relative(folder, join(home, "spec/v1", `${name}.schema.json`))
    .split(sep)
    .join("/");
  return path.startsWith(".") ? path : `./${path}`;
}
