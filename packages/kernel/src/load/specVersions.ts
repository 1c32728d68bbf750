import type { Finding, JsonObject, ToolSpec } from "@fettle/contract";
import type { SchemaEngine } from "@fettle/schema";
import { v1 } from "@fettle/spec-types/schemas";
import { examplesFit } from "./rules/examplesFit.js";
import { toolRules } from "./rules/toolRules.js";

/** What the rules of a spec version may look at besides the spec. */
export interface RuleContext {
  /** Path of the spec file. */
  readonly file: string;
  readonly engine: SchemaEngine;
}

/** One version of the spec: its meta-schema, and the rules that JSON Schema can't say. */
export interface SpecVersion {
  readonly schema: JsonObject;
  /** Checked at every load: cheap. */
  rules(spec: ToolSpec, context: RuleContext): Iterable<Finding>;
  /** Checked by `fettle check` only: these compile schemas. */
  thoroughRules(spec: ToolSpec, context: RuleContext): Iterable<Finding>;
  /** Turns a checked spec of this version into the shape that the kernel works with; none for the newest version. */
  upgrade?(spec: ToolSpec): ToolSpec;
}

/** The spec versions that are read, by `spec_version`. A new one is added beside the others: see spec/CHANGES.md. */
export const SPEC_VERSIONS: ReadonlyMap<number, SpecVersion> = new Map([
  [
    1,
    {
      schema: v1.tool as JsonObject,
      rules: toolRules,
      thoroughRules: (spec: ToolSpec, context: RuleContext) => examplesFit(spec, context.engine),
    },
  ],
]);

/** The names of the sections of first-party plugins: always known, also while the plugin is off. */
export function firstPartySections(schema: JsonObject): readonly string[] {
  return Object.keys((schema["properties"] ?? {}) as JsonObject).filter((key) => isFirstPartySection(schema, key));
}

/** Whether a key of a spec is the section of a first-party plugin. */
export function isFirstPartySection(schema: JsonObject, key: string): boolean {
  const properties = (schema["properties"] ?? {}) as Record<string, JsonObject>;
  return properties[key]?.["$comment"] === "T-SECTION-1";
}
