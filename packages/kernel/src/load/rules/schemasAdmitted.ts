import type { Finding, ToolSpec } from "@fettle/contract";
import type { SchemaEngine } from "@fettle/schema";
import { specCodes } from "../specCodes.js";
import { isJsonObject } from "./isJsonObject.js";

/** T-SCHEMA-2: `parameters` and `output` are schemas that can be enforced. What is enforced only in part is a warning with the engine's own code. */
export function* schemasAdmitted(spec: ToolSpec, engine: SchemaEngine): Iterable<Finding> {
  for (const field of ["parameters", "output"] as const) {
    const schema: unknown = spec[field];
    if (!isJsonObject(schema)) continue;
    for (const { severity, code, path, message, hint } of engine.admit(schema)) {
      yield {
        code: severity === "error" ? specCodes.code("bad-schema") : code,
        severity,
        message,
        ...(hint !== undefined && { hint }),
        path: [field, ...path],
        rule: "T-SCHEMA-2",
      };
    }
  }
}
