import { configCodes } from "./configCodes.js";
import { specCodes } from "./specCodes.js";

/** Codes about the text of a file, before anything is known of what it says. Specs and configs both have them. */
export type TextCode = "unreadable" | "file-missing" | "too-large" | "not-text" | "empty-file" | "bad-yaml" | "duplicate-key" | "text-cut" | "wrong-type";

/** What findings about the text of a file are called and advise, by what the file should be. */
export interface FileFormat {
  code(code: TextCode): string;
  /** Id of the rule that the file is readable text. */
  readonly fileRule: string;
  /** Id of the rule that the text is YAML. */
  readonly yamlRule: string;
  /** Whether a file without a value is one without settings. */
  readonly emptyIsFine?: true;
  /** How to begin such a file. */
  readonly start: string;
  /** What to do about a file that is too long. */
  readonly shorten: string;
  /** What to do about something of this name that is no file. */
  readonly noFile: string;
}

/** Specs, and the formats besides that have no codes of their own. */
export const SPEC_FORMAT: FileFormat = {
  // A spec that isn't there was named by somebody: for it that is one way of being unreadable.
  code: (code) => specCodes.code(code === "file-missing" ? "unreadable" : code),
  fileRule: "T-FILE-2",
  yamlRule: "T-YAML-1",
  start: "Start with spec_version: 1",
  shorten: "Shorten the texts, or move long ones to docs and link them.",
  noFile: "Put a file in its place, or give it a name that doesn't end in .tool.yaml.",
};

/** Configs. Everything in one has a default. */
export const CONFIG_FORMAT: FileFormat = {
  code: (code) => configCodes.code(code === "empty-file" ? "wrong-type" : code),
  emptyIsFine: true,
  fileRule: "C-FILE-1",
  yamlRule: "C-YAML-1",
  start: "Start with tools: [./tools]",
  shorten: "Take out what isn't settings.",
  noFile: "Name a file.",
};
