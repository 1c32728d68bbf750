import type { Diagnostic } from "@fettle/contract";
import type { Report } from "./report.js";
import { sentences } from "./sentences.js";

const COMMANDS = { error: "error", warning: "warning", note: "notice" } as const;

// The escapes of GitHub's runner (actions/toolkit, core/src/command.ts): a message may hold no line break, a property no colon or comma either.
const inMessage = (text: string): string => text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
const inProperty = (text: string): string => inMessage(text).replaceAll(":", "%3A").replaceAll(",", "%2C");

/** Workflow commands, a line each: GitHub shows them at the lines of a pull request. */
export function github({ diagnostics }: Pick<Report, "diagnostics">): string {
  return diagnostics.map((diagnostic) => `${command(diagnostic)}\n`).join("");
}

function command({ severity, code, file, line, column, endLine, endColumn, message, hint }: Diagnostic): string {
  // GitHub refuses columns of a range over several lines.
  const oneLine = endLine === undefined || endLine === line;
  const properties = {
    file,
    line: String(line),
    ...(endLine !== undefined && { endLine: String(endLine) }),
    ...(oneLine && { col: String(column) }),
    ...(oneLine && endColumn !== undefined && { endColumn: String(endColumn) }),
    title: code,
  };
  const list = Object.entries(properties).map(([key, value]) => `${key}=${inProperty(value)}`);
  return `::${COMMANDS[severity]} ${list.join(",")}::${inMessage(sentences(message, hint))}`;
}
