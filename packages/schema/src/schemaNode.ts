import type { JsonSchema } from "@fettle/contract";
import { acceptedTypes } from "./acceptedTypes.js";
import { matcherOf, type TextMatcher } from "./compilePattern.js";
import { boundsText, countText, formatText, joinOr, namesText, valuesText, wantedText } from "./describeSchema.js";
import { type FormatCheck, formatChecks } from "./formats.js";
import { equalJson, isObject, isSchema, own, type SchemaObject } from "./jsonType.js";
import { foldKey } from "./misspelt.js";
import type { SchemaIndex } from "./schemaIndex.js";
import { cutText, showValue } from "./showValue.js";
import { ALL_TYPES, bitsOf } from "./typeBits.js";

/**
 * What a schema says, sorted for evaluation: made once, when a value is first evaluated against it. Most schemas have three keywords
 * or four, and looking for the other forty on every value, or wording again what never changes, would take most of the time.
 */
export interface SchemaNode {
  readonly schema: JsonSchema;
  /** `$ref` or `$dynamicRef`. */
  readonly reference: boolean;
  readonly types: TypeNode | undefined;
  readonly fixed: { readonly value: unknown } | undefined;
  readonly choices: Choices | undefined;
  readonly number: NumberNode | undefined;
  readonly text: TextNode | undefined;
  readonly object: ObjectNode | undefined;
  readonly array: ArrayNode | undefined;
  readonly inPlace: InPlaceNode | undefined;
  readonly unevaluated: boolean;
  /** The types that get through, as bits. */
  readonly accepts: () => number;
}

/** `type`. */
export interface TypeNode {
  readonly names: readonly string[];
  readonly bits: number;
  /** `integer or null`, and the values of an `enum` beside it. */
  readonly expected: string;
}

/** The values of an `enum`. */
export interface Choices {
  readonly values: readonly unknown[];
  readonly words: readonly string[];
  /** `must be one of ["a","b"]`. */
  readonly must: string;
  readonly has: (value: unknown) => boolean;
}

export interface NumberNode {
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  /** `exclusiveMinimum` and `exclusiveMaximum`. */
  readonly above: number | undefined;
  readonly below: number | undefined;
  /** `must be between 1 and 5`. */
  readonly must: string;
  readonly step: number | undefined;
}

export interface TextNode {
  /** In code points. */
  readonly min: number;
  readonly max: number;
  /** `must have between 1 and 40 characters`. */
  readonly must: string;
  readonly format: { readonly must: string; readonly check: FormatCheck } | undefined;
  readonly pattern: { readonly must: () => string; readonly matcher: () => TextMatcher } | undefined;
}

export interface MemberNode {
  readonly key: string;
  /** Undefined where `properties` holds something that is no schema. */
  readonly node: SchemaNode | undefined;
  readonly required: boolean;
  /** What is said where it is missing: `, integer between 1 and 9. The default is 5`. */
  readonly wanted: () => string;
}

export interface ObjectNode {
  readonly declared: ReadonlySet<string>;
  /** Names of the declared members in a row; empty without any. */
  readonly names: () => string;
  /** The declared names by what they are in any convention; see foldKey. */
  readonly spellings: () => ReadonlyMap<string, readonly string[]>;
  readonly members: readonly MemberNode[];
  /** Required names that `properties` doesn't declare. */
  readonly requiredElsewhere: readonly string[];
  readonly additional: SchemaNode | undefined;
  readonly patterns: readonly { readonly pattern: string; readonly matcher: () => TextMatcher; readonly node: SchemaNode }[];
  /** `minProperties`, `maxProperties` or `propertyNames`. */
  readonly counts: boolean;
  readonly dependencies: boolean;
}

export interface ArrayNode {
  /** `minItems` or `maxItems`. */
  readonly counts: boolean;
  readonly tuple: readonly (SchemaNode | undefined)[];
  readonly rest: SchemaNode | undefined;
  /** The keyword that `rest` is under. */
  readonly restKeyword: "items" | "additionalItems";
  readonly contains: SchemaNode | undefined;
  readonly unique: boolean;
}

const LONGEST_PATTERN = 120;
const MOST_EXAMPLES = 10;
const LONGEST_EXAMPLE = 60;

/** What applies to the same value. */
export interface InPlaceNode {
  readonly all: readonly SchemaNode[];
  readonly unions: readonly { readonly keyword: "anyOf" | "oneOf"; readonly branches: readonly SchemaNode[] }[];
  readonly not: SchemaNode | undefined;
  readonly condition: SchemaNode | undefined;
  readonly consequence: SchemaNode | undefined;
  readonly alternative: SchemaNode | undefined;
}

