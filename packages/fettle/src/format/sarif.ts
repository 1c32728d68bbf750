import { isAbsolute } from "node:path";
import { pathToFileURL } from "node:url";
import type { CodeInfo, Diagnostic } from "@fettle/contract";
import type { Report } from "./report.js";
import { sentences } from "./sentences.js";

/** What the log says of the program that made it. */
export interface SarifTool {
  readonly version: string;
  /** What is known of a code. */
  codeInfo(code: string): CodeInfo | undefined;
}

const LEVELS = { error: "error", warning: "warning", note: "note" } as const;

/** A SARIF 2.1.0 log with one run, as code hosts and editors read it. */
export function sarif({ diagnostics }: Pick<Report, "diagnostics">, tool: SarifTool): string {
  const codes = [...new Set(diagnostics.map(({ code }) => code))].sort();
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "fettle",
            version: tool.version,
            rules: codes.map((code) => rule(code, tool.codeInfo(code))),
          },
        },
        columnKind: "utf16CodeUnits",
        results: diagnostics.map((diagnostic) => result(diagnostic, codes.indexOf(diagnostic.code))),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

function rule(code: string, info: CodeInfo | undefined): object {
  return {
    id: code,
    ...(info && { shortDescription: { text: info.message }, help: { text: info.hint } }),
  };
}

function result({ code, severity, file, line, column, endLine, endColumn, message, hint, rule: ruleId }: Diagnostic, ruleIndex: number): object {
  return {
    ruleId: code,
    ruleIndex,
    level: LEVELS[severity],
    message: { text: sentences(message, hint) },
    locations: [
      {
        physicalLocation: {
          artifactLocation: isAbsolute(file)
            ? { uri: pathToFileURL(file).href }
            : { uri: file.split("/").map(encodeURIComponent).join("/"), uriBaseId: "%SRCROOT%" },
          region: { startLine: line, startColumn: column, ...(endLine !== undefined && { endLine }), ...(endColumn !== undefined && { endColumn }) },
        },
      },
    ],
    ...(ruleId !== undefined && { properties: { rule: ruleId } }),
  };
}
