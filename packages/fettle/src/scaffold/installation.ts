import { realpathSync } from "node:fs";
import { join, sep } from "node:path";
import { packageFolder } from "../packageFolder.js";
import { version } from "../version.js";
import type { NewLink } from "./writeFiles.js";

/** The package that runs. */
export interface Installation {
  /** Its folder, without links on the way. */
  readonly folder: string;
  readonly version: string;
  /** It is a clone of the repository, not a package that npm installed. */
  readonly checkout: boolean;
}

/** Where this package is, and how it came there. */
export function installation(): Installation {
  const folder = realpathSync(packageFolder);
  return { folder, version: version(), checkout: !folder.split(sep).includes("node_modules") };
}

/** What makes a package usable in a project as if npm had installed it. */
export function linksTo({ folder }: Installation): readonly NewLink[] {
  return [
    { path: "node_modules/fettle", target: folder },
    { path: "node_modules/.bin/fettle", target: join("..", "fettle", "bin", "fettle.js") },
  ];
}