/** The nodes of the schemas of a document. A schema must not change after its node was made. */
export class SchemaNodes {
  readonly index: SchemaIndex;
  readonly #known = new Map<object, SchemaNode>();

  constructor(index: SchemaIndex) {
    this.index = index;
  }

  of(schema: JsonSchema): SchemaNode {
    if (typeof schema === "boolean") return schema ? ANYTHING : NOTHING;
    let node = this.#known.get(schema);
    if (node === undefined) {
      node = sortOut(this, schema);
      this.#known.set(schema, node);
    }
    return node;
  }
}

const blank = (schema: boolean): SchemaNode => ({
  schema,
  reference: false,
  types: undefined,
  fixed: undefined,
  choices: undefined,
  number: undefined,
  text: undefined,
  object: undefined,
  array: undefined,
  inPlace: undefined,
  unevaluated: false,
  accepts: () => (schema ? ALL_TYPES : 0),
});
const ANYTHING = blank(true);
const NOTHING = blank(false);

function sortOut(nodes: SchemaNodes, schema: SchemaObject): SchemaNode {
  const has = (...keywords: readonly string[]): boolean => keywords.some((keyword) => own(schema, keyword) !== undefined);
  const values = own(schema, "enum");
  return {
    schema,
    reference: has("$ref", "$dynamicRef"),
    types: typeNode(schema),
    fixed: Object.hasOwn(schema, "const") ? { value: own(schema, "const") } : undefined,
    choices: Array.isArray(values) ? choicesOf(values) : undefined,
    number: has("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf") ? numberNode(schema) : undefined,
    text: has("minLength", "maxLength", "pattern", "format") ? textNode(schema) : undefined,
    object: objectNode(nodes, schema, has),
    array: has("items", "prefixItems", "contains", "minItems", "maxItems", "uniqueItems") ? arrayNode(nodes, schema) : undefined,
    inPlace: has("allOf", "anyOf", "oneOf", "not", "if") ? inPlaceNode(nodes, schema) : undefined,
    unevaluated: has("unevaluatedProperties", "unevaluatedItems"),
    accepts: lazily(() => acceptedTypes(nodes.index, schema)),
  };
}

function childOf(nodes: SchemaNodes, schema: unknown): SchemaNode | undefined {
  return isSchema(schema) ? nodes.of(schema) : undefined;
}

function numberOf(schema: SchemaObject, keyword: string): number | undefined {
  const value = own(schema, keyword);
  return typeof value === "number" ? value : undefined;
}

function typeNode(schema: SchemaObject): TypeNode | undefined {
  const type = own(schema, "type");
  if (type === undefined) return undefined;
  const names = (Array.isArray(type) ? type : [type]).map(String);
  const values = own(schema, "enum");
  return { names, bits: bitsOf(names), expected: joinOr(names) + (Array.isArray(values) ? `, one of ${valuesText(values)}` : "") };
}

/** The values of an `enum`, and how they are worded. */
export function choicesOf(values: readonly unknown[]): Choices {
  const set = new Set(values);
  const atoms = values.every((each) => typeof each !== "object" || each === null);
  return {
    values,
    words: values.filter((each) => typeof each === "string"),
    must: values.length === 1 ? `must be ${showValue(values[0])}` : values.length === 0 ? "can't have any value" : `must be one of ${valuesText(values)}`,
    has: atoms ? (value) => set.has(value) : (value) => values.some((each) => equalJson(each, value)),
  };
}

function numberNode(schema: SchemaObject): NumberNode {
  return {
    minimum: numberOf(schema, "minimum"),
    maximum: numberOf(schema, "maximum"),
    above: numberOf(schema, "exclusiveMinimum"),
    below: numberOf(schema, "exclusiveMaximum"),
    must: `must be ${boundsText(schema)}`,
    step: numberOf(schema, "multipleOf"),
  };
}

function textNode(schema: SchemaObject): TextNode {
  const min = numberOf(schema, "minLength");
  const max = numberOf(schema, "maxLength");
  const format = own(schema, "format");
  const check = typeof format === "string" ? formatChecks().get(format) : undefined;
  const pattern = own(schema, "pattern");
  return {
    min: min ?? 0,
    max: max ?? Number.POSITIVE_INFINITY,
    must: `must have ${countText(min, max, "character", "characters")}`,
    format: typeof format === "string" && check !== undefined ? { must: `must match ${formatText(format)}`, check } : undefined,
    pattern:
      typeof pattern === "string"
        ? {
            must: lazily(() => patternText(schema, pattern)),
            matcher: lazily(() => matcherOf(pattern)),
          }
        : undefined,
  };
}

