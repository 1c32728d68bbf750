import type { Diagnostic } from "@fettle/contract";
import type { Paint } from "../paint.js";
import { visible } from "../visible.js";
import { codeFrame } from "./codeFrame.js";
import { count } from "./count.js";
import type { Report, Summary } from "./report.js";

/** How findings are written for people. */
export interface PrettyStyle {
  readonly columns: number;
  readonly paint: Paint;
}

/** Findings for people, each with the lines it is about. Empty when there are none. */
export function pretty(report: Pick<Report, "diagnostics" | "source">, style: PrettyStyle): string {
  return report.diagnostics.map((diagnostic) => `${block(diagnostic, report.source(diagnostic.file), style)}\n`).join("\n");
}

function block(diagnostic: Diagnostic, source: string | undefined, { columns, paint }: PrettyStyle): string {
  const { severity, code, file, line, column, message, hint } = diagnostic;
  const head = `${paint(severity, severity)}  ${paint("strong", code)}  ${paint("place", `${visible(file)}:${line}:${column}`)}`;
  const body =
    source === undefined || source === ""
      ? [message, ...(hint === undefined ? [] : [hint])].flatMap((text) => visible(text).split("\n")).map((text) => `  ${text}`)
      : codeFrame(source, diagnostic, { message, hint }, { columns, paint, tone: severity });
  const help = paint("dim", `  help: fettle check --explain ${code}`);
  return [head, ...body, help].join("\n");
}

/** The last line of a check: "2 errors and 1 warning in 3 files, 7 tools can be served." */
export function summaryLine({ errors, warnings, notes, tools, files }: Summary, paint: Paint): string {
  const found = [
    errors > 0 ? paint("error", count(errors, "error")) : "",
    warnings > 0 ? paint("warning", count(warnings, "warning")) : "",
    notes > 0 ? paint("note", count(notes, "note")) : "",
  ].filter((part) => part !== "");
  const served = `${count(tools, "tool")} can be served`;
  if (found.length === 0) return `${paint("good", "No problems")} in ${count(files, "file")}: ${served}.`;
  const last = found.pop() ?? "";
  return `${found.length > 0 ? `${found.join(", ")} and ${last}` : last} in ${count(files, "file")}: ${served}.`;
}
