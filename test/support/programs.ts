import { fileURLToPath } from "node:url";

const folder = new URL("../programs/node_modules/", import.meta.url);

/** A file of a package of test/programs. */
export const programFile = (path: string): string => fileURLToPath(new URL(path, folder));

/** Another version of Node; ask for it by `requireComponent("node22")`. */
export const nodeProgram = (name: "node22" | "node24"): string => programFile(`${name}/bin/node`);
