import type { Diagnostic, JsonObject } from "@fettle/contract";
import type { Report } from "./report.js";

/** A finding as programs read it, by spec/v1/diagnostic.schema.json. */
export function diagnosticJson({ code, severity, file, line, column, endLine, endColumn, message, hint, rule }: Diagnostic): JsonObject {
  return {
    code,
    severity,
    file,
    line,
    column,
    ...(endLine !== undefined && { end_line: endLine }),
    ...(endColumn !== undefined && { end_column: endColumn }),
    message,
    ...(hint !== undefined && { hint }),
    ...(rule !== undefined && { rule }),
  };
}

/** `{"diagnostics":[...],"summary":{...}}`, indented. */
export function json({ diagnostics, summary }: Report): string {
  return `${JSON.stringify({ diagnostics: diagnostics.map(diagnosticJson), summary }, null, 2)}\n`;
}
