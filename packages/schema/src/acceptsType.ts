import type { JsonSchema } from "@fettle/contract";
import { isSchema, jsonTypeOf, own } from "./jsonType.js";
import type { SchemaIndex } from "./schemaIndex.js";

const DEEPEST = 12;

/**
 * Whether a schema lets values of a JSON type through, as far as its types and fixed values say. `integer` counts as `number`.
 */
export function acceptsType(index: SchemaIndex, schema: JsonSchema, type: string, depth: number = 0): boolean {
  if (typeof schema === "boolean") return schema;
  if (depth > DEEPEST) return true;
  const inner = (each: unknown): boolean => !isSchema(each) || acceptsType(index, each, type, depth + 1);
  const ref = own(schema, "$ref");
  if (typeof ref === "string") {
    const target = index.resolve(schema, ref);
    if (target !== undefined && !acceptsType(index, target.schema, type, depth + 1)) return false;
    if (index.dialect === "draft-07") return true;
  }
  const asked = own(schema, "type");
  if (asked !== undefined) {
    const types = Array.isArray(asked) ? asked : [asked];
    if (!types.some((each) => each === type || (each === "integer" && type === "number"))) return false;
  }
  if (Object.hasOwn(schema, "const") && jsonTypeOf(own(schema, "const")) !== type) return false;
  const values = own(schema, "enum");
  if (Array.isArray(values) && !values.some((each) => jsonTypeOf(each) === type)) return false;
  const all = own(schema, "allOf");
  if (Array.isArray(all) && !all.every(inner)) return false;
  for (const keyword of ["anyOf", "oneOf"]) {
    const branches = own(schema, keyword);
    if (Array.isArray(branches) && !branches.some(inner)) return false;
  }
  return true;
}
