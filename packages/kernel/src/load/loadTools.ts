import { fileURLToPath } from "node:url";
import type { Catalog, Diagnostic, Finding, Tool, ToolSpec } from "@fettle/contract";
import type { LoadedConfig } from "../kernel.js";
import { type LoadedTool, NO_MODULES } from "../loadedTool.js";
import type { Platform } from "../platform.js";
import { ahead } from "./ahead.js";
import { freezeCatalog } from "./catalog.js";
import type { CheckSpecOptions } from "./checkSpec.js";
import { configCodes } from "./configCodes.js";
import { FileNames } from "./fileNames.js";
import { findSpecFiles, type UnreadableFolder } from "./findSpecFiles.js";
import { type LoadedHandler, loadHandler } from "./loadHandler.js";
import { type LoadedModules, loadSectionModules } from "./loadSectionModules.js";
import { openSpec } from "./openSpec.js";
import { dirname, relative, resolve } from "./paths.js";
import { pluginFindings } from "./pluginFindings.js";
import { codeOf, inBrackets, readText } from "./readSpecFile.js";
import { catalogRules } from "./rules/catalogRules.js";
import { placed, type SourceDocument, toDiagnostic } from "./sourceDocument.js";
import { SpecCache } from "./specCache.js";
import { specCodes } from "./specCodes.js";

export interface LoadToolsOptions extends CheckSpecOptions {
  readonly platform: Platform;
  readonly config: LoadedConfig;
  /** Differs for each reload, so that changed modules are loaded again. */
  readonly generation: number;
  /** Spec files or folders in place of the config's `tools`. Absolute. */
  readonly paths?: readonly string[];
  /** Whether handlers are loaded. Default true; conformance files have none. */
  readonly handlers?: boolean;
}

export interface LoadedTools {
  readonly catalog: Catalog;
  readonly tools: readonly LoadedTool[];
  /** Every finding of every file, by file and place. */
  readonly diagnostics: readonly Diagnostic[];
  /** Texts of the files that were read, for code frames. */
  readonly sources: ReadonlyMap<string, string>;
  /** Spec files that were found, also those with errors. */
  readonly files: readonly string[];
}

const NO_HANDLER: LoadedHandler = { handler: undefined, file: undefined };
const NOTHING_LOADED: LoadedModules = { modules: new Map(), findings: [] };

/** A spec on its way to being served. */
interface Candidate {
  readonly document: SourceDocument;
  readonly tool: Tool;
  /** The plugin that brought the spec. */
  readonly owner: string | undefined;
}

/**
 * Turns spec files into a frozen catalog, in phases: find, read, check each, check across tools, load handlers.
 * Every finding of every file is collected, and a tool with a `spec/*` error is left out: it never hides the others.
 */
export async function loadTools(options: LoadToolsOptions): Promise<LoadedTools> {
  const { platform, config, plugins } = options;
  const cache = options.thorough || options.specVersions ? undefined : await SpecCache.open(platform, config, plugins);
  try {
    return await loadFrom(cache, options);
  } catch (error) {
    if (cache === undefined) throw error;
    // What a cache says can be nonsense in the right shape: somebody else may have written it.
    return loadFrom(undefined, options);
  }
}

