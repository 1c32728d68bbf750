import { externalError, internalError, permissionError, resourceError } from "fettle";
import type { GitRun } from "./runGit.js";

/** What `inputError(...)` and its siblings make. */
export type ToolFailure = ReturnType<typeof internalError>;

const MAX_QUOTED = 1_000;
/** Characters of git's own message in an answer. */
const MAX_GIT_WORDS = 300;

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

/**
 * git's words for an answer: its own lines (`fatal:`, `error:`), at most `most` characters of three of them, with what may be nobody's
 * business taken out: paths of the server, passwords in addresses, and values and lines that git quotes from files.
 */
export function wordsOf(stderr: string, most: number = MAX_QUOTED): string {
  const lines = stderr.split("\n").filter((line) => !line.startsWith("hint:") && line.trim() !== "");
  const own = lines.filter((line) => /^(fatal|error): /.test(line));
  const text = (own.length > 0 ? own : lines.slice(0, 1))
    .slice(0, 3)
    .map((line) => line.replace(/^(fatal|error): /, ""))
    .join("\n")
    .trim()
    .replace(/^(invalid object name|malformed object name|unable to parse|bad (?:object|line)[^:\n]*): .*$/gim, "$1 (not shown)")
    .replace(/\bvalue '.*?'/g, "value (not shown)")
    .replace(/\b([a-z][a-z0-9+.-]*:\/\/)[^\s'"]*/gi, "$1(not shown)")
    .replace(/(^|[\s'"(=:,])(?:\/(?!\/)|[A-Za-z]:[\\/]|~\/)[^\s'":,)]*/gm, "$1(a path on the server)");
  return text.length > most ? `${text.slice(0, most)}\u2026 (${text.length - most} more characters)` : text;
}

/** git refuses folders of another owner (CVE-2022-24765); as root that is any folder that isn't root's. */
export function dubiousOwnership(root: string): ToolFailure {
  return permissionError("git/dubious-ownership", {
    what: "git refuses to work in the configured root (GIT_TOOLS_ROOT), because the folder belongs to another user than the one that runs the server.",
    why: "This is git's own protection against repositories that others have prepared. No argument of this call can change it.",
    fix: [
      "Ask the person who runs this server to trust the folder: git config --global --add safe.directory with its path, which stands in the server's log (as the user that runs the server).",
      "In a container without a home folder, set GIT_CONFIG_COUNT=1, GIT_CONFIG_KEY_0=safe.directory and GIT_CONFIG_VALUE_0 to that path instead, or run the server as the owner of the folder.",
    ],
    cause: new Error(`git refuses ${root}: dubious ownership. To trust it: git config --global --add safe.directory "${root}"`),
  });
}

/**
 * The configured root can't be used as a work tree.
 *
 * @param reason for the caller: names no path of the server
 * @param about more for the server's log
 */
export function notAWorkTree(root: string, reason: string, about = ""): ToolFailure {
  return resourceError("git/not-a-work-tree", {
    what: `The Git tools can't work in the configured root (GIT_TOOLS_ROOT): ${reason}.`,
    why: "The root is set by the server (GIT_TOOLS_ROOT, else its working folder), not by an argument. It must be the top folder of a Git work tree; folders above it are never looked at.",
    fix: [
      "Ask the person who runs this server to set GIT_TOOLS_ROOT to the top folder of a Git work tree (the one that holds .git), or to run git init there. The path that is set now stands in the server's log.",
    ],
    cause: new Error(`the root ${root} can't be used: ${reason}${about}`),
  });
}

/** git failed in a way that no tool expects. All that it said goes to the server's log only. */
export function gitFailed(command: string, run: Pick<GitRun, "code" | "stderr">): ToolFailure {
  return externalError("git/failed", {
    what: `git ${command} failed: ${wordsOf(run.stderr, MAX_GIT_WORDS) || `it ended with exit code ${run.code} and no message`}`,
    why: "The repository, the disk or the installed git is not as it should be; the arguments were fine.",
    fix: [
      "Read git's message above; if it names an argument, change that one.",
      "Otherwise tell the person who runs this server; the server's log has git's message in full.",
    ],
    details: { command, exit_code: run.code },
    retry: false,
    cause: new Error(`git ${command} ended with ${run.code}: ${run.stderr}`),
  });
}

/** The git folder can't be written to. */
export function notWritable(error: unknown): ToolFailure {
  return externalError("git/failed", {
    what: "The repository's index can't be written, so nothing was changed.",
    why: "The disk is full or read-only, or the server may not write to the git folder.",
    fix: "Tell the person who runs this server; the server's log says which file it is about.",
    retry: false,
    cause: error,
  });
}

/** The configuration is longer than what is read, so what it names couldn't be switched off. */
export function configTooLong(): ToolFailure {
  return externalError("git/failed", {
    what: "The repository's configuration names more filter programs than can be switched off, so no file of the work tree was read.",
    why: "A tool that reads runs no program that a repository's configuration names, and with so many that can't be made sure of.",
    fix: [
      "Read from commits instead: git_log, git_show, and git_blame don't run filters.",
      "Ask the person who runs this server to mend the repository's configuration.",
    ],
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
