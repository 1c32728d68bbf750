import { LoadFailed } from "@fettle/kernel";
import { pretty } from "./format/pretty.js";
import { createReport } from "./format/report.js";
import type { Terminal } from "./terminal.js";

/** The exit code for findings that kept everything from starting: 1 where only specs are wrong (strict), 2 where the config or a plugin is. */
export function exitCodeOf({ diagnostics }: LoadFailed): 1 | 2 {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  return errors.length > 0 && errors.every(({ code, file }) => file.endsWith(".tool.yaml") && !code.startsWith("config/")) ? 1 : 2;
}

/** What each verb then has not done. The others do nothing but show. */
const NOT_DONE: Readonly<Record<string, string>> = {
  serve: "Nothing was started.",
  dev: "Nothing was started.",
  call: "Nothing was called.",
  new: "Nothing was made.",
  types: "No types file was looked at.",
};

/**
 * What to print of a {@link LoadFailed}, and the exit code; undefined for any other error.
 *
 * @param verb what was run, such as `serve`
 */
export function loadFailure(error: unknown, verb: string, { cwd, columns, errPaint }: Terminal): { readonly text: string; readonly code: 1 | 2 } | undefined {
  if (!(error instanceof LoadFailed)) return undefined;
  const report = createReport({ diagnostics: error.diagnostics, sources: error.sources, tools: 0, files: 0, cwd });
  const notDone = Object.hasOwn(NOT_DONE, verb) ? `\n${NOT_DONE[verb]}\n` : "";
  return { text: `${pretty(report, { columns, paint: errPaint })}${notDone}`, code: exitCodeOf(error) };
}
