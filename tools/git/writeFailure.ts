import { externalError, stateError } from "fettle";
import { gitFailed, indexLocked, someOf, type ToolFailure, wordsOf } from "./gitErrors.js";
import type { HookRun } from "./hookTrace.js";
import type { GitRun } from "./runGit.js";
import type { TreeStatus } from "./treeStatus.js";

/** A hook of the repository said no. */
function hookRejected(doing: string, hook: HookRun): ToolFailure {
  const { said } = hook;
  return externalError("git/hook-rejected", {
    what: `The repository's ${hook.name} hook refused to let git ${doing}. It said:\n${said || "(nothing)"}`,
    why: `The hook is a check that the owners of the repository have set up; it ended with exit code ${hook.code}. Nothing was changed in the history.`,
    fix: [
      "Mend what the hook complains about (in the files or in the arguments), then call again.",
      "The hook can't be skipped with this tool. If it is broken itself, tell the person who owns the repository.",
    ],
    details: { hook: hook.name, exit_code: hook.code, output: said },
    retry: false,
  });
}

/** Files in conflict keep git from writing. */
export function unmergedFiles(files: readonly string[]): ToolFailure {
  return stateError("git/unmerged-files", {
    what: files.length > 0 ? `There are unresolved conflicts in ${someOf(files)}.` : "There are unresolved conflicts in this work tree.",
    why: "A merge, rebase or cherry-pick stopped because both sides changed the same lines. Nothing can be committed or switched until that is resolved.",
    fix: [
      "Call git_status to see the files in conflict; each holds the marks <<<<<<<, ======= and >>>>>>>.",
      "The conflicts have to be resolved and staged with git itself (git add, or git merge --abort to give up); these tools don't do that.",
    ],
    details: { files: files.slice(0, 20) },
    alternativeTools: ["git_status"],
  });
}

/** The state of the work tree keeps git from switching. */
function dirtyTree(stderr: string): ToolFailure {
  const files = [...stderr.matchAll(/^\t(.+)$/gm)].map(([, file]) => file ?? "");
  const untracked = /untracked working tree files/i.test(stderr);
  return stateError("git/dirty-tree", {
    what: `Switching would overwrite ${untracked ? "untracked files" : "changes that aren't committed"}: ${someOf(files)}. Nothing was changed, and no branch was made.`,
    why: untracked
      ? "The commit to switch to holds files of these names, which git doesn't track here yet."
      : "These files differ from the last commit, and the commit to switch to has other versions of them.",
    fix: [
      "Commit the changes first with git_commit and these files as paths, then call again.",
      "Or leave switch out: then the branch is made and the work tree stays as it is.",
      "Or leave start_point out to begin at HEAD, which keeps the changes.",
    ],
    details: { files: files.slice(0, 20) },
    alternativeTools: ["git_commit", "git_status"],
  });
}

/** git waits for an operation to be finished. */
export function operationInProgress(what: string, fix: string): ToolFailure {
  return stateError("git/operation-in-progress", {
    what,
    why: "A merge, rebase, cherry-pick or revert was begun in this work tree and isn't finished.",
    fix: [fix, "Call git_status: operation says what is in progress."],
    alternativeTools: ["git_status"],
  });
}

/**
 * Why a command that writes failed, as far as that is the same for all of them.
 *
 * @param doing for the sentence "refused to let git ...": `commit`, `make the branch`
 */
export function writeFailure(doing: string, command: string, run: GitRun, status?: Pick<TreeStatus, "files">): ToolFailure {
  const { stderr, failedHook } = run;
  if (failedHook) return hookRejected(doing, failedHook);
  if (/Unable to create '.*\.lock': File exists|another git process seems to be running/is.test(stderr)) return indexLocked();
  if (/would be overwritten by/i.test(stderr)) return dirtyTree(stderr);
  if (/unmerged files|resolve your current index first|unresolved conflict/i.test(stderr)) {
    return unmergedFiles((status?.files ?? []).filter((file) => file.unstaged === "conflict").map((file) => file.path));
  }
  if (/cannot switch branch while|in the middle of|cannot do a partial commit during/i.test(stderr)) {
    return operationInProgress(`git can't ${doing} now: ${wordsOf(stderr, 200)}`, "Ask the person who owns the work tree to finish it or to abort it.");
  }
  return gitFailed(command, run);
}
