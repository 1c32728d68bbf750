import { externalError, stateError } from "fettle";
import { type ToolFailure, wordsOf } from "./gitErrors.js";
import type { GitRun } from "./runGit.js";
import type { TreeStatus } from "./treeStatus.js";
import { writeFailure } from "./writeFailure.js";

/** A commit would be empty. */
export function nothingToCommit(what: string, fix: string): ToolFailure {
  return stateError("git/nothing-to-commit", {
    what,
    why: "A commit without changes isn't made.",
    fix: [fix, "git_status shows which files differ from the last commit."],
    alternativeTools: ["git_status"],
  });
}

/** Why `git commit` failed. */
export function commitFailure(run: GitRun, status: TreeStatus): ToolFailure {
  const said = `${run.stderr}\n${run.stdout.toString("utf8")}`;
  if (run.failedHook) return writeFailure("commit", "commit", run, status);
  if (/tell me who you are|auto-detection is disabled|empty ident name|identity unknown/i.test(said)) {
    return stateError("git/no-identity", {
      what: "Nothing was committed, because git doesn't know in whose name to commit.",
      why: "Neither user.name and user.email nor GIT_AUTHOR_NAME, GIT_AUTHOR_EMAIL, GIT_COMMITTER_NAME and GIT_COMMITTER_EMAIL are set for the server.",
      fix: 'Ask the person who runs this server to set them: git config --global user.name "NAME" and git config --global user.email "ADDRESS".',
    });
  }
  if (/failed to sign|gpg failed|signing failed|user\.signingkey/i.test(said)) {
    return externalError("git/signing-failed", {
      what: `Nothing was committed, because the commit could not be signed: ${wordsOf(run.stderr, 300)}`,
      why: "The configuration asks for signed commits (commit.gpgSign), and the signing program failed or wanted a passphrase, which a server can't give.",
      fix: "Ask the person who runs this server to unlock the key, or to switch signing off for this repository.",
      retry: false,
    });
  }
  if (/nothing (added )?to commit|no changes added/i.test(said))
    return nothingToCommit(
      "There is nothing to commit: once line ends and filters are applied, the files are as the last commit has them.",
      "Change a file first.",
    );
  return writeFailure("commit", "commit", run, status);
}
