import { stateError } from "fettle";
import { checkBranchName, freeName } from "./branchName.js";
import type { Handler } from "./git_create_branch.types.js";
import { quoted } from "./gitErrors.js";
import { resolveCommit } from "./refArgument.js";
import { treeStatus } from "./treeStatus.js";
import { withWorkTree } from "./workTree.js";
import { writeFailure } from "./writeFailure.js";

function exists(name: string, other: string | undefined, free: string | undefined): never {
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
        : `Send a name that doesn't begin with ${quoted(other)}/ and isn't the beginning of one${free === undefined ? "" : `, for example ${free}`}`,
    details: { branch: other ?? name },
  });
}

export default (({ name, start_point = "HEAD", switch: switching = false }, ctx) =>
  withWorkTree(ctx, { mode: "write" }, async (tree) => {
    await checkBranchName(tree, name);
    const commit = await resolveCommit(tree, start_point, "start_point");
    const before = await treeStatus(tree, { untracked: false });
    // The name can't be taken for an option: checkBranchName has seen to it. The start is a hash.
    const args = switching
      ? ["switch", "--quiet", "--no-progress", "--no-track", "--create", name, commit]
      : ["branch", "--no-track", "--end-of-options", name, commit];
    const run = await tree.git(args, { accept: "any", traceHooks: true });
    if (run.code !== 0) {
      if (/a branch named .* already exists/is.test(run.stderr)) exists(name, undefined, undefined);
      const other = /'refs\/heads\/([^']+)' exists; cannot create/.exec(run.stderr);
      if (other) exists(name, other[1], await freeName(tree, name.includes("/") ? name.replaceAll("/", "-") : `${name}-2`));
      // A post-checkout hook that fails decides the exit code but undoes nothing.
      const after = switching ? await treeStatus(tree, { untracked: false }) : before;
      if (!switching || after.branch !== name || before.branch === name)
        throw writeFailure(switching ? "make the branch and switch to it" : "make the branch", args[0] ?? "", run, before);
    }
    return { name, commit, switched: switching, ...(before.branch !== undefined && { previous_branch: before.branch }) };
  })) satisfies Handler;
