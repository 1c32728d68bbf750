import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { Diagnostic } from "@fettle/contract";
import { checkSpecs, LoadFailed } from "@fettle/kernel";
import { codeInfo } from "../codes.js";
import { explainCode } from "../explainCode.js";
import { github } from "../format/github.js";
import { json } from "../format/json.js";
import { pretty, summaryLine } from "../format/pretty.js";
import { createReport, type Report, type Summary } from "../format/report.js";
import { sarif } from "../format/sarif.js";
import { exitCodeOf } from "../loadFailure.js";
import { createLog } from "../log.js";
import { openProject, type Project, requireSpecs } from "../project.js";
import type { Terminal } from "../terminal.js";
import { UsageError } from "../usageError.js";
import { version } from "../version.js";
import { visible } from "../visible.js";

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
    await requireSpecPaths(paths, cwd);
    const project = await openProject(options, terminal, createLog(terminal, "warn"));
    const asked = paths.length > 0 ? { paths: paths.map((path) => resolve(cwd, path)) } : {};
    const { diagnostics, catalog, sources, files } = await checkSpecs({ ...project, ...asked });
    requireSpecs(project, files.length + diagnostics.length);
    const stopped = whatStops(diagnostics, project, paths.length > 0);
    const report = createReport({ diagnostics, sources, tools: catalog.tools.length, files: files.length, cwd, stopped });
    // A path that isn't there or a plugin that can't be loaded is wrong use, whatever else was found.
    return { report, failed: diagnostics.some(({ code, severity }) => severity === "error" && code.startsWith("config/")) ? 2 : undefined };
  } catch (error) {
    if (!(error instanceof LoadFailed)) throw error;
    return {
      report: createReport({ diagnostics: error.diagnostics, sources: error.sources, tools: 0, files: 0, cwd, stopped: "config" }),
      failed: exitCodeOf(error),
    };
  }
}

/** Refuses a file that is no spec, rather than look for a folder of that name. What isn't there is a finding. */
async function requireSpecPaths(paths: readonly string[], cwd: string): Promise<void> {
  for (const path of paths) {
    if (/\.tool\.ya?ml$/.test(path)) continue;
    const isFile = await stat(resolve(cwd, path)).then(
      (stats) => stats.isFile(),
      () => false,
    );
    if (!isFile) continue;
    const spec = path.replace(/\.handler\.[cm]?[jt]s$/, ".tool.yaml");
    const hint = spec === path ? "Name a spec, or a folder to look for specs in. A config is named with --config FILE." : `Did you mean ${visible(spec)}?`;
    throw new UsageError(`${visible(path)} is no spec: specs end in .tool.yaml.`, hint);
  }
}

/** What keeps a server with this config from starting. A path on the command line that isn't there does not. */
function whatStops(diagnostics: readonly Diagnostic[], { config }: Project, pathsGiven: boolean): Summary["stopped"] {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (errors.some(({ code }) => code.startsWith("config/") && !(pathsGiven && code === "config/folder-missing"))) return "config";
  return config.config.strict === true && errors.length > 0 ? "strict" : undefined;
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
