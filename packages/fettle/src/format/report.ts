import type { Diagnostic } from "@fettle/contract";

/** What `fettle check` found: the input of every format. */
export interface Report {
  /** By file, then by place. Paths as {@link shownPath} gives them. */
  readonly diagnostics: readonly Diagnostic[];
  readonly summary: Summary;
  /** The text of a file, by the path that the diagnostics name. */
  source(file: string): string | undefined;
}

export interface Summary {
  readonly errors: number;
  readonly warnings: number;
  readonly notes: number;
  /** Tools that can be served. */
  readonly tools: number;
  /** Files that were looked at. */
  readonly files: number;
}

/** Where the codes are documented. */
const CODES_PAGE = "https://fettle.dev/codes";

/** The address of a code's documentation: `https://.../codes#spec-unknown-key`. */
export function codeUrl(code: string): string {
  return `${CODES_PAGE}#${code.replaceAll("/", "-")}`;
}

/** Sorts by file, then by place, then by weight, so that a report reads like the files do. */
export function inReadingOrder(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const weight = { error: 0, warning: 1, note: 2 };
  const byFile = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  return [...diagnostics].sort(
    (a, b) => byFile(a.file, b.file) || a.line - b.line || a.column - b.column || weight[a.severity] - weight[b.severity] || byFile(a.code, b.code),
  );
}
