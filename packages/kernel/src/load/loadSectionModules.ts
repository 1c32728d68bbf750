import type { Finding, ModuleFunction, Plugin, SectionModule, Tool } from "@fettle/contract";
import { type Modules, toolFor } from "../loadedTool.js";
import type { Platform } from "../platform.js";
import { describe, loadFunction, whyMissing } from "./loadFunction.js";
import { dirname, resolve } from "./paths.js";
import { specCodes } from "./specCodes.js";

const RULE = "T-SECTION-3";

/** The modules that the sections of a spec name, and what is wrong with them. */
export interface LoadedModules {
  /** By plugin. */
  readonly modules: ReadonlyMap<string, Modules>;
  readonly findings: readonly Finding[];
}

/** Loads the modules that the sections of a spec name, each once. */
export async function loadSectionModules(platform: Platform, plugins: readonly Plugin<unknown>[], tool: Tool, generation: number): Promise<LoadedModules> {
  const loaded = new Map<string, Modules>();
  const findings: Finding[] = [];
  for (const plugin of plugins) {
    const asked = askedBy(plugin, tool);
    if ("fault" in asked) {
      findings.push(asked.fault);
      continue;
    }
    const modules = new Map<string, ModuleFunction>();
    for (const [reference, places] of byReference(asked.modules)) {
      const found = await load(platform, tool.file, reference, generation);
      if (typeof found === "function") modules.set(reference, found);
      else for (const path of places) findings.push({ ...found, path });
    }
    if (modules.size > 0) loaded.set(plugin.name, modules);
  }
  return { modules: loaded, findings };
}

type Asked = { readonly modules: readonly SectionModule[] } | { readonly fault: Finding };

/** What a plugin asks for. One that throws or gives nonsense keeps the tool from being served: it would run without what its spec asks for. */
function askedBy(plugin: Plugin<unknown>, tool: Tool): Asked {
  const fault = (did: string): Asked => ({
    fault: {
      code: specCodes.code("module-failed"),
      severity: "error",
      path: ["name"],
      message: `The plugin ${plugin.name} ${did}`,
      hint: "This is a fault of the plugin, not of the spec.",
      rule: RULE,
    },
  });
  try {
    const modules = [...(plugin.modules?.(toolFor(plugin, tool) as never) ?? [])];
    return modules.every(isSectionModule) ? { modules } : fault("gave something from modules that names no module");
  } catch (error) {
    return fault(`threw in modules: ${describe(error)}`);
  }
}

function isSectionModule(value: unknown): value is SectionModule {
  return (
    typeof value === "object" && value !== null && "reference" in value && typeof value.reference === "string" && "path" in value && Array.isArray(value.path)
  );
}

function byReference(modules: readonly SectionModule[]): ReadonlyMap<string, readonly SectionModule["path"][]> {
  const places = new Map<string, SectionModule["path"][]>();
  for (const { reference, path } of modules) places.set(reference, [...(places.get(reference) ?? []), path]);
  return places;
}

async function load(platform: Platform, specFile: string, reference: string, generation: number): Promise<ModuleFunction | Finding> {
  const [written = "", exportName = "default"] = reference.split("#");
  const file = resolve(dirname(specFile), written);
  const missing = await whyMissing(platform, file, written);
  const { run, fault = missing } = missing
    ? {}
    : await loadFunction(platform, {
        file,
        exportName,
        generation,
        called: "The module",
        named: (each) => each,
        write: "Export a function as default: `export default (value) => ...`.",
      });
  if (fault) return { code: specCodes.code(`module-${fault.reason}`), severity: "error", message: fault.message, hint: fault.hint, rule: RULE };
  return run as ModuleFunction;
}
