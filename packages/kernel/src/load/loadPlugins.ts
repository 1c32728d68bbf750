import type { ConfiguredPlugin, Diagnostic, Finding, JsonObject, JsonPath, JsonSchema, Plugin, PluginModule } from "@fettle/contract";
import { POSITIONS } from "@fettle/contract";
import { nearestWord, type SchemaEngine } from "@fettle/schema";
import { v1 } from "@fettle/spec-types/schemas";
import type { LoadedConfig, PluginInput } from "../kernel.js";
import type { Platform } from "../platform.js";
import { strayMember } from "../strayMember.js";
import { thrown } from "../thrown.js";
import { IMPORT_LIMIT_MS, withinLimit } from "../withinLimit.js";
import { expandEnv } from "./expandEnv.js";
import { numbersFromEnv } from "./loadConfig.js";
import { describe, nearFile, placeOf } from "./loadFunction.js";
import { resolve } from "./paths.js";
import { toDiagnostic } from "./sourceDocument.js";
import { firstPartySections, isFirstPartySection } from "./specVersions.js";
import { valueAt } from "./valueAt.js";

const KEBAB = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/** Plugins that may be set up, and what is wrong with the others. */
export interface LoadedPlugins {
  readonly plugins: readonly Plugin<unknown>[];
  readonly diagnostics: readonly Diagnostic[];
  /** A finding about one of the plugins, at its place in the config. With a hint the plugin is at fault by what it is, else by what it did. */
  faultOf(plugin: string, message: string, hint?: string): Diagnostic;
}

/** Loads the plugins of a config, then those given in code. Each finding says which plugin; the rest is loaded all the same. */
export async function loadPlugins(platform: Platform, engine: SchemaEngine, loaded: LoadedConfig, given: readonly PluginInput[]): Promise<LoadedPlugins> {
  const plugins: Plugin<unknown>[] = [];
  const places = new Map<string, JsonPath>();
  const diagnostics: Diagnostic[] = [];
  type PluginFinding = Omit<Finding, "severity" | "path" | "rule"> & { readonly rule?: string; readonly below?: JsonPath };
  const diagnosticAt = (path: JsonPath, { below, ...rest }: PluginFinding): Diagnostic => {
    const full: Finding = { rule: "C-PLUGIN-3", ...rest, severity: "error", path: [...path, ...(below ?? [])] };
    return loaded.document ? toDiagnostic(loaded.document, full) : { ...withoutPlace(full), file: loaded.file ?? "(config in code)", line: 1, column: 1 };
  };
  const report = (path: JsonPath, finding: PluginFinding): void => void diagnostics.push(diagnosticAt(path, finding));
  /** What was thrown goes to the log as a whole; the finding has its first line. An error of the syntax has no more to it than its place. */
  const failed = (path: JsonPath, plugin: string, did: string, error: unknown): void => {
    const located = placeOf(error) !== undefined;
    if (!located) platform.log.error(`plugin ${plugin} ${did}`, { plugin, ...thrown(error) });
    const hint = located ? "Mend the code at that place." : "The log has the whole error.";
    report(path, { code: "config/plugin-failed", message: `The plugin ${plugin} ${did}: ${describe(error)}`, hint });
  };
  const add = (plugin: Plugin<unknown>, path: JsonPath): void => {
    const fault = faultOf(engine, plugin, plugins);
    if (fault) {
      report(path, fault);
      return;
    }
    plugins.push(plugin);
    places.set(plugin.name, path);
  };
  const make = (module: PluginModule, options: JsonObject, path: JsonPath): void => {
    if (
      typeof module.name !== "string" ||
      (module.options !== undefined && typeof module.options !== "boolean" && (typeof module.options !== "object" || module.options === null))
    ) {
      report(path, {
        code: "config/bad-plugin",
        message: "The module is no plugin: it lacks a name, or its options are no JSON Schema",
        hint: "Write `export default definePlugin({ name, options, create })`.",
      });
      return;
    }
    const stray = strayMember("module", module);
    if (stray) {
      report(path, { code: "config/bad-plugin", message: `The plugin ${module.name}: ${stray.message}`, hint: stray.hint });
      return;
    }
    const unfit = unfitSchema(engine, module.options ?? true);
    if (unfit) {
      report(path, {
        code: "config/bad-plugin",
        message: `The options schema of ${module.name} can't be enforced: ${unfit}`,
        hint: "This is a fault of the plugin.",
      });
      return;
    }
    const checked = engine.compile(module.options ?? true).check(options, { repair: false });
    if (!checked.valid) {
      for (const problem of checked.problems) {
        report(path, {
          code: "config/bad-options",
          message: `The options of ${module.name} don't fit: ${problem.message.replace(/^unknown argument /, "unknown option ")}`,
          hint: "Mend what stands under with.",
          below: ["with", ...problem.path, ...(problem.keyword === "additionalProperties" && problem.key !== undefined ? [problem.key] : [])],
          at: problem.keyword === "additionalProperties" ? "key" : "value",
        });
      }
      return;
    }
    let plugin: Plugin<unknown>;
    try {
      plugin = module.create(checked.value, { env: platform.env, configDir: loaded.folder });
    } catch (error) {
      failed(path, module.name, "threw in create", error);
      return;
    }
    if (plugin instanceof Promise)
      report(path, {
        code: "config/bad-plugin",
        message: `The plugin ${module.name} gave a promise from create`,
        hint: "create answers at once; what takes time belongs in setup.",
      });
    else if (typeof plugin?.name === "string" && plugin.name !== module.name)
      report(path, { code: "config/bad-plugin", message: `The module is called ${module.name}, and its plugin ${plugin.name}`, hint: "Give both one name." });
    else add(plugin, path);
  };

  for (const [i, { use, with: options = {} }] of (loaded.config.plugins ?? []).entries()) {
    const path = ["plugins", i, "use"];
    const isPath = /^\.{0,2}\//.test(use);
    const file = isPath ? resolve(loaded.folder, use) : await platform.modules.resolve(use, loaded.folder);
    if (file === undefined || (await platform.files.size(file).catch(() => undefined)) === undefined) {
      const near = isPath && file !== undefined ? await nearFile(platform, file, use) : undefined;
      report(path, { code: "config/unknown-plugin", message: `There is no plugin ${use}`, hint: near ? `Did you mean "${near}"?` : whereToLook(use) });
      continue;
    }
    let exported: unknown;
    try {
      exported = (await withinLimit(platform.clock, IMPORT_LIMIT_MS, () => platform.modules.import(file, 0)))["default"];
    } catch (error) {
      failed(path, use, "can't be loaded", error);
      continue;
    }
    if (!isModule(exported)) {
      report(path, {
        code: "config/bad-plugin",
        message: `${use} is no plugin: its default export has no create`,
        hint: "Write `export default definePlugin({ name, options, create })`.",
      });
      continue;
    }
    make(exported, numbersFromEnv(engine, options, expandedBelow(loaded, i), asSchema(exported.options)) as JsonObject, ["plugins", i]);
  }
  for (const input of given) {
    if (isConfigured(input)) make(input.module, input.with, []);
    else if (isModule(input)) make(input, {}, []);
    else add(input as Plugin<unknown>, []);
  }
  return {
    plugins,
    diagnostics,
    faultOf(plugin, message, hint) {
      const fault =
        hint === undefined
          ? { code: "config/plugin-failed", hint: "This is a fault of the plugin; the log has the whole error." }
          : { code: "config/bad-plugin", hint };
      return diagnosticAt(places.get(plugin) ?? [], { ...fault, message });
    },
  };
}

