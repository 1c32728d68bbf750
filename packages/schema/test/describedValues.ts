import type { Json, JsonObject } from "@fettle/contract";
import fc from "fast-check";

const KEYS = ["a", "b", "user_id", "userId", "x y", "größe", "0", "constructor", "a.b"];
const TAGS = ["card", "bank"];

/** Schemas of the kinds that tools have, every one of which has values that fit. */
export const schemas: fc.Arbitrary<JsonObject> = fc.letrec<{ schema: JsonObject; leaf: JsonObject; object: JsonObject }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    tie("leaf"),
    tie("object"),
    lists(tie("leaf"), tie("schema")),
    tagged(tie("schema")),
    maps(tie("schema")),
    wrapped(tie("schema")),
  ),
  object: objects(tie("schema")),
  leaf: leaves(),
})).object;

function leaves(): fc.Arbitrary<JsonObject> {
  const bounds = fc.tuple(fc.integer({ min: -50, max: 50 }), fc.nat({ max: 50 }));
  return fc.oneof(
    bounds.map(([minimum, more]) => ({ type: "integer", minimum, maximum: minimum + more })),
    bounds.map(([exclusiveMinimum, more]) => ({ type: "number", exclusiveMinimum, exclusiveMaximum: exclusiveMinimum + more + 1 })),
    fc.constantFrom<JsonObject>({ type: "number", multipleOf: 0.01 }, { type: "integer", multipleOf: 5 }),
    fc.tuple(fc.integer({ min: 1, max: 5 }), fc.nat({ max: 5 })).map(([minLength, more]) => ({ type: "string", minLength, maxLength: minLength + more })),
    fc.constantFrom<JsonObject>(
      { type: "string", pattern: "^[a-z]{2,9}$" },
      { type: "string", format: "date" },
      { type: "boolean" },
      { type: ["integer", "null"] },
      { const: "fixed" },
      { const: 7 },
    ),
    fc.uniqueArray(fc.constantFrom("low", "normal", "high", "x, y", 'q"'), { minLength: 1, maxLength: 4 }).map((values) => ({ enum: values })),
  );
}

