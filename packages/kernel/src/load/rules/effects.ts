import type { Finding, ToolSpec } from "@fettle/contract";
import { specCodes } from "../specCodes.js";

/** T-EFFECT-2: what only reads destroys nothing. */
export function* effects(spec: ToolSpec): Iterable<Finding> {
  if (!spec.effects?.read_only || !spec.effects.destructive) return;
  yield {
    code: specCodes.code("effects-contradiction"),
    severity: "warning",
    message: "A tool that is read_only can't be destructive",
    hint: "Hosts skip the confirmation of a call for read_only tools: if this one deletes or overwrites anything, say read_only: false.",
    path: ["effects", "destructive"],
    rule: "T-EFFECT-2",
  };
}
