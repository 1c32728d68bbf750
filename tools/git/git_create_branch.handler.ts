import { type Handler, inputError, stateError } from "fettle";
import { quoted } from "./gitErrors.js";
import { resolveCommit } from "./refArgument.js";
import { treeStatus } from "./treeStatus.js";
import { type WorkTree, withWorkTree } from "./workTree.js";
import { writeFailure } from "./writeFailure.js";

interface Args {
  readonly name: string;
  readonly start_point?: string;
  readonly switch?: boolean;
}

interface Output {
  readonly name: string;
  readonly commit: string;
  readonly switched: boolean;
  readonly previous_branch?: string;
}

/** A valid name that is like the wished one; undefined where nothing is left of it. */
function mended(name: string): string | undefined {
  const plain = name
    .normalize("NFC")
    .replace(/@\{/g, "-")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: git refuses these in names
    .replace(/[\x00-\x20\x7f~^:?*[\\]+/g, "-")
    .replace(/\.{2,}/g, ".")
    .replace(/\/{2,}/g, "/")
    .split("/")
    .map((part) => part.replace(/^[.-]+|(\.lock)+$|[.-]+$/g, ""))
    .filter(Boolean)
    .join("/");
  return plain === "" || /^(HEAD|@)$/.test(plain) ? undefined : plain.slice(0, 200);
}

/** Refuses what git refuses as a branch name (git-check-ref-format(1)), and what it would take for something else. */
async function checkName(tree: WorkTree, name: string): Promise<void> {
  const plain = !/^(-|HEAD$|@$|refs\/)/.test(name) && !name.includes("@{") && !name.includes("\0") && name !== "" && name.length <= 200;
  if (plain && (await tree.git(["check-ref-format", `refs/heads/${name}`], { accept: [0, 1] })).code === 0) return;
  const suggestion = mended(name.replace(/^refs\/heads\//, ""));
  throw inputError("git/bad-branch-name", {
    what: `"${quoted(name)}" can't be the name of a branch.`,
    why: "A name has 1 to 200 characters, doesn't begin with - or refs/, holds no spaces, no .. and none of ~ ^ : ? * [ \\ @{, and no part of it begins with . or ends with . or .lock.",
    fix:
      suggestion === undefined
        ? "Send a name of letters, digits, hyphens and slashes, for example feature/login."
        : `Send a plain name, for example ${suggestion}`,
    details: suggestion === undefined ? {} : { suggestion },
  });
}

function exists(name: string, other: string | undefined): never {
  throw stateError("git/branch-exists", {
    what:
      other === undefined
        ? `There is a branch called ${quoted(name)} already. It was left as it is.`
        : `${quoted(name)} can't be made because there is a branch called ${quoted(other)}.`,
    why:
      other === undefined
        ? "Branch names are unique, and this tool moves no branch."
        : "git keeps branches like files in folders, so a name can't be both a branch and the beginning of another.",
    fix:
      other === undefined
        ? ["Send another name.", `Or use the branch that is there: send ${quoted(name)} as ref to git_log, git_show or git_search.`]
        : `Send a name that doesn't begin with ${quoted(other)}/ and isn't the beginning of one, for example ${quoted(name.includes("/") ? name.replaceAll("/", "-") : `${name}-2`)}`,
    details: { branch: other ?? name },
  });
}

export default (({ name, start_point = "HEAD", switch: switching = false }, ctx) =>
  withWorkTree(ctx, { mode: "write" }, async (tree) => {
    await checkName(tree, name);
    const commit = await resolveCommit(tree, start_point, "start_point");
    const before = await treeStatus(tree, { untracked: false });
    // The name can't be taken for an option: checkName has seen to it. The start is a hash.
    const args = switching
      ? ["switch", "--quiet", "--no-progress", "--no-track", "--create", name, commit]
      : ["branch", "--no-track", "--end-of-options", name, commit];
    const run = await tree.git(args, { accept: "any", traceHooks: true });
    if (run.code !== 0) {
      if (/a branch named .* already exists/is.test(run.stderr)) exists(name, undefined);
      const other = /'refs\/heads\/([^']+)' exists; cannot create/.exec(run.stderr);
      if (other) exists(name, other[1]);
      // A post-checkout hook that fails decides the exit code but undoes nothing.
      const after = switching ? await treeStatus(tree, { untracked: false }) : before;
      if (!switching || after.branch !== name || before.branch === name)
        throw writeFailure(switching ? "make the branch and switch to it" : "make the branch", args[0] ?? "", run, before);
    }
    return { name, commit, switched: switching, ...(before.branch !== undefined && { previous_branch: before.branch }) };
  })) satisfies Handler<Args, Output>;