async function loadFrom(cache: SpecCache | undefined, options: LoadToolsOptions): Promise<LoadedTools> {
  const { platform, config, plugins } = options;
  const { files, missing } = await specFiles(options);
  const diagnostics: Diagnostic[] = [...missing];
  const sources = new Map<string, string>();

  const checked: Candidate[] = [];
  /** Names that some spec claims, also one with errors: a reference to it isn't dangling. */
  const claimed = new Set<string>();
  for await (const [{ file, owner }, read] of ahead(files, (each) => readText(platform.files, each.file))) {
    const { text, document, spec, diagnostics: found } = openSpec(file, read, options, cache);
    if (text !== undefined) sources.set(file, text);
    diagnostics.push(...found);
    if (!document) continue;
    const name = (document.data as { name?: unknown }).name;
    if (typeof name === "string") claimed.add(name);
    if (spec) checked.push({ document, tool: toolOf(file, spec), owner });
  }
  await cache?.save();

  const candidates = withoutDuplicates(withoutRefused(checked, diagnostics), diagnostics);
  const documents = new Map(candidates.map(({ document }) => [document.file, document]));
  const tools = candidates.map(({ tool }) => tool);
  for (const { file, ...finding } of catalogRules(tools, claimed)) diagnostics.push(placed(documents.get(file), file, finding));
  for (const plugin of plugins) diagnostics.push(...pluginFindings(plugin, tools, documents, config));

  const loaded: LoadedTool[] = [];
  // A plugin serves the tools that it brings, unless their spec names a handler.
  const isServedByPlugin = ({ tool, owner }: Candidate): boolean => options.handlers === false || (owner !== undefined && tool.spec.handler === undefined);
  const fileNames = new FileNames(platform.files);
  const handlerOf = async (candidate: Candidate): Promise<LoadedHandler> =>
    isServedByPlugin(candidate) ? NO_HANDLER : loadHandler(platform, candidate.tool.file, candidate.tool.spec.handler, options.generation, fileNames);
  const modulesOf = async ({ tool }: Candidate): Promise<LoadedModules> =>
    options.handlers === false ? NOTHING_LOADED : loadSectionModules(platform, plugins, tool, options.generation);
  const loadOne = (candidate: Candidate) => Promise.all([handlerOf(candidate), modulesOf(candidate)]);
  for await (const [{ document, tool, owner }, [{ handler, file, finding }, { modules, findings }]] of ahead(
    withoutRefused(candidates, diagnostics),
    loadOne,
  )) {
    const faults = finding ? [finding, ...findings] : findings;
    diagnostics.push(...faults.map((fault) => toDiagnostic(document, fault)));
    if (faults.length === 0) loaded.push({ tool, handler, handlerFile: file, modules, owner });
  }
  return { catalog: freezeCatalog(loaded), tools: loaded, diagnostics: sorted(diagnostics), sources, files: files.map(({ file }) => file) };
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
  const isFile = (path: string): boolean => path.endsWith(".yaml") || path.endsWith(".yml");
  const folders = places.filter(({ path }) => !isFile(path));
  const searches = await findSpecFiles(
    platform.files,
    folders.map(({ path }) => path),
  );
  for (const place of places) {
    const search = searches[folders.indexOf(place)];
    if (!search) {
      files.set(place.path, undefined);
      continue;
    }
    for (const file of search.found) files.set(file, undefined);
    for (const unreadable of search.unreadable) missing.push(placed(undefined, unreadable.folder, unreadableFolder(unreadable)));
    if (search.failed) {
      const finding = missingFolder(search.failed, place.index);
      missing.push(place.index !== undefined && config.document ? toDiagnostic(config.document, finding) : placed(undefined, place.path, finding));
    }
  }
  for (const plugin of plugins) for (const { file } of plugin.specs ?? []) files.set(fileURLToPath(file), plugin.name);
  return { files: [...files].map(([file, owner]) => ({ file, owner })), missing };
}

/** A folder that was named and can't be searched: nothing is where something is asked for. */
function missingFolder({ folder, error }: UnreadableFolder, index: number | undefined): Finding {
  const code = codeOf(error);
  const isThere = code !== "ENOENT";
  return {
    code: configCodes.code("folder-missing"),
    severity: "error",
    message: `${isThere ? `The folder ${folder} can't be read` : `There is no folder ${folder}`}${inBrackets(code)}`,
    hint: code === "ENOTDIR" ? "Name the folder that the file is in." : isThere ? READABLE : index === undefined ? "Mend the path." : RELATIVE,
    rule: "C-TOOLS-2",
    path: ["tools", index ?? 0],
  };
}

/** A folder below one that is searched: what is in it is missing, and nothing else. */
function unreadableFolder({ folder, error }: UnreadableFolder): Finding {
  return {
    code: specCodes.code("unreadable"),
    severity: "error",
    message: `The folder ${folder} can't be read${inBrackets(codeOf(error))}: specs in it are not served`,
    hint: READABLE,
    rule: "T-FILE-1",
  };
}

const READABLE = "See that this user may read it.";
const RELATIVE = "A path in tools is relative to the config.";

/** Only `spec/*` errors keep a tool from being served. */
function withoutRefused(candidates: readonly Candidate[], diagnostics: readonly Diagnostic[]): readonly Candidate[] {
  const refused = new Set(diagnostics.filter(({ code, severity }) => severity === "error" && code.startsWith("spec/")).map(({ file }) => file));
  return candidates.filter(({ document }) => !refused.has(document.file));
}

function withoutDuplicates(candidates: readonly Candidate[], diagnostics: Diagnostic[]): readonly Candidate[] {
  const first = new Map<string, Candidate>();
  for (const candidate of candidates) {
    const { name, version } = candidate.tool;
    // Build metadata doesn't make another version (semver 2.0.0, rule 10).
    const key = `${name}@${version.split("+")[0]}`;
    const other = first.get(key);
    if (!other) {
      first.set(key, candidate);
      continue;
    }
    diagnostics.push(
      toDiagnostic(candidate.document, {
        code: specCodes.code("duplicate-tool"),
        severity: "error",
        path: ["name"],
        message: `${relative(dirname(candidate.document.file), other.document.file)} is already ${name} ${other.tool.version}; this file is not served`,
        hint: "Change the name or the version, or delete one of the files.",
        rule: "T-NAME-2",
      }),
    );
  }
  return [...first.values()];
}

function toolOf(file: string, spec: ToolSpec): Tool {
  return Object.freeze({ name: spec.name, version: spec.version, spec, section: undefined, modules: NO_MODULES, file });
}

function sorted(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return [...diagnostics].sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line || a.column - b.column));
}
