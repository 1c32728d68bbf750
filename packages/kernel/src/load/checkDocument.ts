import type { Diagnostic, Finding, JsonObject } from "@fettle/contract";
import { createSchemaEngine, type SchemaEngine } from "@fettle/schema";
import type { ScenarioFile } from "@fettle/spec-types";
import { v1 } from "@fettle/spec-types/schemas";
import type { Files } from "../platform.js";
import { checkShape } from "./checkShape.js";
import { readSpecFile } from "./readSpecFile.js";
import { scenarioRules } from "./rules/scenarioRules.js";
import { toDiagnostic } from "./sourceDocument.js";
import { specCodes } from "./specCodes.js";

/** The formats of the spec besides tools and configs, which have loaders of their own. */
export type DocumentFormat = "error" | "diagnostic" | "scenario";

interface Format {
  readonly schema: JsonObject;
  /** Id of the rule that unknown keys break. */
  readonly keyRule: string;
  /** Id of the rule about `spec_version`, for formats that carry one. */
  readonly versionRule?: string;
  rules?(data: unknown): Iterable<Finding>;
}

const FORMATS: Readonly<Record<DocumentFormat, Format>> = {
  error: { schema: v1.error as JsonObject, keyRule: "E-KEY-1" },
  diagnostic: { schema: v1.diagnostic as JsonObject, keyRule: "D-KEY-1" },
  // The rules are asked only for data that fits the meta-schema, which is what the type says.
  scenario: { schema: v1.scenario as JsonObject, keyRule: "S-KEY-1", versionRule: "S-SPECVERSION-1", rules: (data) => scenarioRules(data as ScenarioFile) },
};

/**
 * Reads one file of a format (YAML, so JSON too) and checks it like a spec: every finding has its place.
 *
 * @returns the data when nothing is wrong with it
 */
export async function checkDocument(options: {
  readonly format: DocumentFormat;
  readonly file: string;
  readonly files: Files;
  readonly engine?: SchemaEngine;
}): Promise<{ readonly diagnostics: readonly Diagnostic[]; readonly data: unknown; readonly text: string | undefined }> {
  const { schema, keyRule, versionRule, rules } = FORMATS[options.format];
  const { document, diagnostics: read, text } = await readSpecFile(options.files, options.file);
  if (!document) return { diagnostics: read, data: undefined, text };
  const version = versionRule === undefined ? undefined : (document.data as { spec_version?: unknown }).spec_version;
  const findings =
    version !== undefined && version !== 1
      ? [unknownVersion(version, versionRule)]
      : checkShape(options.engine ?? createSchemaEngine(), schema, document, { namespace: "spec", keyRule });
  if (findings.length === 0) findings.push(...(rules?.(document.data) ?? []));
  const diagnostics = [...read, ...findings.map((finding) => toDiagnostic(document, finding))];
  return { diagnostics, data: diagnostics.some(({ severity }) => severity === "error") ? undefined : document.data, text };
}

function unknownVersion(version: unknown, rule: string | undefined): Finding {
  return {
    code: specCodes.code("unknown-version"),
    severity: "error",
    message: `${JSON.stringify(version)} is no known spec_version`,
    hint: "Known: 1.",
    path: ["spec_version"],
    ...(rule !== undefined && { rule }),
  };
}
