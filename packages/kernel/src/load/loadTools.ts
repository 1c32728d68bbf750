import { fileURLToPath } from "node:url";
import type { Catalog, Diagnostic, Finding, JsonObject, Plugin, Tool, ToolSpec } from "@fettle/contract";
import type { SchemaEngine } from "@fettle/schema";
import type { LoadedConfig } from "../kernel.js";
import { type LoadedTool, toolFor } from "../loadedTool.js";
import type { Platform } from "../platform.js";
import { deepFreeze, freezeCatalog } from "./catalog.js";
import { checkShape } from "./checkShape.js";
import { findSpecFiles } from "./findSpecFiles.js";
import { describe, loadHandler } from "./loadHandler.js";
import { basename, resolve } from "./paths.js";
import { codeOf, readSpecFile } from "./readSpecFile.js";
import { catalogRules } from "./rules/catalogRules.js";
import { type SourceDocument, toDiagnostic } from "./sourceDocument.js";
import { specCodes } from "./specCodes.js";
import { firstPartySections, SPEC_VERSIONS, type SpecVersion } from "./specVersions.js";

export interface LoadToolsOptions {
  readonly platform: Platform;
  readonly engine: SchemaEngine;
  readonly config: LoadedConfig;
  readonly plugins: readonly Plugin<unknown>[];
  /** Differs for each reload, so that changed modules are loaded again. */
  readonly generation: number;
  /** Spec files or folders in place of the config's `tools`. Absolute. */
  readonly paths?: readonly string[];
  /** Whether handlers are loaded. Default true; conformance files have none. */
  readonly handlers?: boolean;
  readonly specVersions?: ReadonlyMap<number, SpecVersion>;
  /** Also hold examples against their schemas, which compiles them: for `fettle check`, not for the start of a server. */
  readonly thorough?: boolean;
}

export interface LoadedTools {
  readonly catalog: Catalog;
  readonly tools: readonly LoadedTool[];
  /** Every finding of every file: errors first within a file, files by path. */
  readonly diagnostics: readonly Diagnostic[];
  /** Texts of the files that were read, for code frames. */
  readonly sources: ReadonlyMap<string, string>;
  /** Spec files that were found, also those with errors. */
  readonly files: readonly string[];
}

/** A spec on its way to a tool. */
interface Candidate {
  readonly document: SourceDocument;
  readonly spec: ToolSpec;
  readonly owner: string | undefined;
}

/**
 * Turns spec files into a frozen catalog, in phases: find, read, check the shape, apply the rules, check across tools, load handlers.
 * Every finding of every file is collected, and a tool with a `spec/*` error is left out: it never hides the others.
 */
export async function loadTools(options: LoadToolsOptions): Promise<LoadedTools> {
  const { platform, config, plugins } = options;
  const diagnostics: Diagnostic[] = [];
  const sources = new Map<string, string>();
  const { files, missing } = await specFiles(options);
  diagnostics.push(...missing);

  const candidates: Candidate[] = [];
  /** Names that some spec claims, also one with errors: a reference to it isn't dangling. */
  const claimed = new Set<string>();
  for (const { file, owner } of files) {
    const { document, diagnostics: found, text } = await readSpecFile(platform.files, file);
    if (text !== undefined) sources.set(file, text);
    diagnostics.push(...found);
    if (!document) continue;
    const name = (document.data as { name?: unknown }).name;
    if (typeof name === "string") claimed.add(name);
    const spec = checkSpec(document, options, diagnostics);
    if (spec) candidates.push({ document, spec, owner });
  }

  const refused = refusedFiles(diagnostics);
  const unique = withoutDuplicates(candidates, diagnostics);
  const documents = new Map(unique.map(({ document }) => [document.file, document]));
  const tools = unique.map(({ document, spec }) => toolOf(document, spec));
  for (const { file, ...finding } of catalogRules(tools, claimed)) diagnostics.push(placed(documents.get(file), file, finding));
  for (const plugin of plugins) diagnostics.push(...pluginFindings(plugin, tools, documents, config));

  const loaded: LoadedTool[] = [];
  for (const { document, spec, owner } of unique) {
    const tool = toolOf(document, spec);
    if (options.handlers === false) {
      loaded.push({ tool, handler: undefined, handlerFile: undefined, owner });
      continue;
    }
    if (owner !== undefined && spec.handler === undefined) {
      loaded.push({ tool, handler: undefined, handlerFile: undefined, owner });
      continue;
    }
    const { handler, file, finding } = { file: undefined, ...(await loadHandler(platform, document.file, spec.handler, options.generation)) };
    if (finding) diagnostics.push(toDiagnostic(document, finding));
    else loaded.push({ tool, handler, handlerFile: file, owner });
  }
  for (const file of refusedFiles(diagnostics)) refused.add(file);
  const served = loaded.filter(({ tool }) => !refused.has(tool.file));
  return { catalog: freezeCatalog(served), tools: served, diagnostics: sorted(diagnostics), sources, files: files.map(({ file }) => file) };
}

