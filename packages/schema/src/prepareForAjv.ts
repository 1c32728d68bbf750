import type { JsonSchema } from "@fettle/contract";
import { isObject, own, type SchemaObject, setOwn } from "./jsonType.js";
import { type Dialect, mapSubschemas, subschemas } from "./subschemas.js";

/** What Ajv honours though the dialect has no such keyword. */
const FOREIGN: Readonly<Record<Dialect, readonly string[]>> = {
  "2020-12": ["nullable", "discriminator", "dependencies", "additionalItems", "$async"],
  "draft-07": ["nullable", "discriminator", "prefixItems", "dependentRequired", "dependentSchemas", "unevaluatedItems", "unevaluatedProperties", "$async"],
};
/** What only names the schema: nothing refers to it, or the evaluator decides. */
const DROPPED = ["$schema", "$id", "$comment"];
/** What stays beside a `$ref` in draft-07: places that references lead into. Everything else there is ignored. */
const PLACES_ONLY = ["$ref", "$defs", "definitions"];

/**
 * A copy of a schema that Ajv enforces as its dialect says, or undefined where Ajv is known to get it wrong and the evaluator has to decide:
 * `unevaluated*` (it forgets what a lone `if` evaluated, and items), `$dynamicRef`, `$id`s and anchors inside, `__proto__` as a key, an empty `enum`.
 * Measured with the public JSON-Schema-Test-Suite.
 */
export function prepareForAjv(root: JsonSchema, dialect: Dialect): JsonSchema | undefined {
  if (typeof root === "boolean") return root;
  if (hasWhatAjvGetsWrong(root, dialect, true, new Set())) return undefined;
  return copySchema(root, dialect);
}

function hasWhatAjvGetsWrong(schema: SchemaObject, dialect: Dialect, isRoot: boolean, seen: Set<object>): boolean {
  if (seen.has(schema)) return false;
  seen.add(schema);
  const ref = own(schema, "$ref");
  if (typeof ref === "string" && ref !== "#" && !ref.startsWith("#/")) return true;
  if (!isRoot && Object.hasOwn(schema, "$id")) return true;
  if (
    dialect === "2020-12" &&
    ["unevaluatedProperties", "unevaluatedItems", "$dynamicRef", "$anchor", "$dynamicAnchor"].some((key) => Object.hasOwn(schema, key))
  )
    return true;
  const values = own(schema, "enum");
  if (Array.isArray(values) && values.length === 0) return true;
  const required = own(schema, "required");
  if (Array.isArray(required) && required.includes("__proto__")) return true;
  for (const key of ["properties", "patternProperties", "dependentRequired", "dependentSchemas", "dependencies"]) {
    const map = own(schema, key);
    if (isObject(map) && Object.hasOwn(map, "__proto__")) return true;
  }
  for (const inner of subschemas(schema, dialect)) {
    if (typeof inner.schema === "object" && hasWhatAjvGetsWrong(inner.schema, dialect, false, seen)) return true;
  }
  // A reference may make a schema of a place that no keyword does.
  return typeof ref === "string" && /^#\/(?!\$defs\/|definitions\/|properties\/)/.test(ref) && ref.includes("%");
}

function copySchema(schema: JsonSchema, dialect: Dialect): JsonSchema {
  if (typeof schema === "boolean") return schema;
  const hidden = dialect === "draft-07" && Object.hasOwn(schema, "$ref");
  const kept = {};
  for (const key of Object.keys(schema)) {
    if (DROPPED.includes(key) || FOREIGN[dialect].includes(key) || (hidden && !PLACES_ONLY.includes(key))) continue;
    setOwn(kept, key, own(schema, key));
  }
  return mapSubschemas(kept, dialect, (inner) => copySchema(inner, dialect));
}
