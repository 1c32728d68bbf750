import type { Diagnostic } from "@fettle/contract";
import type { Summary } from "./report.js";

/** Counts findings by severity. */
export function summarise(diagnostics: readonly Diagnostic[], tools: number, files: number): Summary {
  const of = (severity: Diagnostic["severity"]): number => diagnostics.filter((diagnostic) => diagnostic.severity === severity).length;
  return { errors: of("error"), warnings: of("warning"), notes: of("note"), tools, files };
}
