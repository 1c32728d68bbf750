import { isJsonObject } from "./isJsonObject.js";

/** A schema as authored. */
export type SchemaObject = Readonly<Record<string, unknown>>;

/** The keywords that hold schemas: as their value or its items, and as its members. */
const VALUE = new Set(
  ["additionalProperties", "propertyNames", "items", "contains", "not", "if", "then", "else", "unevaluatedItems", "unevaluatedProperties"].concat([
    "contentSchema",
    "additionalItems",
    "allOf",
    "anyOf",
    "oneOf",
    "prefixItems",
  ]),
);
const MEMBERS = new Set(["properties", "patternProperties", "dependentSchemas", "dependencies", "$defs", "definitions"]);
/** Beside a `$ref` these only describe, so they may be merged into what it refers to. */
const DESCRIBES = new Set(["title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly", "$comment"]);
/** Definitions that refer to others twice, many levels deep, grow without bound: past this the schema goes out as authored. */
const MOST_SCHEMAS = 5_000;

/**
 * A schema with its local references (`#/...`) written out, for hosts that break on `$ref` (fastmcp#2814). References that lead back to
 * themselves stay, and then `$defs` stays too. A schema with an `$id` inside, or one that would grow past all measure, comes back as it is.
 */
export function inlineRefs(root: SchemaObject): SchemaObject {
  const refs = new Set<string>();
  let inner = false;
  walk(root, (schema) => {
    if (typeof schema["$ref"] === "string") refs.add(schema["$ref"]);
    // An `$id` inside changes what "#" means below it.
    if ("$id" in schema && schema !== root) inner = true;
  });
  if (refs.size === 0 || inner) return root;

  const targets = new Map<string, SchemaObject>();
  for (const ref of refs) {
    const target = resolve(root, ref);
    if (target !== undefined && !leadsBack(root, ref)) targets.set(ref, target);
  }
  let left = MOST_SCHEMAS;
  let kept = false;
  const write = (schema: SchemaObject): SchemaObject => {
    left -= 1;
    if (left < 0) return schema;
    const { $ref, ...beside } = schema;
    if (typeof $ref !== "string") return mapSchemas(schema, write);
    const target = targets.get($ref);
    if (target === undefined) {
      kept = true;
      return mapSchemas(schema, write);
    }
    const written = write(target);
    if (Object.keys(beside).every((key) => DESCRIBES.has(key))) return { ...written, ...beside };
    const rest = mapSchemas(beside, write);
    return { ...rest, allOf: [written, ...(Array.isArray(rest["allOf"]) ? rest["allOf"] : [])] };
  };
  const { $defs, definitions, ...body } = root;
  const inlined = write(body);
  if (left < 0) return root;
  return kept ? { ...inlined, ...($defs !== undefined && { $defs }), ...(definitions !== undefined && { definitions }) } : inlined;
}

/** Whether following a reference comes to the same reference again. */
function leadsBack(root: SchemaObject, ref: string): boolean {
  const seen = new Set<string>();
  const open = [ref];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const target = resolve(root, next);
    if (target === undefined) continue;
    walk(target, (schema) => {
      const found = schema["$ref"];
      if (typeof found !== "string" || seen.has(found)) return;
      seen.add(found);
      open.push(found);
    });
  }
  return seen.has(ref);
}

function walk(schema: SchemaObject, visit: (schema: SchemaObject) => void): void {
  visit(schema);
  mapSchemas(schema, (inner) => {
    walk(inner, visit);
    return inner;
  });
}

/** A copy with every schema directly inside changed. */
function mapSchemas(schema: SchemaObject, change: (schema: SchemaObject) => SchemaObject): SchemaObject {
  const changed = (value: unknown): unknown => (isJsonObject(value) ? change(value) : value);
  const out: Record<string, unknown> = { ...schema };
  for (const [key, value] of Object.entries(schema)) {
    if (MEMBERS.has(key) && isJsonObject(value)) out[key] = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, changed(inner)]));
    else if (VALUE.has(key)) out[key] = Array.isArray(value) ? value.map((item) => changed(item)) : changed(value);
  }
  return out;
}

function resolve(root: SchemaObject, ref: string): SchemaObject | undefined {
  if (!ref.startsWith("#/")) return undefined;
  let at: unknown = root;
  for (const raw of ref.slice(2).split("/")) {
    const key = keyOf(raw);
    if (key === undefined) return undefined;
    if (Array.isArray(at) && /^\d+$/.test(key)) at = at[Number(key)];
    else if (isJsonObject(at) && Object.hasOwn(at, key)) at = at[key];
    else return undefined;
  }
  return isJsonObject(at) ? at : undefined;
}

/** A token of a JSON pointer in a URI fragment (RFC 6901, section 6). */
function keyOf(token: string): string | undefined {
  try {
    return decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return undefined;
  }
}
