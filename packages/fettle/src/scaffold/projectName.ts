import { UsageError } from "../usageError.js";
import { visible } from "../visible.js";
import { shellWord } from "./shellWord.js";

const LONGEST = 214;
const FORM = /^(@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;
/** Names of the right form that a project can't have, and why. */
const TAKEN: Readonly<Record<string, string>> = {
  fettle: "The name fettle is taken: the project depends on the package fettle, and no package can depend on one of its own name.",
  node_modules: "The name node_modules is reserved: npm gives it to no package.",
  "favicon.ico": "The name favicon.ico is reserved: npm gives it to no package.",
};

/**
 * The name of a new project's package.
 *
 * @param folder the name of its folder, which becomes one that npm takes
 * @param wanted the name that was asked for, which is taken as it is or refused
 * @param dir the folder as it was named, for the command that is proposed
 * @throws UsageError when npm would take no such name
 */
export function projectName(folder: string, wanted: string | undefined, dir: string | undefined): string {
  // A package can't depend on one of its own name.
  const made = packageName(folder);
  const name = wanted ?? (made === "fettle" ? "fettle-tools" : made);
  const taken = Object.hasOwn(TAKEN, name) ? TAKEN[name] : undefined;
  if (taken === undefined && FORM.test(name) && name.length <= LONGEST) return name;
  const where = dir === undefined ? "" : ` ${shellWord(dir.startsWith("-") ? `./${dir}` : dir)}`;
  throw new UsageError(
    taken ?? (wanted === undefined ? `No package name can be made of ${visible(folder || "this folder")}.` : `${visible(wanted || '""')} is no package name.`),
    `Say a name that npm takes, of a-z, 0-9, - and _: fettle init --name my-tools${visible(where)}`,
  );
}

/** What npm takes of a name: `Ünïcode Tools` is `unicode-tools`. */
function packageName(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, "-")
    .replace(/^[._-]+|[._-]+$/g, "")
    .slice(0, LONGEST);
}
