import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Diagnostic } from "@fettle/contract";
import { specCodes } from "@fettle/kernel";
import { codeFrame } from "../format/codeFrame.js";
import { count } from "../format/count.js";
import { pretty } from "../format/pretty.js";
import { createReport } from "../format/report.js";
import { shownPath } from "../format/shownPath.js";
import type { Terminal } from "../terminal.js";
import { visible } from "../visible.js";

/** Most problems that are shown with their frames at once. */
const MOST_SHOWN = 5;
/** Most that are named in a line. */
const MOST_NAMED = 3;

/** Tells a person of the problems of each load: new ones whole, old ones in a line, and those that are mended. */
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
    this.#known = new Map(diagnostics.map((diagnostic) => [keyOf(diagnostic), diagnostic]));
    const fresh = [...this.#known].flatMap(([key, diagnostic]) => (before.has(key) ? [] : [diagnostic]));
    const old = [...this.#known].flatMap(([key, diagnostic]) => (before.has(key) ? [diagnostic] : []));
    const mended = [...before].flatMap(([key, diagnostic]) => (this.#known.has(key) ? [] : [diagnostic]));
    const report = createReport({ diagnostics: fresh, sources, tools: 0, files: 0, cwd });
    const shown = { ...report, diagnostics: report.diagnostics.slice(0, MOST_SHOWN) };
    const rest = report.diagnostics.length - shown.diagnostics.length;
    const lines = [
      ...(mended.length > 0 ? [`${paint("good", "mended:")} ${this.#named(mended)}`] : []),
      ...(old.length > 0 ? [`${paint("warning", "still there:")} ${this.#named(old)}`] : []),
      ...(shown.diagnostics.length > 0 ? [pretty(shown, { columns, paint }).trimEnd()] : []),
      ...fresh.slice(0, MOST_SHOWN).flatMap((diagnostic) => this.#handlerFrame(diagnostic)),
      ...(rest > 0 ? [`and ${count(rest, "more problem")}: fettle check shows all`] : []),
    ];
    return lines.map((line) => `${line}\n`).join("");
  }

  /** The lines of a handler at which its syntax breaks: the finding itself stands in the spec. */
  #handlerFrame({ file, code, message }: Diagnostic): readonly string[] {
    const [, name = "", line, column] = (code === specCodes.code("handler-failed") && /\(([^()]+):(\d+):(\d+)\)$/.exec(message)) || [];
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
