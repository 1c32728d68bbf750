import type { Diagnostic, Finding, JsonPath } from "@fettle/contract";

/** A stretch of a file. Lines and columns count from 1; `endColumn` is after the last character. */
export interface SourceRange {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** A YAML file that was read: its data, and where each part of the data stands. */
export interface SourceDocument {
  readonly file: string;
  readonly text: string;
  /** Plain data, not yet checked against any schema. */
  readonly data: unknown;
  /**
   * Where a path stands: the key, or the value. A value of several lines is shown by its first one; a block of keys or
   * items by the key that owns it; what isn't there by the nearest owner that is.
   */
  locate(path: JsonPath, at: "key" | "value"): SourceRange;
  /** The characters a scalar was written with: `1.10` for the number 1.1. */
  written(path: JsonPath): string | undefined;
}

/** A finding with its place. */
export function toDiagnostic(document: SourceDocument, finding: Finding): Diagnostic {
  const { path, at, ...rest } = finding;
  return { ...rest, file: document.file, ...document.locate(path ?? [], at ?? "value") };
}

/** A finding in a file that may have no document: then its place is the file's start. */
export function placed(document: SourceDocument | undefined, file: string, finding: Finding): Diagnostic {
  if (document) return toDiagnostic(document, finding);
  const { path: _, at: __, ...rest } = finding;
  return { ...rest, file, line: 1, column: 1 };
}
