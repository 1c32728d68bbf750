import type { Diagnostic, JsonObject, ToolSpec } from "@fettle/contract";
import { type CheckSpecOptions, checkedBefore, checkSpec } from "./checkSpec.js";
import { documentOf } from "./parseYaml.js";
import { parseText, type ReadText } from "./readSpecFile.js";
import type { SourceDocument } from "./sourceDocument.js";
import type { SpecCache } from "./specCache.js";

/** A spec file by itself, before it meets the others. */
export interface OpenedSpec {
  /** For code frames. */
  readonly text: string | undefined;
  /** Undefined when the text is no YAML. */
  readonly document: SourceDocument | undefined;
  /** Undefined when its shape is wrong. */
  readonly spec: ToolSpec | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** Parses and checks a spec, or takes what was made of the same text before. */
export function openSpec(file: string, { text, refused }: ReadText, options: CheckSpecOptions, cache: SpecCache | undefined): OpenedSpec {
  if (refused) return { ...refused, spec: undefined };
  const kept = cache?.find(file, text);
  if (kept) return { text, document: documentOf(file, text, kept.data), spec: checkedBefore(kept.data), diagnostics: kept.diagnostics };
  const { document, diagnostics: found } = parseText(file, text);
  const diagnostics = [...found];
  const spec = document && checkSpec(document, options, diagnostics);
  // What has no shape is read again each time: its author is at work on it.
  if (spec) cache?.keep(file, text, { data: document.data as JsonObject, diagnostics });
  return { text, document, spec, diagnostics };
}
