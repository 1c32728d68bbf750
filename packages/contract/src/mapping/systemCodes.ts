import { type CodeTable, defineCodes } from "../codes.js";

export type SystemKey =
  | "not-found"
  | "program-missing"
  | "program-failed"
  | "permission-denied"
  | "already-exists"
  | "not-a-folder"
  | "is-a-folder"
  | "folder-not-empty"
  | "read-only"
  | "busy"
  | "too-many-open-files"
  | "no-space"
  | "name-too-long"
  | "link-loop"
  | "address-in-use"
  | "not-a-url"
  | "aborted"
  | "not-json"
  | "unexpected";

/** What the machine that the server runs on refuses. The messages go out as why_it_happened, the hints as how_to_fix. */
export const systemCodes: CodeTable<SystemKey> = defineCodes("system", {
  "not-found": {
    type: "resource_error",
    message: "No file or folder of that name exists.",
    hint: "Check the name for typing errors, or list what is there, and call again with a name that exists.",
  },
  "program-missing": {
    type: "external_error",
    message: "A program that the tool runs, or the folder to run it in, is missing on the server.",
    hint: "Check the folder where it is an argument; else ask the person who runs the server to install the program.",
  },
  "program-failed": {
    type: "external_error",
    message: "A program that the tool runs ended with an error, or was stopped.",
    hint: "Check the arguments; if they are right, tell the person who runs the server. If the call changes something, look whether it did.",
  },
  "permission-denied": {
    type: "permission_error",
    message: "The operating system doesn't let the server do this.",
    hint: "Use something else that the server may read or write, or ask the person who runs it for access.",
  },
  "already-exists": {
    type: "state_error",
    message: "Something of that name exists already.",
    hint: "Use another name, or go on with what is there.",
  },
  "not-a-folder": { type: "resource_error", message: "A part of the path is a file, not a folder.", hint: "Check the path part by part." },
  "is-a-folder": { type: "resource_error", message: "The path leads to a folder where a file is needed.", hint: "Name a file in that folder." },
  "folder-not-empty": { type: "state_error", message: "The folder still holds something.", hint: "Empty the folder first, if that is wanted." },
  "read-only": {
    type: "state_error",
    message: "The file system is mounted read-only.",
    hint: "Write somewhere else, or ask the person who runs the server to make it writable.",
  },
  busy: { type: "state_error", message: "Something else uses the file at the moment.", hint: "Wait a moment, then send the same call again." },
  "too-many-open-files": {
    type: "rate_limit_error",
    message: "The server has as many files and connections open as it may.",
    hint: "Wait a few seconds, and keep fewer calls in flight at once.",
  },
  "no-space": {
    type: "external_error",
    message: "The server's disk or quota is full.",
    hint: "Ask the person who runs the server to make room, or remove what isn't needed; the same call fails until then.",
  },
  "name-too-long": { type: "input_error", message: "The name is longer than the file system allows.", hint: "Use a shorter name." },
  "link-loop": { type: "resource_error", message: "Symbolic links lead in a circle.", hint: "Name the file by a path without these links." },
  "address-in-use": { type: "state_error", message: "Another program listens on that address and port.", hint: "Use another port." },
  "not-a-url": {
    type: "input_error",
    message: "What should be a URL is none.",
    hint: 'Check the URL where it is an argument: a whole one begins with its scheme, e.g. "https://example.com/a"; else tell the person who runs the server.',
  },
  aborted: {
    type: "state_error",
    message: "The work was stopped before it ended, because the call was cancelled or ran out of time.",
    hint: "If the answer is still wanted, look whether the call changed something, then call again; ask for less if it took too long.",
  },
  "not-json": {
    type: "external_error",
    message: "What came is not valid JSON.",
    hint: "Ask the person who runs the server to look at where the data comes from; other arguments may work.",
  },
  unexpected: {
    type: "internal_error",
    message: "Something failed in the server in a way that its tool doesn't know. The log has the details.",
    hint: "Tell the person who runs the server what you called; sending it again won't help.",
  },
});

/** The keys by the codes of Node's system errors (`error.code`). */
export const BY_SYSTEM_ERROR: Readonly<Record<string, SystemKey>> = {
  ENOENT: "not-found",
  EACCES: "permission-denied",
  EPERM: "permission-denied",
  EEXIST: "already-exists",
  ENOTDIR: "not-a-folder",
  EISDIR: "is-a-folder",
  ERR_FS_EISDIR: "is-a-folder",
  ENOTEMPTY: "folder-not-empty",
  EROFS: "read-only",
  EBUSY: "busy",
  ETXTBSY: "busy",
  EMFILE: "too-many-open-files",
  ENFILE: "too-many-open-files",
  ENOSPC: "no-space",
  EDQUOT: "no-space",
  ENAMETOOLONG: "name-too-long",
  ELOOP: "link-loop",
  EADDRINUSE: "address-in-use",
  ABORT_ERR: "aborted",
  ERR_INVALID_URL: "not-a-url",
};
