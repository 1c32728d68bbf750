import { fileURLToPath } from "node:url";
import type { Modules } from "@fettle/kernel";
import { shownPath } from "./format/shownPath.js";
import type { Terminal } from "./terminal.js";

// A process has one end, so what is known of it is the module's.
let meant = false;
const importing = new Set<string>();

/** Ends the process on purpose. */
export function endProcess(code: number): never {
  meant = true;
  process.exit(code);
}

/** Modules that are named by {@link guardExit} when the process ends while they are imported. */
export function watchedImports<M extends Modules>(modules: M): M {
  return {
    ...modules,
    async import(path, generation) {
      importing.add(path);
      try {
        return await modules.import(path, generation);
      } finally {
        importing.delete(path);
      }
    },
  };
}

/**
 * Has an end that none of ours asked for told, with exit code 1: a handler that calls `process.exit(0)` must not make a check or a call look fine.
 *
 * @param what what isn't done then, such as "fettle check"
 */
export function guardExit(what: string, { err, errPaint, cwd }: Pick<Terminal, "err" | "errPaint" | "cwd">): void {
  process.on("exit", (code) => {
    if (meant) return;
    const files = [...importing].map((file) => shownPath(file, cwd)).join(", ");
    const caller = callerOfExit(new Error().stack ?? "", cwd);
    const when = files === "" ? `before ${what} was done` : `while ${files} was being loaded`;
    err(
      `${errPaint("error", "error:")} The process was ended ${when}${caller === undefined ? "" : `: process.exit(${code}) was called at ${caller}`}.\n` +
        "Handlers and plugins return or throw; they don't end the process that they share with others. Take the call out.\n",
    );
    process.exitCode = 1;
  });
}

/** Where process.exit was called: listeners of "exit" run inside of it. */
function callerOfExit(stack: string, cwd: string): string | undefined {
  const frames = stack.split("\n");
  const exit = frames.findLastIndex((frame) => /\bprocess\.(exit|reallyExit)\b/.test(frame));
  const frame = exit < 0 ? undefined : frames.slice(exit + 1).find((line) => !line.includes("node:"));
  const found = /(?:^|\()([^()?]+)(?:\?[^()]*)?:(\d+):(\d+)\)?$/.exec(frame?.replace(/^\s*at (async )?/, "") ?? "");
  if (!found) return undefined;
  const [, file = "", line, column] = found;
  return `${shownPath(file.startsWith("file:") ? fileURLToPath(file) : file, cwd)}:${line}:${column}`;
}
