import type { Diagnostic, Finding, Plugin, Tool, ToolRef } from "@fettle/contract";
import type { LoadedConfig } from "../kernel.js";
import { toolFor } from "../loadedTool.js";
import { findingFault } from "./findingFault.js";
import { describe } from "./loadFunction.js";
import { pluginCodes } from "./pluginCodes.js";
import { placed, type SourceDocument } from "./sourceDocument.js";

/** What one plugin's checks find. A check that throws or gives nonsense is a finding of its own, keeps what it found before, and stops nobody. */
export function pluginFindings(
  plugin: Plugin<unknown>,
  tools: readonly Tool[],
  documents: ReadonlyMap<string, SourceDocument>,
  config: LoadedConfig,
): Diagnostic[] {
  const found: Diagnostic[] = [];
  const report = (file: string, finding: Finding): void => void found.push(placed(documents.get(file), file, finding));
  const blame = (code: Parameters<typeof pluginCodes.code>[0], file: string, did: string): void =>
    report(file, {
      code: pluginCodes.code(code),
      severity: "error",
      path: ["name"],
      message: `The plugin ${plugin.name} ${did}`,
      hint: pluginCodes.codes[code].hint,
    });
  const fileOf = (ref: ToolRef): string | undefined => tools.find(({ name, version }) => name === ref.name && version === ref.version)?.file;

  /** Runs one hook; each thing that it gives is looked at by itself. */
  const gather = (hook: "checkTool" | "checkCatalog", file: string, run: () => unknown, take: (finding: Finding) => void): void => {
    try {
      const given = run();
      if (given === undefined) return;
      if (!isIterable(given)) {
        blame("bad-finding", file, `gave ${given instanceof Promise ? "a promise" : "something that is no list of findings"} from ${hook}`);
        return;
      }
      for (const finding of given) {
        const fault = findingFault(finding);
        if (fault === undefined) take(finding as Finding);
        else blame("bad-finding", file, `gave something that is no finding from ${hook}: ${fault}`);
      }
    } catch (error) {
      blame("check-threw", file, `threw in ${hook}: ${describe(error)}`);
    }
  };
  for (const tool of tools)
    gather(
      "checkTool",
      tool.file,
      () => plugin.checkTool?.(toolFor(plugin, tool) as never),
      (finding) => report(tool.file, finding),
    );
  const home = config.file ?? config.folder;
  gather(
    "checkCatalog",
    home,
    () => plugin.checkCatalog?.(tools),
    (finding) => {
      const { tool, ...rest } = finding as Finding & { readonly tool?: ToolRef };
      const file = tool && fileOf(tool);
      if (file === undefined) blame("bad-finding", home, `gave a finding of no tool from checkCatalog: ${rest.code} ${rest.message}`);
      else report(file, rest);
    },
  );
  return found;
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.iterator in value;
}
