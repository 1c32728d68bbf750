import { resolve } from "node:path";
import { checkSpecs, LoadFailed } from "@fettle/kernel";
import { codeInfo } from "../codes.js";
import { explainCode } from "../explainCode.js";
import { github } from "../format/github.js";
import { json } from "../format/json.js";
import { pretty, summaryLine } from "../format/pretty.js";
import { createReport, type Report } from "../format/report.js";
import { sarif } from "../format/sarif.js";
import { exitCodeOf } from "../loadFailure.js";
import { createLog } from "../log.js";
import { openProject, requireSpecs } from "../project.js";
import type { Terminal } from "../terminal.js";
import { version } from "../version.js";

export interface CheckOptions {
  readonly config?: string;
  readonly format: "pretty" | "json" | "sarif" | "github";
  /** Warnings count as problems too. */
  readonly strict?: boolean;
  /** A code or rule to explain in place of a check. */
  readonly explain?: string;
}

/** `fettle check`: prints every finding; 1 when there is an error (or a warning, with `strict`), 2 when the config is wrong. */
export async function check(paths: readonly string[], options: CheckOptions, terminal: Terminal): Promise<number> {
  if (options.explain !== undefined) return explainCode(options.explain, { json: options.format === "json" }, terminal);
  const { report, failed } = await findProblems(paths, options, terminal);
  terminal.out(written(report, options.format, terminal));
  if (options.format === "pretty") terminal.err(`${report.diagnostics.length > 0 ? "\n" : ""}${summaryLine(report.summary, terminal.errPaint)}\n`);
  if (failed !== undefined) return failed;
  const { errors, warnings } = report.summary;
  return errors > 0 || (options.strict === true && warnings > 0) ? 1 : 0;
}

async function findProblems(paths: readonly string[], options: CheckOptions, terminal: Terminal): Promise<{ report: Report; failed: 1 | 2 | undefined }> {
  const { cwd } = terminal;
  try {
    const project = await openProject(options, terminal, createLog(terminal, "warn"));
    const asked = paths.length > 0 ? { paths: paths.map((path) => resolve(cwd, path)) } : {};
    const { diagnostics, catalog, sources, files } = await checkSpecs({ ...project, ...asked });
    requireSpecs(project, files.length + diagnostics.length);
    const report = createReport({ diagnostics, sources, tools: catalog.tools.length, files: files.length, cwd });
    // A path that isn't there or a plugin that can't be loaded is wrong use, whatever else was found.
    return { report, failed: diagnostics.some(({ code, severity }) => severity === "error" && code.startsWith("config/")) ? 2 : undefined };
  } catch (error) {
    if (!(error instanceof LoadFailed)) throw error;
    return { report: createReport({ diagnostics: error.diagnostics, sources: error.sources, tools: 0, files: 0, cwd }), failed: exitCodeOf(error) };
  }
}

function written(report: Report, format: CheckOptions["format"], { columns, outPaint }: Terminal): string {
  switch (format) {
    case "json":
      return json(report);
    case "sarif":
      return sarif(report, { version: version(), codeInfo });
    case "github":
      return github(report);
    default:
      return pretty(report, { columns, paint: outPaint });
  }
}
