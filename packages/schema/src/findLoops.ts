import type { JsonPath, JsonSchema } from "@fettle/contract";
import { own } from "./jsonType.js";
import type { SchemaIndex } from "./schemaIndex.js";
import { subschemas } from "./subschemas.js";
import type { SchemaFinding } from "./types.js";

const IN_PLACE = new Set(["allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas", "dependencies"]);

/** References that come back to where they began without going into a member or item: evaluating them would never end. */
export function findLoops(index: SchemaIndex, root: JsonSchema): readonly SchemaFinding[] {
  const findings: SchemaFinding[] = [];
  const done = new Set<object>();
  const open = new Set<object>();

  /** Follows what applies to the same value. */
  const follow = (schema: JsonSchema, path: JsonPath): void => {
    if (typeof schema === "boolean" || done.has(schema)) return;
    if (open.has(schema)) {
      findings.push({
        severity: "error",
        code: "schema/ref-loop",
        path,
        message: "$ref comes back to itself without going into a property or item, so it describes nothing",
        hint: "Give the schema a type and properties of its own, or remove the reference.",
      });
      return;
    }
    open.add(schema);
    for (const keyword of ["$ref", "$dynamicRef"]) {
      const ref = own(schema, keyword);
      const target = typeof ref === "string" ? index.resolve(schema, ref) : undefined;
      if (target !== undefined) follow(target.schema, [...path, keyword]);
    }
    for (const inner of subschemas(schema, index.dialect)) {
      if (IN_PLACE.has(String(inner.path[0]))) follow(inner.schema, [...path, ...inner.path]);
    }
    open.delete(schema);
    done.add(schema);
  };

  const seen = new Set<object>();
  const visit = (schema: JsonSchema, path: JsonPath): void => {
    if (typeof schema === "boolean" || seen.has(schema)) return;
    seen.add(schema);
    follow(schema, path);
    for (const inner of subschemas(schema, index.dialect)) visit(inner.schema, [...path, ...inner.path]);
  };
  visit(root, []);
  return findings;
}