async function specFiles(
  options: LoadToolsOptions,
): Promise<{ files: readonly { file: string; owner: string | undefined }[]; missing: readonly Diagnostic[] }> {
  const { platform, config, plugins } = options;
  const missing: Diagnostic[] = [];
  const files = new Map<string, string | undefined>();
  const places =
    options.paths?.map((path) => ({ path: resolve(path), index: undefined })) ??
    (config.config.tools ?? ["."]).map((folder, index) => ({ path: resolve(config.folder, folder), index }));
  for (const { path, index } of places) {
    if (path.endsWith(".yaml") || path.endsWith(".yml")) {
      files.set(path, undefined);
      continue;
    }
    const { found, unreadable } = await findSpecFiles(platform.files, path);
    for (const file of found) files.set(file, undefined);
    for (const { folder, error } of unreadable) {
      const finding: Finding = {
        code: "config/folder-missing",
        severity: "error",
        message: `The folder ${folder} can't be read${codeOf(error)}`,
        hint: index === undefined ? "See that it is there and that this user may read it." : "A path in tools is relative to the config.",
        rule: "C-TOOLS-2",
        path: ["tools", index ?? 0],
      };
      missing.push(index !== undefined && config.document ? toDiagnostic(config.document, finding) : placed(undefined, folder, finding));
    }
  }
  for (const plugin of plugins) for (const { file } of plugin.specs ?? []) files.set(fileURLToPath(file), plugin.name);
  return { files: [...files].map(([file, owner]) => ({ file, owner })), missing };
}

/** Checks one document by its spec version. Undefined when its shape is wrong: the rules need a shape. */
function checkSpec(document: SourceDocument, options: LoadToolsOptions, diagnostics: Diagnostic[]): ToolSpec | undefined {
  const { engine, plugins } = options;
  const versions = options.specVersions ?? SPEC_VERSIONS;
  const data = document.data as JsonObject;
  const known = [...versions.keys()].sort((a, b) => a - b);
  const asked = data["spec_version"];
  const version = versions.get(asked === undefined ? Math.max(...known) : (asked as number));
  if (!version) {
    const hint = typeof asked === "string" && versions.has(Number(asked)) ? `Take the quotes off: spec_version: ${asked}` : `Known: ${known.join(", ")}.`;
    diagnostics.push(
      toDiagnostic(document, {
        code: specCodes.code("unknown-version"),
        severity: "error",
        path: ["spec_version"],
        message: `${JSON.stringify(asked)} is no known spec_version`,
        hint,
        rule: "T-SPECVERSION-1",
      }),
    );
    return undefined;
  }
  const firstParty = firstPartySections(version.schema);
  const on = new Map(plugins.filter(({ section }) => section !== undefined).map((plugin) => [plugin.name, plugin]));
  const findings = checkShape(engine, withSections(version.schema, on.keys()), document, { namespace: "spec", keyRule: "T-KEY-1" });
  for (const key of Object.keys(data)) {
    const plugin = on.get(key);
    if (plugin?.section !== undefined)
      findings.push(
        ...checkShape(engine, plugin.section, document, { at: [key], namespace: "spec", keyRule: "T-SECTION-2" }).map((finding) => ({
          ...finding,
          rule: "T-SECTION-2",
        })),
      );
    else if (firstParty.has(key))
      findings.push({
        code: specCodes.code("section-unused"),
        severity: "warning",
        path: [key],
        at: "key",
        message: `The section "${key}" has no effect: no plugin of that name is on`,
        hint: `Add the plugin to fettle.config.yaml, or delete the section.`,
        rule: "T-SECTION-1",
      });
  }
  diagnostics.push(...findings.map((finding) => toDiagnostic(document, finding)));
  if (findings.some(({ severity }) => severity === "error")) return undefined;
  // The door: from here on the data is a spec.
  const authored = deepFreeze(data as unknown as ToolSpec);
  const context = { file: document.file, engine };
  for (const finding of version.rules(authored, context)) diagnostics.push(toDiagnostic(document, finding));
  if (options.thorough) for (const finding of version.thoroughRules(authored, context)) diagnostics.push(toDiagnostic(document, finding));
  return version.upgrade ? deepFreeze(version.upgrade(authored)) : authored;
}

