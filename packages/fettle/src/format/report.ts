import type { Diagnostic } from "@fettle/contract";
import { codeInfo } from "../codes.js";
import { shownPath, shownPaths } from "./shownPath.js";

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
  /** Tools that can be served; 0 where nothing can be started. */
  readonly tools: number;
  /** Spec files that were looked at. */
  readonly files: number;
  /** What keeps a server from starting, if anything does: the config or its plugins, or, since it says `strict`, an error of a spec. */
  readonly stopped?: "config" | "strict";
}

/** What a report is made of. Paths as the kernel gives them. */
export interface ReportParts {
  readonly diagnostics: readonly Diagnostic[];
  /** Texts by file. */
  readonly sources: ReadonlyMap<string, string>;
  /** How many tools can be served. */
  readonly tools: number;
  /** How many spec files were looked at. */
  readonly files: number;
  /** The folder that paths are shown relative to. */
  readonly cwd: string;
  /** What keeps a server from starting. */
  readonly stopped?: Summary["stopped"];
}

/** Sorts and counts findings, shows paths relative to `cwd`, and gives a finding without advice the advice of its code. */
export function createReport({ diagnostics, sources, tools, files, cwd, stopped }: ReportParts): Report {
  const texts = new Map([...sources].map(([file, text]) => [shownPath(file, cwd), text]));
  const shown = inReadingOrder(diagnostics).map((diagnostic) => {
    const hint = diagnostic.hint ?? codeInfo(diagnostic.code)?.hint;
    const message = shownPaths(diagnostic.message, cwd);
    return { ...diagnostic, file: shownPath(diagnostic.file, cwd), message, ...(hint !== undefined && { hint: shownPaths(hint, cwd) }) };
  });
  return { diagnostics: shown, summary: summarise(shown, tools, files, stopped), source: (file) => texts.get(file) };
}

/** Counts findings by severity. */
export function summarise(diagnostics: readonly Diagnostic[], tools: number, files: number, stopped?: Summary["stopped"]): Summary {
  const of = (severity: Diagnostic["severity"]): number => diagnostics.filter((diagnostic) => diagnostic.severity === severity).length;
  return {
    errors: of("error"),
    warnings: of("warning"),
    notes: of("note"),
    tools: stopped === undefined ? tools : 0,
    files,
    ...(stopped !== undefined && { stopped }),
  };
}

/** Sorts by file, then by place, then by weight, so that a report reads like the files do. */
export function inReadingOrder(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const weight = { error: 0, warning: 1, note: 2 };
  const byFile = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  return [...diagnostics].sort(
    (a, b) => byFile(a.file, b.file) || a.line - b.line || a.column - b.column || weight[a.severity] - weight[b.severity] || byFile(a.code, b.code),
  );
}