/** `must match pattern ^[A-Z]{2}-\\d+$ (e.g. "AB-12")`: with the first of the schema's examples that matches. */
function patternText(schema: SchemaObject, pattern: string): string {
  const listed = own(schema, "examples");
  const examples = [...(Array.isArray(listed) ? listed : []), own(schema, "default")];
  const example = examples.slice(0, MOST_EXAMPLES).find((each) => typeof each === "string" && each.length <= LONGEST_EXAMPLE && matcherOf(pattern).test(each));
  return `must match pattern ${cutText(pattern, LONGEST_PATTERN)}${example === undefined ? "" : ` (e.g. ${JSON.stringify(example)})`}`;
}

/** For what takes long and isn't always asked for. */
function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function objectNode(nodes: SchemaNodes, schema: SchemaObject, has: (...keywords: readonly string[]) => boolean): ObjectNode | undefined {
  const counts = has("minProperties", "maxProperties", "propertyNames");
  const dependencies = has("dependentRequired", "dependentSchemas", "dependencies");
  if (!counts && !dependencies && !has("properties", "required", "additionalProperties", "patternProperties")) return undefined;
  const properties = own(schema, "properties");
  const members = Object.entries(isObject(properties) ? properties : {});
  const declared = new Set(members.map(([key]) => key));
  const listed = own(schema, "required");
  const required = new Set(Array.isArray(listed) ? listed.filter((key) => typeof key === "string") : []);
  const byPattern = own(schema, "patternProperties");
  return {
    declared,
    names: lazily(() => namesText([...declared])),
    spellings: lazily(() => spellingsOf(declared)),
    members: members.map(([key, inner]) => ({
      key,
      node: childOf(nodes, inner),
      required: required.has(key),
      wanted: lazily(() => (isSchema(inner) ? wantedText(nodes.index, inner) : "")),
    })),
    requiredElsewhere: [...required].filter((key) => !declared.has(key)),
    additional: childOf(nodes, own(schema, "additionalProperties")),
    patterns: Object.entries(isObject(byPattern) ? byPattern : {}).flatMap(([pattern, inner]) =>
      isSchema(inner) ? [{ pattern, matcher: lazily(() => matcherOf(pattern)), node: nodes.of(inner) }] : [],
    ),
    counts,
    dependencies,
  };
}

function spellingsOf(names: Iterable<string>): ReadonlyMap<string, readonly string[]> {
  const spellings = new Map<string, string[]>();
  for (const name of names) {
    const same = spellings.get(foldKey(name));
    if (same === undefined) spellings.set(foldKey(name), [name]);
    else same.push(name);
  }
  return spellings;
}

function arrayNode(nodes: SchemaNodes, schema: SchemaObject): ArrayNode {
  const draft07 = nodes.index.dialect === "draft-07";
  const items = own(schema, "items");
  const tuple = draft07 ? items : own(schema, "prefixItems");
  const restKeyword = draft07 && Array.isArray(items) ? "additionalItems" : "items";
  return {
    counts: numberOf(schema, "minItems") !== undefined || numberOf(schema, "maxItems") !== undefined,
    tuple: Array.isArray(tuple) ? tuple.map((each) => childOf(nodes, each)) : [],
    rest: childOf(nodes, own(schema, restKeyword)),
    restKeyword,
    contains: childOf(nodes, own(schema, "contains")),
    unique: own(schema, "uniqueItems") === true,
  };
}

function inPlaceNode(nodes: SchemaNodes, schema: SchemaObject): InPlaceNode {
  const all = own(schema, "allOf");
  return {
    all: Array.isArray(all) ? all.filter(isSchema).map((each) => nodes.of(each)) : [],
    unions: (["anyOf", "oneOf"] as const).flatMap((keyword) => {
      const branches = own(schema, keyword);
      return Array.isArray(branches) ? [{ keyword, branches: branches.filter(isSchema).map((each) => nodes.of(each)) }] : [];
    }),
    not: childOf(nodes, own(schema, "not")),
    condition: childOf(nodes, own(schema, "if")),
    consequence: childOf(nodes, own(schema, "then")),
    alternative: childOf(nodes, own(schema, "else")),
  };
}

/** Whether a value that fits was also looked at, all of it, by a schema that applies in place. */
export function isSeenElsewhere({ reference, inPlace }: SchemaNode): boolean {
  return reference || (inPlace !== undefined && (inPlace.all.length > 0 || inPlace.unions.length > 0));
}
