import type { Json, JsonObject, JsonPath } from "@fettle/contract";

/** A value that fitted, with one keyword of its schema broken. */
export interface Fault {
  readonly keyword: string;
  /** What a message has to name. */
  readonly path: JsonPath;
  readonly value: Json;
}

/** Every way in which one keyword of a schema can be broken in a value that fits it. The schemas are those of describedValues. */
export function faultsOf(schema: JsonObject, value: Json): readonly Fault[] {
  const { const: fixed, enum: values, oneOf, allOf, type } = schema;
  const here = (keyword: string, broken: Json): Fault => ({ keyword, path: [], value: broken });
  if (fixed !== undefined) return [here("const", "no such value")];
  if (Array.isArray(values)) return [here("enum", "no such value")];
  if (Array.isArray(allOf)) return faultsOf(allOf[0], value);
  if (Array.isArray(oneOf)) return taggedFaults(oneOf, value as JsonObject);
  const wrongType = here("type", type === "boolean" ? [] : false);
  if (typeof value === "number") return [wrongType, ...numberFaults(schema, value)];
  if (typeof value === "string") return [wrongType, ...textFaults(schema)];
  if (Array.isArray(value)) return [wrongType, ...listFaults(schema, value)];
  return typeof value === "object" && value !== null ? [wrongType, ...objectFaults(schema, value as JsonObject)] : [wrongType];
}

/** Faults of a part, as faults of the whole. */
function inside(key: string | number, faults: readonly Fault[], rebuild: (part: Json) => Json): readonly Fault[] {
  return faults.map(({ keyword, path, value }) => ({ keyword, path: [key, ...path], value: rebuild(value) }));
}

function taggedFaults(forms: readonly JsonObject[], value: JsonObject): readonly Fault[] {
  const form = forms.find(({ properties }) => ((properties as JsonObject)["kind"] as JsonObject)["const"] === value["kind"]);
  const unknownTag: Fault = { keyword: "enum", path: ["kind"], value: { ...value, kind: "no such kind" } };
  const isTag = ({ path, keyword }: Fault): boolean => path[0] === "kind" && keyword === "const";
  return form === undefined ? [] : [unknownTag, ...objectFaults(form, value).filter((fault) => !isTag(fault))];
}

function* numberFaultsOf(
  { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below, multipleOf }: JsonObject,
  value: number,
): Iterable<[string, Json]> {
  if (typeof minimum === "number") yield ["minimum", minimum - 1];
  if (typeof maximum === "number") yield ["maximum", maximum + 1];
  if (typeof above === "number") yield ["exclusiveMinimum", above];
  if (typeof below === "number") yield ["exclusiveMaximum", below];
  if (typeof multipleOf === "number") yield ["multipleOf", multipleOf === 5 ? value + 1 : value + 0.005];
}

function numberFaults(schema: JsonObject, value: number): readonly Fault[] {
  return [...numberFaultsOf(schema, value)].map(([keyword, broken]) => ({ keyword, path: [], value: broken }));
}

function* textFaultsOf({ minLength, maxLength, pattern, format }: JsonObject): Iterable<[string, Json]> {
  if (typeof minLength === "number") yield ["minLength", "x".repeat(minLength - 1)];
  if (typeof maxLength === "number") yield ["maxLength", "ä".repeat(maxLength + 1)];
  if (pattern !== undefined) yield ["pattern", "Not 1"];
  if (format !== undefined) yield ["format", "tomorrow"];
}

function textFaults(schema: JsonObject): readonly Fault[] {
  return [...textFaultsOf(schema)].map(([keyword, broken]) => ({ keyword, path: [], value: broken }));
}

function listFaults({ items, prefixItems, minItems, maxItems, uniqueItems }: JsonObject, value: readonly Json[]): readonly Fault[] {
  const faults: Fault[] = [];
  const add = (keyword: string, broken: Json): unknown => faults.push({ keyword, path: [], value: broken });
  if (typeof minItems === "number" && minItems > 0) add("minItems", value.slice(0, minItems - 1));
  if (typeof maxItems === "number")
    add(
      "maxItems",
      Array.from({ length: maxItems + 1 }, (_, i) => (uniqueItems === true ? i : (value[0] ?? null))),
    );
  const [first] = value;
  if (uniqueItems === true && first !== undefined && value.length < Number(maxItems)) add("uniqueItems", [...value, first]);
  if (Array.isArray(prefixItems)) add("items", [...value, 1]);
  for (const [i, item] of value.entries()) {
    const inner = Array.isArray(prefixItems) ? prefixItems[i] : items;
    faults.push(...inside(i, faultsOf(inner as JsonObject, item), (part) => value.map((each, j) => (i === j ? part : each))));
  }
  return faults;
}

function objectFaults(schema: JsonObject, value: JsonObject): readonly Fault[] {
  const faults: Fault[] = [];
  const keys = Object.keys(value);
  const properties = (schema["properties"] ?? {}) as Readonly<Record<string, JsonObject>>;
  for (const key of (schema["required"] ?? []) as readonly string[]) faults.push({ keyword: "required", path: [key], value: without(value, key) });
  for (const [key, others] of Object.entries((schema["dependentRequired"] ?? {}) as Readonly<Record<string, readonly string[]>>)) {
    if (keys.includes(key)) for (const other of others) faults.push({ keyword: "dependentRequired", path: [other], value: without(value, other) });
  }
  if (schema["additionalProperties"] === false) faults.push({ keyword: "additionalProperties", path: ["no such key"], value: { ...value, "no such key": 1 } });
  if (schema["maxProperties"] !== undefined) faults.push(...mapFaults(schema, value));
  for (const key of keys) {
    const inner = Object.hasOwn(properties, key) ? properties[key] : (schema["additionalProperties"] as JsonObject);
    const part = value[key];
    if (inner === undefined || part === undefined) continue;
    faults.push(...inside(key, faultsOf(inner, part), (broken) => ({ ...value, [key]: broken })));
  }
  return faults;
}

function mapFaults({ maxProperties }: JsonObject, value: JsonObject): readonly Fault[] {
  const [first] = Object.keys(value);
  const part = value[first ?? ""] ?? null;
  return [
    { keyword: "minProperties", path: [], value: {} },
    { keyword: "maxProperties", path: [], value: Object.fromEntries(Array.from({ length: Number(maxProperties) + 1 }, (_, i) => ["key".repeat(i + 1), part])) },
    { keyword: "propertyNames", path: ["Not 1"], value: { "Not 1": part } },
  ];
}

function without(value: JsonObject, key: string): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([each]) => each !== key));
}
