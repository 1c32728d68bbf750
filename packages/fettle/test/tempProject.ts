import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";

const CLI = fileURLToPath(new URL("../src/cli.ts", import.meta.url));
// The child runs in another folder, from where "tsx" alone would not be found.
const TSX = import.meta.resolve("tsx");
const TIMEOUT_MS = 60_000;

/** How a run of the CLI ended. */
export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly input?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
}

/** A folder of its own, and the real CLI in it. */
export interface TempProject {
  readonly folder: string;
  path(name: string): string;
  write(name: string, content: string | Uint8Array): Promise<void>;
  /** Runs `fettle ...` to its end. */
  run(args: readonly string[], options?: RunOptions): Promise<Run>;
  /** Starts `fettle ...`; it is killed when the test ends. */
  start(args: readonly string[], options?: Pick<RunOptions, "env">): Started;
}

/** A CLI that runs. */
export interface Started {
  readonly child: ChildProcessWithoutNullStreams;
  /** What was written so far. */
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Resolves to the match once stderr holds it. */
  seen(pattern: RegExp): Promise<RegExpExecArray>;
  readonly ended: Promise<Run>;
}

/** Makes a project of these files in the system's temporary folder. It is removed when the test ends. */
export async function tempProject(t: TestContext, files: Readonly<Record<string, string | Uint8Array>> = {}): Promise<TempProject> {
  const folder = await mkdtemp(join(tmpdir(), "fettle-cli-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const write = async (name: string, content: string | Uint8Array): Promise<void> => {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  };
  for (const [name, content] of Object.entries(files)) await write(name, content);

  const start: TempProject["start"] = (args, { env = {} } = {}) => {
    const { NO_COLOR: _, FORCE_COLOR: __, FETTLE_LOG_LEVEL: ___, NODE_OPTIONS: ____, GITHUB_WORKSPACE: _____, ...own } = process.env;
    const child = spawn(process.execPath, ["--conditions=source", `--import=${TSX}`, CLI, ...args], { cwd: folder, env: { ...own, ...env } });
    t.after(() => child.kill("SIGKILL"));
    return follow(child);
  };
  return {
    folder,
    path: (name) => join(folder, name),
    write,
    start,
    async run(args, { input, ...options } = {}) {
      const started = start(args, options);
      // The CLI may end without having read it all.
      started.child.stdin.on("error", () => {});
      started.child.stdin.end(input);
      const timer = setTimeout(() => started.child.kill("SIGKILL"), TIMEOUT_MS);
      const run = await started.ended;
      clearTimeout(timer);
      return run;
    },
  };
}

function follow(child: ChildProcessWithoutNullStreams): Started {
  let stdout = "";
  let stderr = "";
  const watchers = new Set<() => void>();
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
    for (const watcher of watchers) watcher();
  });
  const ended = new Promise<Run>((resolve) => {
    child.on("close", (code) => {
      resolve({ code, stdout, stderr });
      for (const watcher of watchers) watcher();
    });
  });
  const seen = (pattern: RegExp): Promise<RegExpExecArray> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => fail("in time"), TIMEOUT_MS);
      const fail = (why: string): void => {
        finish();
        reject(new Error(`stderr did not show ${pattern} ${why}; it held:\n${stderr}`));
      };
      const finish = (): void => {
        clearTimeout(timer);
        watchers.delete(look);
      };
      const look = (): void => {
        const match = pattern.exec(stderr);
        if (match) {
          finish();
          resolve(match);
        } else if (child.exitCode !== null || child.signalCode !== null) fail("before the end");
      };
      watchers.add(look);
      look();
    });
  return { child, stdout: () => stdout, stderr: () => stderr, seen, ended };
}

/** A whole spec of a tool that takes a text. `more` is YAML that goes before `category`. */
export function specText(name: string, more = ""): string {
  return `spec_version: 1
name: ${name}
version: "1.0.0"
description_short: Gives back a text.
description_detailed: Gives back the text that it was sent, unchanged.
when_to_use: Use this tool when you need to see what arrives.
when_not_to_use: Do NOT use this tool for anything else; there is no alternative.
parameters:
  type: object
  additionalProperties: false
  required: [text]
  properties:
    text: { type: string, description: The text to give back. }
    times: { type: integer, minimum: 1, maximum: 3, description: How often. Default 1., default: 1 }
prerequisites: []
related_tools: []
common_workflows: []
examples: []
common_errors: []
performance: { typical_latency_ms: 1, max_latency_ms: 10, token_cost_estimate: 10, is_idempotent: true, is_reversible: true }
${more}category: test
tags: []
`;
}

/** A spec with a handler beside it, as files of a project. */
export function tool(name: string, handler: string, more = ""): Record<string, string> {
  return { [`${name}.tool.yaml`]: specText(name, more), [`${name}.handler.mjs`]: handler };
}

/** The handler that gives back its arguments. */
export const ECHO = "export default (args) => args;\n";