function lists(leaf: fc.Arbitrary<JsonObject>, item: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject> {
  const unique: JsonObject = { type: "array", uniqueItems: true, items: { type: "integer" }, maxItems: 4 };
  return fc.oneof(
    fc.tuple(item, fc.nat({ max: 2 }), fc.nat({ max: 2 })).map(([items, minItems, more]) => ({ type: "array", items, minItems, maxItems: minItems + more })),
    fc.tuple(leaf, leaf).map((prefixItems) => ({ type: "array", prefixItems, items: false, minItems: 2 })),
    fc.constant(unique),
  );
}

function objects(member: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject> {
  return fc.uniqueArray(fc.constantFrom(...KEYS), { minLength: 1, maxLength: 4 }).chain((keys) =>
    fc
      .tuple(
        fc.tuple(...keys.map(() => member)),
        fc.subarray(keys),
        fc.boolean(),
        fc.subarray(keys, { minLength: Math.min(2, keys.length), maxLength: Math.min(2, keys.length) }),
      )
      .map(
        ([inner, required, isOpen, [first, second]]): JsonObject => ({
          type: "object",
          properties: Object.fromEntries(keys.map((key, i) => [key, inner[i]])),
          required,
          ...(!isOpen && { additionalProperties: false }),
          ...(first !== undefined && second !== undefined && { dependentRequired: { [first]: [second] } }),
        }),
      ),
  );
}

function maps(member: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject> {
  return member.map((additionalProperties) => ({
    type: "object",
    additionalProperties,
    propertyNames: { pattern: "^[a-z]+$" },
    minProperties: 1,
    maxProperties: 2,
  }));
}

/** Two forms that a tag tells apart. */
function tagged(member: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject> {
  return fc.tuple(member, member).map((inner) => ({
    oneOf: TAGS.map((tag, i) => ({
      type: "object",
      additionalProperties: false,
      required: ["kind", "of"],
      properties: { kind: { const: tag }, of: inner[i] ?? true },
    })),
  }));
}

function wrapped(inner: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject> {
  return inner.map((schema) => ({ allOf: [schema] }));
}

/** Values that fit a schema of {@link schemas}. */
export function valuesOf(schema: JsonObject): fc.Arbitrary<Json> {
  const { const: fixed, enum: values, oneOf, allOf, type } = schema;
  if (fixed !== undefined) return fc.constant(fixed);
  if (Array.isArray(values)) return fc.constantFrom(...values);
  if (Array.isArray(oneOf)) return fc.oneof(...oneOf.map(valuesOf));
  if (Array.isArray(allOf)) return valuesOf(allOf[0]);
  if (Array.isArray(type)) return fc.option(fc.integer());
  if (type === "boolean") return fc.boolean();
  if (type === "string") return textsOf(schema);
  if (type === "array") return listsOf(schema);
  if (type === "object") return objectsOf(schema);
  return numbersOf(schema);
}

function numbersOf({ type, minimum, maximum, exclusiveMinimum: above, multipleOf }: JsonObject): fc.Arbitrary<Json> {
  if (typeof multipleOf === "number") return fc.integer({ min: -1000, max: 1000 }).map((n) => (type === "integer" ? n * 5 : n / 100));
  if (typeof above === "number") return fc.constantFrom(above + 0.5, above + 0.25);
  return fc.integer({ min: Number(minimum ?? -9), max: Number(maximum ?? 9) });
}

function textsOf({ pattern, format, minLength, maxLength }: JsonObject): fc.Arbitrary<Json> {
  if (format !== undefined) return fc.constantFrom("2026-12-31", "1999-01-01");
  if (pattern !== undefined) return fc.constantFrom("ab", "zzzzzzzzz", "hello");
  return fc.string({ unit: "grapheme", minLength: Number(minLength), maxLength: Number(maxLength) }).map((text) => {
    // The schema counts code points, of which a grapheme may have several.
    return [...text].slice(0, Number(maxLength)).join("");
  });
}

function listsOf({ items, prefixItems, uniqueItems, minItems, maxItems }: JsonObject): fc.Arbitrary<Json> {
  if (Array.isArray(prefixItems)) return fc.tuple(...prefixItems.map(valuesOf));
  if (uniqueItems === true) return fc.uniqueArray(fc.integer(), { maxLength: Number(maxItems) });
  return fc.array(valuesOf(items as JsonObject), { minLength: Number(minItems), maxLength: Number(maxItems) });
}

function objectsOf(schema: JsonObject): fc.Arbitrary<Json> {
  const { additionalProperties, maxProperties } = schema;
  if (maxProperties !== undefined) {
    const member = valuesOf(additionalProperties as JsonObject);
    return fc.dictionary(fc.constantFrom("ab", "cd", "ef"), member, { minKeys: 1, maxKeys: Number(maxProperties), noNullPrototype: true });
  }
  const properties = schema["properties"] as Readonly<Record<string, JsonObject>>;
  const required = new Set(schema["required"] as readonly string[]);
  const needs = Object.entries((schema["dependentRequired"] ?? {}) as Readonly<Record<string, readonly string[]>>);
  return fc
    .tuple(
      ...Object.entries(properties).map(([key, inner]) => fc.tuple(fc.constant(key), valuesOf(inner), required.has(key) ? fc.constant(true) : fc.boolean())),
    )
    .map((members) => {
      const present = new Set(members.filter(([, , isThere]) => isThere).map(([key]) => key));
      for (const [key, others] of needs) if (present.has(key)) for (const other of others) present.add(other);
      return Object.fromEntries(members.filter(([key]) => present.has(key)).map(([key, value]) => [key, value]));
    });
}
