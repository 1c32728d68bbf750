import type { JsonPath } from "./json.js";

/** `error` keeps something from working, `warning` asks for a look, `note` informs. */
export type Severity = "error" | "warning" | "note";

/** What a check found, told by a place inside the spec. The kernel turns it into a {@link Diagnostic}. */
export interface Finding {
  /** `namespace/kebab`. Only `spec/*` errors keep a tool from being served. */
  readonly code: string;
  readonly severity: Severity;
  /** What is wrong, in one sentence. */
  readonly message: string;
  /** What to do about it. */
  readonly hint?: string;
  /** Path inside the spec; the root when absent. */
  readonly path?: JsonPath;
  /** Whether the key or the value at `path` is meant. Default `value`. */
  readonly at?: "key" | "value";
  /** Id of the spec rule or quality rule. */
  readonly rule?: string;
}

/** A finding with its place in a file. Lines and columns count from 1; columns are UTF-16 code units. */
export interface Diagnostic {
  readonly code: string;
  readonly severity: Severity;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine?: number;
  /** Column after the last character. */
  readonly endColumn?: number;
  readonly message: string;
  readonly hint?: string;
  readonly rule?: string;
}
