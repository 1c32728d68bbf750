import type { JsonSchema } from "@fettle/contract";
import { isObject, isSchema, type Members, own, type SchemaObject } from "./jsonType.js";

/**
 * What a schema says, sorted for evaluation. Most schemas have three keywords or four, and looking for the other forty on every value
 * would take most of the time.
 */
export interface SchemaFacts {
  readonly reference: boolean;
  readonly types: readonly string[] | undefined;
  /** `const` or `enum`. */
  readonly values: boolean;
  readonly number: boolean;
  readonly text: boolean;
  /** `allOf`, `anyOf`, `oneOf`, `not` or `if`. */
  readonly inPlace: boolean;
  readonly unevaluated: boolean;
  readonly object: ObjectFacts;
  readonly array: ArrayFacts;
}

export interface ObjectFacts {
  /** Some keyword of objects is there, but for `unevaluatedProperties`. */
  readonly any: boolean;
  readonly declared: Members;
  readonly properties: readonly (readonly [key: string, schema: unknown])[];
  readonly required: ReadonlySet<string>;
  /** Required names that `properties` doesn't declare. */
  readonly requiredElsewhere: readonly string[];
  readonly additional: JsonSchema | undefined;
  readonly patterns: readonly (readonly [pattern: string, schema: JsonSchema])[];
  /** `minProperties`, `maxProperties` or `propertyNames`. */
  readonly counts: boolean;
  readonly dependencies: boolean;
}

export interface ArrayFacts {
  readonly any: boolean;
  readonly counts: boolean;
  readonly contains: boolean;
  readonly unique: boolean;
}

const known = new WeakMap<object, SchemaFacts>();

/** The facts of a schema; sorted out when first asked for. The schema must not change after. */
export function factsOf(schema: SchemaObject): SchemaFacts {
  let facts = known.get(schema);
  if (facts === undefined) {
    facts = sortOut(schema);
    known.set(schema, facts);
  }
  return facts;
}

function sortOut(schema: SchemaObject): SchemaFacts {
  const has = (...keywords: readonly string[]): boolean => keywords.some((keyword) => own(schema, keyword) !== undefined);
  const type = own(schema, "type");
  return {
    reference: has("$ref", "$dynamicRef"),
    types: type === undefined ? undefined : Array.isArray(type) ? type.map(String) : [String(type)],
    values: has("const", "enum"),
    number: has("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    text: has("minLength", "maxLength", "pattern", "format"),
    inPlace: has("allOf", "anyOf", "oneOf", "not", "if"),
    unevaluated: has("unevaluatedProperties", "unevaluatedItems"),
    object: objectFacts(schema, has),
    array: {
      any: has("items", "prefixItems", "contains", "minItems", "maxItems", "uniqueItems"),
      counts: has("minItems", "maxItems"),
      contains: has("contains"),
      unique: own(schema, "uniqueItems") === true,
    },
  };
}

function objectFacts(schema: SchemaObject, has: (...keywords: readonly string[]) => boolean): ObjectFacts {
  const properties = own(schema, "properties");
  const declared = isObject(properties) ? properties : {};
  const listed = own(schema, "required");
  const required = Array.isArray(listed) ? listed.filter((key) => typeof key === "string") : [];
  const additional = own(schema, "additionalProperties");
  const byPattern = own(schema, "patternProperties");
  const patterns: (readonly [string, JsonSchema])[] = [];
  for (const [pattern, inner] of Object.entries(isObject(byPattern) ? byPattern : {})) if (isSchema(inner)) patterns.push([pattern, inner]);
  const counts = has("minProperties", "maxProperties", "propertyNames");
  const dependencies = has("dependentRequired", "dependentSchemas", "dependencies");
  return {
    any: has("properties", "required", "additionalProperties", "patternProperties") || counts || dependencies,
    declared,
    properties: Object.entries(declared),
    required: new Set(required),
    requiredElsewhere: [...new Set(required)].filter((key) => !Object.hasOwn(declared, key)),
    additional: isSchema(additional) ? additional : undefined,
    patterns,
    counts,
    dependencies,
  };
}
