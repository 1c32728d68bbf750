import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** The folder of the package `fettle` that a module in `folder` would import; undefined where none is installed. */
export function installedAt(folder: string): string | undefined {
  const found = join(folder, "node_modules/fettle");
  if (existsSync(found)) return found;
  return dirname(folder) === folder ? undefined : installedAt(dirname(folder));
}
