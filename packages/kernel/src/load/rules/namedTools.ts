import type { JsonPath, ToolSpec } from "@fettle/contract";
import { nearestWord } from "@fettle/schema";
import { catalogCodes } from "../catalogCodes.js";
import type { CatalogFinding, CatalogTool } from "./catalogTool.js";

/** T-REF-1: tools named in `related_tools`, `common_workflows` and `alternative_tools` are there. */
export function* namedTools(tools: readonly CatalogTool[], known: ReadonlySet<string>): Iterable<CatalogFinding> {
  for (const { file, spec } of tools) {
    for (const mention of mentionsOf(spec)) {
      if (known.has(mention.name)) continue;
      const near = nearestWord(mention.name, known);
      yield {
        file,
        code: catalogCodes.code("unknown-tool"),
        severity: "error",
        message: `There is no tool ${mention.name}`,
        hint: near ? `Did you mean ${near}?` : "Add the tool, or take the mention out: a model would look for it in vain.",
        path: mention.path,
        rule: "T-REF-1",
      };
    }
  }
}

function* mentionsOf(spec: ToolSpec): Iterable<{ readonly name: string; readonly path: JsonPath }> {
  for (const [index, name] of spec.related_tools.entries()) yield { name, path: ["related_tools", index] };
  for (const [index, workflow] of spec.common_workflows.entries()) {
    for (const step of new Set(workflow.split("->"))) yield { name: step.trim(), path: ["common_workflows", index] };
  }
  for (const [index, error] of spec.common_errors.entries()) {
    for (const [position, name] of (error.alternative_tools ?? []).entries()) yield { name, path: ["common_errors", index, "alternative_tools", position] };
  }
}
