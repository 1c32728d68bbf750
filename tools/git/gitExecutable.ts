import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join, sep } from "node:path";
import { externalError } from "fettle";

const NAMES = process.platform === "win32" ? ["git.exe"] : ["git"];

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/**
 * The absolute path of git, looked up in PATH by ourselves: a relative entry of PATH, or the current folder on Windows,
 * would let a file called `git` in the work tree be run.
 *
 * @throws external_error `git/not-installed`
 */
export function gitExecutable(searchPath: string | undefined, root: string): string {
  for (const folder of (searchPath ?? "").split(delimiter)) {
    if (!isAbsolute(folder) || folder === root || folder.startsWith(root + sep)) continue;
    for (const name of NAMES) {
      const file = join(folder, name);
      if (isExecutable(file)) return file;
    }
  }
  throw externalError("git/not-installed", {
    what: "The git program was not found on the server, so no Git tool can work there.",
    why: "No absolute folder of the server's PATH holds an executable called git. Nothing is wrong with the arguments.",
    fix: [
      "Ask the person who runs this server to install git (https://git-scm.com/downloads) or to add its folder to PATH, then to restart the server.",
      "Until then do without the Git tools: all of them need git.",
    ],
    retry: false,
  });
}
