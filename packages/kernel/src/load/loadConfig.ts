import type { Diagnostic, Json, JsonObject, JsonPath } from "@fettle/contract";
import { createSchemaEngine, type SchemaEngine } from "@fettle/schema";
import type { FettleConfig } from "@fettle/spec-types";
import { v1 } from "@fettle/spec-types/schemas";
import type { LoadedConfig } from "../kernel.js";
import type { Platform } from "../platform.js";
import { checkShape } from "./checkShape.js";
import { expandEnv } from "./expandEnv.js";
import { CONFIG_FORMAT } from "./fileFormat.js";
import { LoadFailed } from "./loadFailed.js";
import { parseYaml } from "./parseYaml.js";
import { dirname, resolve } from "./paths.js";
import { readSpecFile } from "./readSpecFile.js";
import { toDiagnostic } from "./sourceDocument.js";
import { valueAt } from "./valueAt.js";

/**
 * Reads and checks a config file.
 *
 * @param file - absolute path of the config
 * @throws LoadFailed when the file can't be read or isn't a valid config; it carries every finding
 */
export async function loadConfig(options: { readonly file: string; readonly platform: Platform }): Promise<LoadedConfig> {
  const { platform } = options;
  const file = resolve(options.file);
  const { document, diagnostics, text } = await readSpecFile(platform.files, file, CONFIG_FORMAT);
  const sources = new Map(text === undefined ? [] : [[file, text]]);
  const found: Diagnostic[] = [...diagnostics];
  if (!document) throw new LoadFailed(found, sources);
  const version = valueAt(document.data, ["spec_version"]);
  if (version !== undefined && version !== 1) {
    found.push(
      toDiagnostic(document, {
        code: "config/unknown-version",
        severity: "error",
        path: ["spec_version"],
        message: `${JSON.stringify(version)} is no known spec_version`,
        hint: "Known: 1.",
        rule: "C-SPECVERSION-1",
      }),
    );
    throw new LoadFailed(found, sources);
  }
  const engine = createSchemaEngine({ problems: 200 });
  const { value, expanded, findings } = expandEnv(document.data, platform.env);
  found.push(...findings.map((finding) => toDiagnostic(document, finding)));
  const config = numbersFromEnv(engine, value, expanded);
  // What else is wrong with a text whose variable isn't set says nothing about what will stand there.
  const unset = new Set(findings.map(({ path }) => JSON.stringify(path)));
  const misshapen = checkShape(engine, v1.config as JsonObject, document, { value: config, namespace: "config", keyRule: "C-KEY-1" });
  found.push(...misshapen.filter(({ path }) => !unset.has(JSON.stringify(path))).map((finding) => toDiagnostic(document, finding)));
  if (found.some(({ severity }) => severity === "error")) throw new LoadFailed(found, sources);
  return { config: config as FettleConfig, file, folder: dirname(file), document };
}

/**
 * A config made in code, for embedding and tests. It is checked as a file is; variables of the environment aren't expanded.
 *
 * @throws LoadFailed when it isn't valid; the places of its findings are those in the config as JSON
 */
export function configFromCode(config: FettleConfig, folder: string): LoadedConfig {
  const file = "(config in code)";
  const text = JSON.stringify(config, null, 2);
  const { document } = parseYaml(file, text, { format: CONFIG_FORMAT });
  const findings = document
    ? checkShape(createSchemaEngine({ problems: 200 }), v1.config as JsonObject, document, { namespace: "config", keyRule: "C-KEY-1" })
    : [];
  if (document && findings.length > 0) {
    throw new LoadFailed(
      findings.map((finding) => toDiagnostic(document, finding)),
      new Map([[file, text]]),
    );
  }
  return { config, file: undefined, folder: resolve(folder) };
}

/** An expanded text stands for a number or a truth value where only such a value fits: `port: ${PORT:-3000}`. */
export function numbersFromEnv(engine: SchemaEngine, value: unknown, expanded: readonly JsonPath[], schema: JsonObject = v1.config as JsonObject): unknown {
  if (expanded.length === 0) return value;
  const checked = engine.compile(schema).check(value, { repair: false, defaults: false });
  if (checked.valid) return value;
  const wrong = new Set(checked.problems.filter(({ keyword }) => keyword === "type").map(({ path }) => JSON.stringify(path)));
  const walk = (node: unknown, path: JsonPath): unknown => {
    if (Array.isArray(node)) return node.map((item, i) => walk(item, [...path, i]));
    if (typeof node === "object" && node !== null) return Object.fromEntries(Object.entries(node).map(([key, member]) => [key, walk(member, [...path, key])]));
    if (typeof node !== "string" || !wrong.has(JSON.stringify(path)) || !expanded.some((at) => JSON.stringify(at) === JSON.stringify(path))) return node;
    return /^(true|false|-?\d+(\.\d+)?)$/.test(node) ? (JSON.parse(node) as Json) : node;
  };
  return walk(value, []);
}
