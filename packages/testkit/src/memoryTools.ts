import { basename, dirname, join } from "node:path";
import type { Handler } from "@fettle/contract";
import type { Files, Modules } from "@fettle/kernel";

/** A tool of a test: a handler, or a handler with what its spec should say. */
// biome-ignore lint/suspicious/noExplicitAny: handlers of a test take whatever arguments they like
export type TestTool = Handler<any, any> | { readonly handler: Handler<any, any>; readonly [field: string]: unknown };

/** A complete spec for a test, with what you say of it. Its parameters are open. */
export function testSpec(name: string, overrides: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    spec_version: 1,
    name,
    version: "1.0.0",
    description_short: `The test tool ${name}.`,
    description_detailed: `Does what the test of ${name} says.`,
    when_to_use: "In tests.",
    when_not_to_use: "Outside of tests; there is no alternative.",
    parameters: { type: "object" },
    prerequisites: [],
    related_tools: [],
    common_workflows: [],
    examples: [],
    common_errors: [],
    performance: { typical_latency_ms: 1, max_latency_ms: 1000, token_cost_estimate: 10, is_idempotent: false, is_reversible: false },
    category: "test",
    tags: [],
    ...overrides,
  };
}

const ROOT = "/memory/tools";

/** Tools of a test as spec files and handler modules in memory, so that they take the real way through the loader. */
export interface MemoryTools {
  readonly files: Files;
  readonly modules: Modules;
  readonly folder: string;
  /** Adds or replaces a file, for tests of reload and of broken files. Paths are relative to the folder. */
  write(path: string, content: string | Uint8Array): void;
  /** Adds or replaces a tool under a key: its name, or `name@suffix` for a further version. */
  add(key: string, tool: TestTool): void;
  remove(key: string): void;
}

export function memoryTools(tools: Readonly<Record<string, TestTool>>): MemoryTools {
  const files = new Map<string, Uint8Array>();
  const modules = new Map<string, Readonly<Record<string, unknown>>>();
  const missing = (path: string): Error => Object.assign(new Error(`ENOENT: no such file or directory, open '${path}'`), { code: "ENOENT" });
  const memory: MemoryTools = {
    folder: ROOT,
    files: {
      async read(path) {
        const bytes = files.get(path);
        if (!bytes) throw missing(path);
        return bytes;
      },
      async list(folder) {
        const names = new Map<string, "file" | "folder">();
        for (const path of files.keys()) {
          if (!path.startsWith(`${folder}/`)) continue;
          const [name = "", ...deeper] = path.slice(folder.length + 1).split("/");
          names.set(name, deeper.length > 0 ? "folder" : "file");
        }
        if (names.size === 0 && folder !== ROOT) throw missing(folder);
        return [...names].map(([name, kind]) => ({ name, kind }));
      },
      size: async (path) => files.get(path)?.length,
      real: async (path) => path,
    },
    modules: {
      async import(path) {
        const module = modules.get(path);
        if (!module) throw Object.assign(new Error(`Cannot find module '${path}'`), { code: "ERR_MODULE_NOT_FOUND" });
        return module;
      },
      resolve: async () => undefined,
    },
    write(path, content) {
      files.set(join(ROOT, path), typeof content === "string" ? new TextEncoder().encode(content) : content);
    },
    add(key, tool) {
      const { handler, ...spec } = typeof tool === "function" ? { handler: tool } : tool;
      // JSON is YAML, and this way every test spec is read as a file would be.
      memory.write(`${key}.tool.yaml`, JSON.stringify(testSpec(key.split("@")[0] ?? key, spec), null, 2));
      memory.write(`${key}.handler.js`, "// in memory");
      modules.set(join(ROOT, `${key}.handler.js`), { default: handler });
    },
    remove(key) {
      files.delete(join(ROOT, `${key}.tool.yaml`));
      files.delete(join(ROOT, `${key}.handler.js`));
    },
  };
  for (const [key, tool] of Object.entries(tools)) memory.add(key, tool);
  return memory;
}

/** Looks into memory first and at the machine for everything else. */
export function layered(
  memory: MemoryTools,
  machine: { readonly files: Files; readonly modules: Modules },
): { readonly files: Files; readonly modules: Modules } {
  const inside = (path: string): boolean => path === ROOT || path.startsWith(`${ROOT}/`);
  return {
    files: {
      read: (path) => (inside(path) ? memory.files : machine.files).read(path),
      list: (folder) => (inside(folder) ? memory.files : machine.files).list(folder),
      size: (path) => (inside(path) ? memory.files : machine.files).size(path),
      real: (path) => (inside(path) ? memory.files : machine.files).real(path),
    },
    modules: {
      import: (path, generation) => (inside(path) && basename(path) !== "" ? memory.modules : machine.modules).import(path, generation),
      resolve: (specifier, fromFolder) => machine.modules.resolve(specifier, inside(fromFolder) ? dirname(process.cwd()) : fromFolder),
    },
  };
}
