import type { JsonPath, JsonSchema } from "@fettle/contract";
import { compilePattern } from "./compilePattern.js";
import { own, type SchemaObject } from "./jsonType.js";
import { SchemaIndex } from "./schemaIndex.js";
import { dialectOf, type Subschema, subschemas } from "./subschemas.js";

/** What a schema says of a place in the values that it describes. */
export interface DeclaredPlace {
  /** Whether the schema says that something may be there. What it merely leaves open isn't declared. */
  readonly declared: boolean;
  /** How many steps of the path are declared. */
  readonly depth: number;
  /** The members that are declared where the path ends or leaves what is declared. */
  readonly members: readonly string[];
  /** Whether items are declared there. */
  readonly hasItems: boolean;
}

/** Keywords whose schemas apply to the same value. What `not` holds is what must not be. */
const IN_PLACE = new Set(["allOf", "anyOf", "oneOf", "if", "then", "else", "dependentSchemas", "dependencies"]);
const OTHER_MEMBERS = new Set(["additionalProperties", "unevaluatedProperties"]);
const ITEMS = new Set(["items", "prefixItems", "additionalItems", "unevaluatedItems"]);

/**
 * Looks for a place in a schema, through references and in every branch.
 *
 * @param schema an admitted one
 * @param path where; a number stands for any item
 * @example
 * declaredPlace({ properties: { items: { type: "array", items: { properties: { iban: {} } } } } }, ["items", 0, "ibn"]);
 * // { declared: false, depth: 2, members: ["iban"], hasItems: false }
 */
export function declaredPlace(schema: JsonSchema, path: JsonPath): DeclaredPlace {
  const dialect = dialectOf(schema) ?? "2020-12";
  const index = new SchemaIndex(schema, dialect);
  let here = inPlace(index, [schema]);
  for (const [depth, step] of path.entries()) {
    const inside = here.flatMap((each) => (typeof step === "number" ? itemsOf(each, index) : membersOf(each, step, index)));
    if (inside.length === 0) return { declared: false, depth, ...insideOf(here, index) };
    here = inPlace(index, inside);
  }
  return { declared: true, depth: path.length, ...insideOf(here, index) };
}

/** Schemas with all that apply to the same value. */
function inPlace(index: SchemaIndex, schemas: readonly JsonSchema[]): readonly SchemaObject[] {
  const found = new Set<SchemaObject>();
  const add = (schema: JsonSchema): void => {
    if (typeof schema === "boolean" || found.has(schema)) return;
    found.add(schema);
    for (const keyword of ["$ref", "$dynamicRef"]) {
      const ref = own(schema, keyword);
      const target = typeof ref === "string" ? index.resolve(schema, ref) : undefined;
      if (target !== undefined) add(target.schema);
    }
    for (const inner of subschemas(schema, index.dialect)) if (IN_PLACE.has(keywordOf(inner))) add(inner.schema);
  };
  for (const schema of schemas) add(schema);
  return [...found];
}

function membersOf(schema: SchemaObject, key: string, { dialect }: SchemaIndex): readonly JsonSchema[] {
  const inner = subschemas(schema, dialect);
  const named = inner.filter(({ path: [keyword, name] }) => (keyword === "properties" ? name === key : keyword === "patternProperties" && matches(name, key)));
  if (named.length > 0) return named.map((each) => each.schema);
  return inner.filter((each) => OTHER_MEMBERS.has(keywordOf(each)) && typeof each.schema !== "boolean").map((each) => each.schema);
}

function matches(pattern: string | number | undefined, key: string): boolean {
  const compiled = compilePattern(String(pattern));
  return compiled.kind !== "refused" && compiled.matcher.test(key);
}

function itemsOf(schema: SchemaObject, { dialect }: SchemaIndex): readonly JsonSchema[] {
  const items = subschemas(schema, dialect)
    .filter((each) => ITEMS.has(keywordOf(each)) && each.schema !== false)
    .map((each) => each.schema);
  if (items.length > 0) return items;
  const type = own(schema, "type");
  return type === "array" || (Array.isArray(type) && type.includes("array")) ? [true] : [];
}

function insideOf(schemas: readonly SchemaObject[], index: SchemaIndex): Pick<DeclaredPlace, "members" | "hasItems"> {
  const members = schemas.flatMap((schema) =>
    subschemas(schema, index.dialect).flatMap(({ path: [keyword, name] }) => (keyword === "properties" ? [String(name)] : [])),
  );
  return { members: [...new Set(members)], hasItems: schemas.some((schema) => itemsOf(schema, index).length > 0) };
}

const keywordOf = ({ path }: Subschema): string => String(path[0]);
