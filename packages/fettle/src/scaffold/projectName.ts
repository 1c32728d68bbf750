import { UsageError } from "../usageError.js";
import { visible } from "../visible.js";

const LONGEST = 214;
/** Names that npm gives to no package. */
const REFUSED = new Set(["node_modules", "favicon.ico"]);

/**
 * The name of a new project's package.
 *
 * @param folder the name of its folder, which becomes one that npm takes
 * @param wanted the name that was asked for, which is taken as it is or refused
 * @throws UsageError when npm would take no such name
 */
export function projectName(folder: string, wanted: string | undefined): string {
  const made = folder
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, "-")
    .replace(/^[._-]+|[._-]+$/g, "")
    .slice(0, LONGEST);
  // A package can't depend on one of its own name.
  const name = wanted ?? (made === "fettle" ? "fettle-tools" : made);
  if (/^(@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/.test(name) && name.length <= LONGEST && !REFUSED.has(name) && name !== "fettle") return name;
  throw new UsageError(
    wanted === undefined ? `No package name can be made of ${visible(folder === "" ? "this folder" : folder)}.` : `${visible(wanted)} is no package name.`,
    "Say a name that npm takes, of a-z, 0-9, - and _: fettle init --name my-tools",
  );
}
