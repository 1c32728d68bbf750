import type { Diagnostic, JsonObject, Plugin, ToolSpec } from "@fettle/contract";
import type { SchemaEngine } from "@fettle/schema";
import { deepFreeze } from "./catalog.js";
import { checkShape } from "./checkShape.js";
import { type SourceDocument, toDiagnostic } from "./sourceDocument.js";
import { specCodes } from "./specCodes.js";
import { isFirstPartySection, SPEC_VERSIONS, type SpecVersion } from "./specVersions.js";

export interface CheckSpecOptions {
  readonly engine: SchemaEngine;
  readonly plugins: readonly Plugin<unknown>[];
  readonly specVersions?: ReadonlyMap<number, SpecVersion>;
  /** Also hold examples against their schemas, which compiles them: for `fettle check`, not for the start of a server. */
  readonly thorough?: boolean;
}

/** Checks one document by its spec version. Undefined when its shape is wrong: the rules need a shape. */
export function checkSpec(document: SourceDocument, options: CheckSpecOptions, diagnostics: Diagnostic[]): ToolSpec | undefined {
  const { engine, plugins } = options;
  const versions = options.specVersions ?? SPEC_VERSIONS;
  const data = document.data as JsonObject;
  const version = versionOf(data, versions);
  if (!version) {
    const asked = data["spec_version"];
    const known = [...versions.keys()].sort((a, b) => a - b);
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
    else if (isFirstPartySection(version.schema, key))
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
  return upgraded(version, authored);
}

/** The spec of a document that was checked before, by the same code and for the same plugins. */
export function checkedBefore(data: JsonObject): ToolSpec | undefined {
  const version = versionOf(data, SPEC_VERSIONS);
  return version && upgraded(version, deepFreeze(data as unknown as ToolSpec));
}

function upgraded(version: SpecVersion, authored: ToolSpec): ToolSpec {
  return version.upgrade ? deepFreeze(version.upgrade(authored)) : authored;
}

/** The newest where the document doesn't say; undefined for one that isn't known. */
function versionOf(data: JsonObject, versions: ReadonlyMap<number, SpecVersion>): SpecVersion | undefined {
  const asked = data["spec_version"];
  return versions.get(asked === undefined ? Math.max(...versions.keys()) : (asked as number));
}

/** The meta-schema with the keys of other plugins' sections added. Their content is checked by the plugin's own schema. */
function withSections(schema: JsonObject, names: Iterable<string>): JsonObject {
  const properties = (schema["properties"] ?? {}) as JsonObject;
  const added = [...names].filter((name) => !(name in properties));
  return added.length === 0 ? schema : { ...schema, properties: { ...properties, ...Object.fromEntries(added.map((name) => [name, {}])) } };
}
