import type { Diagnostic, Plugin, Tool } from "@fettle/contract";
import type { LoadedConfig } from "../kernel.js";
import { toolFor } from "../loadedTool.js";
import { describe } from "./loadHandler.js";
import { placed, type SourceDocument } from "./sourceDocument.js";

/** What one plugin's checks find. A check that throws is a finding of its own and stops nobody. */
export function pluginFindings(
  plugin: Plugin<unknown>,
  tools: readonly Tool[],
  documents: ReadonlyMap<string, SourceDocument>,
  config: LoadedConfig,
): Diagnostic[] {
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