/** The meta-schema with the keys of other plugins' sections added. Their content is checked by the plugin's own schema. */
function withSections(schema: JsonObject, names: Iterable<string>): JsonObject {
  const properties = (schema["properties"] ?? {}) as JsonObject;
  const added = [...names].filter((name) => !(name in properties));
  return added.length === 0 ? schema : { ...schema, properties: { ...properties, ...Object.fromEntries(added.map((name) => [name, {}])) } };
}

function withoutDuplicates(candidates: readonly Candidate[], diagnostics: Diagnostic[]): Candidate[] {
  const first = new Map<string, Candidate>();
  for (const candidate of candidates) {
    const { name, version } = candidate.spec;
    // Build metadata doesn't make another version (semver 2.0.0, rule 10).
    const key = `${name}@${version.split("+")[0]}`;
    const other = first.get(key);
    if (!other) first.set(key, candidate);
    else {
      diagnostics.push(
        toDiagnostic(candidate.document, {
          code: specCodes.code("duplicate-tool"),
          severity: "error",
          path: ["name"],
          message: `${basename(other.document.file)} is already ${name} ${version}; this file is not served`,
          hint: "Change the name or the version, or delete one of the files.",
          rule: "T-NAME-2",
        }),
      );
    }
  }
  return [...first.values()];
}

function toolOf(document: SourceDocument, spec: ToolSpec): Tool {
  return Object.freeze({ name: spec.name, version: spec.version, spec, section: undefined, file: document.file });
}

/** What one plugin's checks find. A check that throws is a finding of its own and stops nobody. */
function pluginFindings(plugin: Plugin<unknown>, tools: readonly Tool[], documents: ReadonlyMap<string, SourceDocument>, config: LoadedConfig): Diagnostic[] {
  const found: Diagnostic[] = [];
  const threw = (hook: string, file: string, error: unknown): void => {
    found.push(
      placed(documents.get(file), file, {
        code: "plugin/check-threw",
        severity: "error",
        path: ["name"],
        message: `The plugin ${plugin.name} threw in ${hook}: ${describe(error)}`,
        hint: "This is a fault of the plugin, not of the spec.",
      }),
    );
  };
  for (const tool of tools) {
    try {
      for (const finding of plugin.checkTool?.(toolFor(plugin, tool) as never) ?? []) found.push(placed(documents.get(tool.file), tool.file, finding));
    } catch (error) {
      threw("checkTool", tool.file, error);
    }
  }
  try {
    for (const { tool: ref, ...finding } of plugin.checkCatalog?.(tools) ?? []) {
      const file = tools.find(({ name, version }) => name === ref.name && version === ref.version)?.file ?? config.file ?? config.folder;
      found.push(placed(documents.get(file), file, finding));
    }
  } catch (error) {
    threw("checkCatalog", config.file ?? config.folder, error);
  }
  return found;
}

function placed(document: SourceDocument | undefined, file: string, finding: Finding): Diagnostic {
  if (document) return toDiagnostic(document, finding);
  const { path: _, at: __, ...rest } = finding;
  return { ...rest, file, line: 1, column: 1 };
}

/** Only `spec/*` errors keep a tool from being served. */
function refusedFiles(diagnostics: readonly Diagnostic[]): Set<string> {
  return new Set(diagnostics.filter(({ code, severity }) => severity === "error" && code.startsWith("spec/")).map(({ file }) => file));
}

function sorted(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return [...diagnostics].sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line || a.column - b.column));
}
