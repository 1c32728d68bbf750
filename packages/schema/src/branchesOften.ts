import type { JsonSchema } from "@fettle/contract";
import { isSchema, own } from "./jsonType.js";
import type { SchemaIndex } from "./schemaIndex.js";
import { subschemas } from "./subschemas.js";

/** More schemas than this for one value are more than anybody writes by hand, and Ajv takes seconds to compile some thousand. */
const HEAVIEST = 1_500;
const IN_PLACE = new Set(["allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas", "dependencies"]);

/**
 * Whether checking may take a time that explodes: `a` asks for `b` twice, `b` for `c` twice, and so on; or a recursive schema asks for itself
 * twice at one place. Such a schema is left to the evaluator, which counts its steps.
 */
export function branchesOften(index: SchemaIndex): boolean {
  return weigh(index, index.root, new Map()) > HEAVIEST || [...refTargets(index)].some((target) => recursTwice(index, target));
}

/** How many schemas are evaluated in all; a recursive reference counts as one. */
function weigh(index: SchemaIndex, schema: JsonSchema, known: Map<object, number>): number {
  if (typeof schema === "boolean") return 1;
  const before = known.get(schema);
  if (before !== undefined) return before;
  known.set(schema, 1);
  let weight = 1;
  for (const inner of subschemas(schema, index.dialect)) {
    if (inner.path[0] !== "$defs" && inner.path[0] !== "definitions") weight += weigh(index, inner.schema, known);
  }
  const target = targetOf(index, schema);
  if (target !== undefined) weight += weigh(index, target, known);
  weight = Math.min(weight, HEAVIEST + 1);
  known.set(schema, weight);
  return weight;
}

function targetOf(index: SchemaIndex, schema: JsonSchema): JsonSchema | undefined {
  const ref = typeof schema === "boolean" ? undefined : own(schema, "$ref");
  return typeof ref === "string" && typeof schema === "object" ? index.resolve(schema, ref)?.schema : undefined;
}

function refTargets(index: SchemaIndex): Set<JsonSchema> {
  const targets = new Set<JsonSchema>();
  const seen = new Set<JsonSchema>();
  const walk = (schema: JsonSchema): void => {
    if (typeof schema === "boolean" || seen.has(schema)) return;
    seen.add(schema);
    const target = targetOf(index, schema);
    if (target !== undefined) {
      targets.add(target);
      walk(target);
    }
    for (const inner of subschemas(schema, index.dialect)) walk(inner.schema);
  };
  walk(index.root);
  return targets;
}

/** Whether a schema, evaluated at one place, leads back to itself more than once by the same member or by the items. */
function recursTwice(index: SchemaIndex, start: JsonSchema): boolean {
  const ways = new Map<string, number>();
  const seen = new Map<JsonSchema, number>();
  let steps = 0;
  const walk = (schema: JsonSchema, step: string | undefined): void => {
    if (typeof schema === "boolean" || steps > HEAVIEST) return;
    steps += 1;
    const visits = (seen.get(schema) ?? 0) + 1;
    seen.set(schema, visits);
    if (step !== undefined && schema === start) {
      ways.set(step, (ways.get(step) ?? 0) + 1);
      return;
    }
    if (visits > 8) return;
    const target = targetOf(index, schema);
    if (target !== undefined) walk(target, step);
    for (const { path, schema: inner } of subschemas(schema, index.dialect)) {
      const [keyword, name] = path;
      if (keyword === "$defs" || keyword === "definitions") continue;
      const inPlace = IN_PLACE.has(String(keyword));
      // Deeper than one step it is enough to know by which step it began.
      if (isSchema(inner)) walk(inner, inPlace ? step : (step ?? (keyword === "properties" ? `.${String(name)}` : "*")));
    }
  };
  walk(start, undefined);
  return steps > HEAVIEST || [...ways.values()].some((count) => count > 1);
}
