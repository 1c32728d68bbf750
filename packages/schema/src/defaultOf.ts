import type { JsonSchema } from "@fettle/contract";
import { own } from "./jsonType.js";
import type { SchemaIndex } from "./schemaIndex.js";

/** The `default` of a schema, or of the one that it refers to. */
export function defaultOf(index: SchemaIndex, schema: JsonSchema): unknown {
  let at = schema;
  for (let i = 0; i < 8 && typeof at === "object"; i += 1) {
    const fallback = own(at, "default");
    if (fallback !== undefined) return fallback;
    const ref = own(at, "$ref");
    const target = typeof ref === "string" ? index.resolve(at, ref) : undefined;
    if (target === undefined) return undefined;
    at = target.schema;
  }
  return undefined;
}
