import { readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Diagnostic } from "@fettle/contract";
import { configCodes, specCodes } from "@fettle/kernel";
import { codeFrame } from "../format/codeFrame.js";
import { count } from "../format/count.js";
import { pretty } from "../format/pretty.js";
import { createReport } from "../format/report.js";
import { shownPath } from "../format/shownPath.js";
import type { Terminal } from "../terminal.js";
import { visible } from "../visible.js";

/** What is said of a module that can't be loaded. */
const OF_MODULES: ReadonlySet<string> = new Set([specCodes.code("handler-failed"), specCodes.code("module-failed"), configCodes.code("plugin-failed")]);
/** Most problems that are shown with their frames at once. */
const MOST_SHOWN = 5;
/** Most that are named in a line. */
const MOST_NAMED = 3;

/** Tells a person of the problems of each load: new errors whole, new warnings in a line, errors that are still there, and what is mended. */
export class ProblemList {
  readonly #terminal: Terminal;
  #known = new Map<string, Diagnostic>();

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** Whether there are errors among the problems that were told last. */
  get hasErrors(): boolean {
    return [...this.#known.values()].some(({ severity }) => severity === "error");
  }

  /** What to say of the problems of a load; empty where there is nothing to say. */
  tell(diagnostics: readonly Diagnostic[], sources: ReadonlyMap<string, string>): string {
    const { cwd, columns, errPaint: paint } = this.#terminal;
    const before = this.#known;
    const found = new Map(diagnostics.map((diagnostic) => [keyOf(diagnostic), diagnostic]));
    const fresh = [...found].flatMap(([key, diagnostic]) => (before.has(key) ? [] : [diagnostic]));
    const old = [...found].flatMap(([key, diagnostic]) => (before.has(key) ? [diagnostic] : []));
    const gone = [...before].flatMap(([key, diagnostic]) => (found.has(key) ? [] : [diagnostic]));
    // What is broken in another way is told of as it is now, and of what wasn't looked at nothing is known.
    const others = new Set(diagnostics.map(({ file, code }) => `${file} ${code}`));
    const mended = gone.filter(({ file, code }) => !others.has(`${file} ${code}`) && wasLookedAt(file, sources));
    const unknown = gone.filter(({ file }) => !wasLookedAt(file, sources) && statSync(file, { throwIfNoEntry: false }) !== undefined);
    this.#known = new Map([...found, ...unknown.map((diagnostic) => [keyOf(diagnostic), diagnostic] as const)]);
    const errors = fresh.filter(isError);
    const stillThere = old.filter(isError);
    const report = createReport({ diagnostics: errors, sources, tools: 0, files: 0, cwd });
    const shown = { ...report, diagnostics: report.diagnostics.slice(0, MOST_SHOWN) };
    const rest = report.diagnostics.length - shown.diagnostics.length;
    const lines = [
      ...(mended.length > 0 ? [`${paint("good", "mended:")} ${this.#named(mended)}`] : []),
      ...(stillThere.length > 0 ? [`${paint("warning", "still there:")} ${this.#named(stillThere)}`] : []),
      ...(shown.diagnostics.length > 0 ? [pretty(shown, { columns, paint }).trimEnd()] : []),
      ...errors.slice(0, MOST_SHOWN).flatMap((diagnostic) => this.#moduleFrame(diagnostic)),
      ...(rest > 0 ? [`and ${count(rest, "more problem")}: fettle check shows all`] : []),
      ...this.#inLines(fresh.filter((diagnostic) => !isError(diagnostic))),
    ];
    return lines.map((line) => `${line}\n`).join("");
  }

  /** The lines of a handler or plugin at which its syntax breaks: the finding itself stands in the spec or the config. */
  #moduleFrame({ file, code, message }: Diagnostic): readonly string[] {
    const [, name = "", line, column] = (OF_MODULES.has(code) && /\(([^()]+):(\d+):(\d+)\)$/.exec(message)) || [];
    if (name === "") return [];
    const { cwd, columns, errPaint: paint } = this.#terminal;
    const module = resolve(dirname(file), name);
    try {
      const place = { line: Number(line), column: Number(column) };
      const frame = codeFrame(readFileSync(module, "utf8"), place, { message: "here" }, { columns, paint, tone: "error" });
      return [[paint("place", `${visible(shownPath(module, cwd))}:${line}:${column}`), ...frame].join("\n")];
    } catch {
      return [];
    }
  }

  /** Warnings and notes: a line for all of one kind in one file. */
  #inLines(diagnostics: readonly Diagnostic[]): readonly string[] {
    const { cwd, errPaint: paint } = this.#terminal;
    const groups = new Map<string, Diagnostic[]>();
    for (const diagnostic of diagnostics) {
      const key = `${diagnostic.file} ${diagnostic.code} ${diagnostic.severity}`;
      groups.set(key, [...(groups.get(key) ?? []), diagnostic]);
    }
    const lines = [...groups.values()].flatMap((group) => {
      const [first] = group;
      if (!first) return [];
      const { severity, code, file, message } = first;
      const places = [...new Set(group.map(({ line }) => line))].join(",");
      const more = group.length > 1 ? ` (and ${group.length - 1} more such)` : "";
      return [
        `${paint(severity, `${severity}:`)} ${paint("place", `${visible(shownPath(file, cwd))}:${places}`)} ${code}: ${visible(message).split("\n")[0]}${more}`,
      ];
    });
    const rest = lines.length - MOST_SHOWN;
    return [...lines.slice(0, MOST_SHOWN), ...(rest > 0 ? [`and ${count(rest, "more line")} of warnings: fettle check shows all`] : [])];
  }

  #named(diagnostics: readonly Diagnostic[]): string {
    const names = diagnostics.map(({ file, line, code }) => `${visible(shownPath(file, this.#terminal.cwd))}:${line} ${code}`);
    const rest = names.length - MOST_NAMED;
    return `${names.slice(0, MOST_NAMED).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
  }
}

/** The same problem, also when lines above it came or went. */
function keyOf({ file, code, message }: Diagnostic): string {
  return `${file} ${code} ${message}`;
}

const isError = ({ severity }: Diagnostic): boolean => severity === "error";

/** Whether a load came to a file, so that what it doesn't find there isn't there: a config that can't be read keeps specs from being looked at. */
function wasLookedAt(file: string, sources: ReadonlyMap<string, string>): boolean {
  if (sources.has(file)) return true;
  const isFolder = statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
  return isFolder && [...sources.keys()].some((each) => each.endsWith(".tool.yaml"));
}