/** What to do about a plugin that isn't there. Never to install what may be a slip of the pen: a stranger may have taken that name. */
function whereToLook(use: string): string {
  if (/^\.{0,2}\//.test(use)) return "The path is relative to the config.";
  if (/\.[cm]?[jt]s$/.test(use)) return `Did you mean "./${use}"? A path starts with ./`;
  const ours = [...firstPartySections(v1.tool as JsonObject), "examples"].map((name) => `@fettle/plugin-${name}`);
  const near = ours.includes(use) ? undefined : (ours.find((name) => name.endsWith(`-${use}`)) ?? nearestWord(use, ours));
  if (near) return `Did you mean "${near}"?`;
  return "See that the package is installed beside the config. A plugin of your own is named by its path, starting with ./";
}

/** Paths, inside a plugin's options, of strings in which variables were expanded. */
function expandedBelow(loaded: LoadedConfig, index: number): readonly JsonPath[] {
  const raw = loaded.document && valueAt(loaded.document.data, ["plugins", index, "with"]);
  return raw === undefined ? [] : expandEnv(raw, {}).expanded;
}

const asSchema = (schema: unknown): JsonObject => (typeof schema === "object" && schema !== null ? (schema as JsonObject) : {});

function faultOf(
  engine: SchemaEngine,
  plugin: Plugin<unknown>,
  others: readonly Plugin<unknown>[],
): { code: string; message: string; hint?: string } | undefined {
  if (typeof plugin !== "object" || plugin === null)
    return { code: "config/bad-plugin", message: "A plugin's create gave no plugin object", hint: "Return { name, position, ... }." };
  if (typeof plugin.name !== "string" || !KEBAB.test(plugin.name))
    return {
      code: "config/bad-plugin",
      message: `${JSON.stringify(plugin.name)} is no name for a plugin`,
      hint: "Use kebab-case: lower-case letters, digits, hyphens.",
    };
  const stray = strayMember("plugin", plugin);
  if (stray) return { code: "config/bad-plugin", message: `The plugin ${plugin.name}: ${stray.message}`, hint: stray.hint };
  if (!POSITIONS.includes(plugin.position))
    return {
      code: "config/bad-plugin",
      message: `The plugin ${plugin.name} has the position ${JSON.stringify(plugin.position)}`,
      hint: `Positions: ${POSITIONS.join(", ")}.`,
    };
  if (others.some(({ name }) => name === plugin.name))
    return { code: "config/duplicate-plugin", message: `There are two plugins called ${plugin.name}`, hint: "Keep one of them." };
  const unfit = plugin.section === undefined ? undefined : unfitSchema(engine, plugin.section);
  if (unfit)
    return { code: "config/bad-plugin", message: `The section schema of ${plugin.name} can't be enforced: ${unfit}`, hint: "This is a fault of the plugin." };
  const schema = v1.tool as JsonObject;
  if (plugin.section !== undefined && plugin.name in ((schema["properties"] ?? {}) as JsonObject) && !isFirstPartySection(schema, plugin.name)) {
    return {
      code: "config/bad-plugin",
      message: `The plugin ${plugin.name} can't have a section: a spec has a field of that name`,
      hint: "Give the plugin another name.",
    };
  }
  return undefined;
}

/** Why a plugin's own schema can't be enforced, or undefined when it can. */
function unfitSchema(engine: SchemaEngine, schema: JsonSchema): string | undefined {
  return engine.admit(schema).find(({ severity }) => severity === "error")?.message;
}

function withoutPlace({ path: _, at: __, ...rest }: Finding): Omit<Finding, "path" | "at"> {
  return rest;
}

function isModule(value: unknown): value is PluginModule {
  return (typeof value === "function" || (typeof value === "object" && value !== null)) && typeof (value as { create?: unknown }).create === "function";
}

function isConfigured(value: PluginInput): value is ConfiguredPlugin {
  return "module" in value && isModule((value as ConfiguredPlugin).module);
}
