import type { JsonSchema } from "@fettle/contract";
import { isSchema, own, type SchemaObject } from "../jsonType.js";
import type { SchemaIndex } from "../schemaIndex.js";
import { subschemas } from "../subschemas.js";

/** Keywords that may object to a member which a default adds, and then no default is filled in at all. */
const OBJECTORS = [
  "not",
  "if",
  "dependentRequired",
  "dependentSchemas",
  "dependencies",
  "maxProperties",
  "propertyNames",
  "patternProperties",
  "contains",
  "uniqueItems",
  "const",
  "enum",
  "unevaluatedProperties",
  // Not that it objects: defaults of what it describes are not filled in.
  "additionalItems",
];
const BRANCHES = ["allOf", "anyOf", "oneOf"];
const ABOUT_MEMBERS = ["properties", "required", "additionalProperties", "minProperties", "$dynamicRef", ...OBJECTORS, ...BRANCHES];

/**
 * The keyword that may keep defaults from being filled in: what is valid without them may not be with them, and then they are all left out.
 * Undefined where they are certain. Errs on the side of doubt.
 */
export function doubtfulDefaults(root: JsonSchema, index: SchemaIndex): string | undefined {
  for (const schema of reachable(root, index)) {
    const keyword = objector(schema, index);
    if (keyword !== undefined && hasDefaultBelow(schema, index)) return keyword;
  }
  return undefined;
}

function objector(schema: SchemaObject, index: SchemaIndex): string | undefined {
  const plain = OBJECTORS.find((keyword) => Object.hasOwn(schema, keyword) && own(schema, keyword) !== false);
  if (plain !== undefined) return plain;
  return BRANCHES.find((keyword) => {
    const branches = own(schema, keyword);
    return Array.isArray(branches) && branches.some((branch) => isSchema(branch) && isAboutMembers(branch, index));
  });
}

function isAboutMembers(branch: JsonSchema, index: SchemaIndex, depth: number = 0): boolean {
  if (typeof branch === "boolean") return false;
  if (ABOUT_MEMBERS.some((keyword) => Object.hasOwn(branch, keyword))) return true;
  const target = targetOf(branch, index);
  return target !== undefined && (depth > 8 || isAboutMembers(target, index, depth + 1));
}

/** A default of a member: one on the schema itself is for whoever holds it. */
function hasDefaultBelow(schema: SchemaObject, index: SchemaIndex): boolean {
  for (const inner of reachable(schema, index)) if (inner !== schema && Object.hasOwn(inner, "default")) return true;
  return false;
}

function* reachable(root: JsonSchema, index: SchemaIndex): Iterable<SchemaObject> {
  const seen = new Set<object>();
  const queue: JsonSchema[] = [root];
  for (let schema = queue.pop(); schema !== undefined; schema = queue.pop()) {
    if (typeof schema === "boolean" || seen.has(schema)) continue;
    seen.add(schema);
    yield schema;
    const target = targetOf(schema, index);
    if (target !== undefined) queue.push(target);
    for (const { path, schema: inner } of subschemas(schema, index.dialect)) if (path[0] !== "$defs" && path[0] !== "definitions") queue.push(inner);
  }
}

function targetOf(schema: SchemaObject, index: SchemaIndex): JsonSchema | undefined {
  const ref = own(schema, "$ref");
  const target = typeof ref === "string" ? index.resolve(schema, ref)?.schema : undefined;
  return isSchema(target) ? target : undefined;
}
