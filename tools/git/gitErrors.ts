import { externalError, internalError, permissionError, resourceError } from "fettle";
import type { GitRun } from "./runGit.js";

/** What `inputError(...)` and its siblings make. */
export type ToolFailure = ReturnType<typeof internalError>;

const MAX_QUOTED = 1_000;

/** A list for a sentence: at most `most` entries, and how many more there are. */
export function someOf(names: readonly string[], most = 5): string {
  const rest = names.length - most;
  return names.slice(0, most).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}

/** A caller's text for a sentence: on one line, at most 120 characters. */
export function quoted(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
  const line = text.replace(/[\x00-\x1f\x7f-\x9f]/g, "\u00b7");
  return line.length > 120 ? `${line.slice(0, 119)}\u2026` : line;
}

/** The words of git or of a hook that tell what happened: hints left out, at most 1,000 characters. */
export function wordsOf(stderr: string, most: number = MAX_QUOTED): string {
  const text = stderr
    .split("\n")
    .filter((line) => !line.startsWith("hint:") && line.trim() !== "")
    .map((line) => line.replace(/^(fatal|error): /, ""))
    .join("\n")
    .trim();
  return text.length > most ? `${text.slice(0, most)}\u2026 (${text.length - most} more characters)` : text;
}

/** git refuses folders of another owner (CVE-2022-24765); as root that is any folder that isn't root's. */
export function dubiousOwnership(root: string): ToolFailure {
  return permissionError("git/dubious-ownership", {
    what: `git refuses to work in ${root}, because the folder belongs to another user than the one that runs the server.`,
    why: "This is git's own protection against repositories that others have prepared. No argument of this call can change it.",
    fix: [
      `Ask the person who runs this server to trust the folder: git config --global --add safe.directory "${root}" (as the user that runs the server).`,
      "In a container without a home folder, set GIT_CONFIG_COUNT=1, GIT_CONFIG_KEY_0=safe.directory and GIT_CONFIG_VALUE_0 to that path instead, or run the server as the owner of the folder.",
    ],
    details: { root },
  });
}

/** The configured root can't be used as a work tree. */
export function notAWorkTree(root: string, reason: string): ToolFailure {
  return resourceError("git/not-a-work-tree", {
    what: `The Git tools can't work in ${root}: ${reason}.`,
    why: "The root is set by the server (GIT_TOOLS_ROOT, else its working folder), not by an argument. It must be the top folder of a Git work tree; folders above it are never looked at.",
    fix: [
      "Ask the person who runs this server to set GIT_TOOLS_ROOT to the top folder of a Git work tree (the one that holds .git), or to run git init there.",
    ],
    details: { root },
  });
}

/** git failed in a way that no tool expects. */
export function gitFailed(command: string, run: Pick<GitRun, "code" | "stderr">): ToolFailure {
  return externalError("git/failed", {
    what: `git ${command} failed: ${wordsOf(run.stderr) || `it ended with exit code ${run.code} and no message`}`,
    why: "The repository, the disk or the installed git is not as it should be; the arguments were fine.",
    fix: ["Read git's message above; if it names an argument, change that one.", "Otherwise tell the person who runs this server what git said."],
    details: { command, exit_code: run.code },
    retry: false,
  });
}

/** git answered something that isn't in the format we asked for. */
export function unexpectedOutput(command: string, got: string): ToolFailure {
  return internalError("git/unexpected-output", {
    what: `The answer of git ${command} could not be read. This is a fault of the tool or of the installed git, not of the arguments.`,
    why: "The output was not in the format that git documents for this command.",
    fix: ["Tell the person who runs this server; git --version should say 2.30 or newer.", "Use another Git tool to get the same facts, if one can."],
    details: { command },
    cause: new Error(`unexpected output of git ${command}: ${JSON.stringify(got.slice(0, 200))}`),
  });
}

/** Another git process is writing. */
export function indexLocked(): ToolFailure {
  return externalError("git/locked", {
    what: "Another git process is writing to this repository just now, so nothing was changed.",
    why: "git keeps a lock file while it writes. It also stays behind when a git process was killed.",
    fix: [
      "Wait two seconds, then send the same call again.",
      "If it stays like this, ask the person who runs this server whether a stale lock file (.git/index.lock) is left over.",
    ],
    retry: true,
    retryAfterSeconds: 2,
  });
}
