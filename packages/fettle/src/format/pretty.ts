import type { Diagnostic } from "@fettle/contract";
import { codeInfo } from "../codes.js";
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
  // A code of somebody else's plugin is known to nobody here.
  const help = codeInfo(code) === undefined ? [] : [paint("dim", `  help: fettle check --explain ${code}`)];
  return [head, ...body, ...help].join("\n");
}

/** The last line of a check: "2 errors and 1 warning in 3 files: 7 tools can be served." */
export function summaryLine({ errors, warnings, notes, tools, files, stopped }: Summary, paint: Paint): string {
  const found = [
    errors > 0 ? paint("error", count(errors, "error")) : "",
    warnings > 0 ? paint("warning", count(warnings, "warning")) : "",
    notes > 0 ? paint("note", count(notes, "note")) : "",
  ].filter((part) => part !== "");
  const last = found.pop() ?? "";
  const findings = last === "" ? paint("good", "No problems") : found.length > 0 ? `${found.join(", ")} and ${last}` : last;
  // A config that can't be read names no folders to look into.
  const where = files > 0 ? ` in ${count(files, "file")}` : stopped === undefined ? "; no spec was found" : "; no spec was looked at";
  return `${findings}${where}: ${served(tools, stopped)}.`;
}

function served(tools: number, stopped: Summary["stopped"]): string {
  if (stopped === "config") return "nothing can be served until the config is mended";
  if (stopped === "strict") return "nothing can be served until the specs are mended, since the config says strict";
  return `${count(tools, "tool")} can be served`;
}
