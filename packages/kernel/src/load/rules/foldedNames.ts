import { catalogCodes } from "../catalogCodes.js";
import type { CatalogFinding, CatalogTool } from "./catalogTool.js";

/** T-NAME-4: names stay different when case and the characters - . _ / are folded away, as some hosts do. */
export function* foldedNames(tools: readonly CatalogTool[]): Iterable<CatalogFinding> {
  const first = new Map<string, string>();
  for (const { name, file } of tools) {
    const folded = name.toLowerCase().replace(/[-._/]/g, "");
    const other = first.get(folded);
    if (other === undefined) first.set(folded, name);
    if (other === undefined || other === name) continue;
    yield {
      file,
      code: catalogCodes.code("similar-names"),
      severity: "warning",
      message: `Some hosts can't tell ${name} from ${other}`,
      hint: "Rename one of them, so that they differ in letters or digits.",
      path: ["name"],
      rule: "T-NAME-4",
    };
  }
}
