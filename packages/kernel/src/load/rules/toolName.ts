import type { Finding, ToolSpec } from "@fettle/contract";
import { specCodes } from "../specCodes.js";

const INHERITED = new Set(Object.getOwnPropertyNames(Object.prototype));

/** T-NAME-3: a tool isn't called like a member that every JavaScript object inherits, since hosts keep tools in objects by name. */
export function* toolName({ name }: ToolSpec): Iterable<Finding> {
  if (!INHERITED.has(name)) return;
  yield {
    code: specCodes.code("reserved-name"),
    severity: "error",
    message: `${name} is what every JavaScript object has already, and hosts that keep tools by name break on it`,
    hint: "Choose another name, best a verb and a thing: list_orders.",
    path: ["name"],
    rule: "T-NAME-3",
  };
}
