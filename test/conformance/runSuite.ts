import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";

const root = fileURLToPath(new URL("../..", import.meta.url));
const PROGRAMS = "test/programs/node_modules";

/** A run of one version of the official suite, and what it holds. */
export interface Suite {
  readonly version: "0.1.16" | "0.2.0-alpha.12";
  readonly args: readonly string[];
  /** How many scenarios are counted, and how many checks of them pass. */
  readonly scenarios: number;
  readonly checks: number;
}

/** The runs that Fettle is held to. */
export const SUITES: readonly Suite[] = [
  { version: "0.1.16", args: ["--suite", "active"], scenarios: 30, checks: 40 },
  {
    version: "0.2.0-alpha.12",
    args: ["--requirements", "2025-11-25"],
    scenarios: 30,
    checks: 70,
  },
  {
    version: "0.2.0-alpha.12",
    args: ["--requirements", "2026-07-28"],
    scenarios: 37,
    checks: 120,
  },
];

/** One check of a scenario, as the suite wrote it. */
export interface Check {
  readonly id: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  readonly errorMessage?: string;
}

/** What a suite found. */
export interface SuiteRun {
  readonly exitCode: number;
  /** The checks of each scenario that ran, by its name. */
  readonly scenarios: ReadonlyMap<string, readonly Check[]>;
  /** What the suite printed. */
  readonly output: string;
}

/** The command that runs a suite against a server, from the root of the repository. The suites need Node 22. */
export function suiteCommand({ version, args }: Suite, url: string): readonly string[] {
  const [major, minor] = version.split(".");
  return [`${PROGRAMS}/node22/bin/node`, `${PROGRAMS}/conformance-${major}.${minor}/dist/index.js`, "server", "--url", url, ...args];
}

/** Runs a suite against a server. */
export async function runSuite(suite: Suite, url: string): Promise<SuiteRun> {
  const folder = mkdtempSync(join(tmpdir(), "fettle-conformance-"));
  try {
    const { exitCode, output } = await run([...suiteCommand(suite, url), "--output-dir", folder]);
    const results = readdirSync(folder).flatMap((name) => {
      const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT/.exec(name)?.[1];
      return scenario === undefined ? [] : [[scenario, JSON.parse(readFileSync(join(folder, name, "checks.json"), "utf8")) as Check[]] as const];
    });
    return { exitCode, scenarios: new Map(results), output };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Which scenarios of servers a run counts, and which are run besides; undefined where the suite has no such list. */
export function requirementsOf({ args }: Suite): { readonly scored: readonly string[]; readonly notScored: readonly string[] } | undefined {
  const [option, revision] = args;
  if (option !== "--requirements") return undefined;
  const file = readFileSync(join(root, `${PROGRAMS}/conformance-0.2/requirements/${revision}.yaml`), "utf8");
  const { server, not_scored }: { server: string[]; not_scored: { scenario: string; leg: string }[] } = parse(file);
  return { scored: server, notScored: not_scored.filter(({ leg }) => leg === "server").map(({ scenario }) => scenario) };
}

function run([program = "", ...args]: readonly string[]): Promise<{ readonly exitCode: number; readonly output: string }> {
  return new Promise((resolve, reject) => {
    // What the suite itself runs through is nobody's coverage.
    const env = { ...process.env, NODE_V8_COVERAGE: undefined };
    execFile(program, args, { cwd: root, env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      if (error && typeof error.code !== "number") reject(error);
      else resolve({ exitCode: typeof error?.code === "number" ? error.code : 0, output: stdout + stderr });
    });
  });
}
