import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after } from "node:test";
import type { Diagnostic, Logger } from "@fettle/contract";
import type { Platform } from "@fettle/kernel";
import { nodePlatform } from "@fettle/kernel/node";
import { testSpec } from "@fettle/testkit";

const quiet: Logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** A folder of real files that goes when the tests of the file end. */
export function project(files: Readonly<Record<string, string | Uint8Array>>): {
  readonly folder: string;
  write(path: string, content: string | Uint8Array): void;
} {
  const folder = mkdtempSync(join(tmpdir(), "fettle-load-"));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const write = (path: string, content: string | Uint8Array): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  for (const [path, content] of Object.entries(files)) write(path, content);
  return { folder, write };
}

/** The machine as the kernel sees it, with an environment that the test names. */
export const machine = (env: Readonly<Record<string, string>> = {}, cacheVersion?: string): Platform =>
  nodePlatform({ log: quiet, env, ...(cacheVersion !== undefined && { cacheVersion }) });

/** A complete spec as text. */
export const specText = (name: string, overrides: Readonly<Record<string, unknown>> = {}): string => JSON.stringify(testSpec(name, overrides), null, 2);

export const HANDLER = "export default (args) => ({ args });\n";

/** The parts of diagnostics that tests compare. */
export const briefly = (diagnostics: readonly Diagnostic[]): string[] =>
  diagnostics.map(({ code, severity, file, line, column }) => `${severity} ${code} ${file.split("/").at(-1)}:${line}:${column}`);
