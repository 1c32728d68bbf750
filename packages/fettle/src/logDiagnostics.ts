import type { Diagnostic } from "@fettle/contract";
import { inReadingOrder } from "./format/report.js";
import { sentences } from "./format/sentences.js";
import { shownPath, shownPaths } from "./format/shownPath.js";
import type { CliLog } from "./log.js";

/** Writes findings to the log, a line each: what a running server has to say of its specs. */
export function logDiagnostics(diagnostics: readonly Diagnostic[], log: CliLog, cwd: string): void {
  for (const diagnostic of inReadingOrder(diagnostics)) {
    const { code, severity, line, column, message, hint } = diagnostic;
    const file = shownPath(diagnostic.file, cwd);
    const text = `${file}:${line}:${column} ${code} ${shownPaths(sentences(message, hint), cwd)}`;
    log[severity === "error" ? "error" : severity === "warning" ? "warn" : "info"](text, { code, file, line, column });
  }
}
