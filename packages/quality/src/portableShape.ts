import type { JsonObject } from "@fettle/contract";
import { createSchemaEngine, type SchemaEngine } from "@fettle/schema";
import type { Add } from "./portabilityRules.js";
import { isSchemaObject, own, type SchemaPlace, visitSchemas } from "./visitSchemas.js";

const KEY = /^[a-zA-Z0-9_.-]{1,64}$/;
const PORTABLE_KEY = /^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/;

let shared: SchemaEngine | undefined;
/** Made when the first default is looked at. */
const engine = (): SchemaEngine => {
  shared ??= createSchemaEngine();
  return shared;
};

/** Rules about the root, the objects and the size of a schema. */
export function shapeFindings(root: JsonObject, add: Add): void {
  checkRoot(root, add);
  const places = visitSchemas(root);
  for (const place of places) {
    checkProperties(place, add);
    checkUnion(place, add);
    if (place.isProperty) checkTyped(place, add);
    const ref = own(place.schema, "$ref");
    if (typeof ref === "string") add("no-ref", [...place.path, "$ref"], `$ref ${ref.slice(0, 80)} is published`);
  }
  checkDefaults(places, add);
  checkSize(root, places, add);
}

function checkRoot(root: JsonObject, add: Add): void {
  if (own(root, "type") !== "object") add("root-object", [], "the root of the schema isn't type: object");
  else if (!isSchemaObject(own(root, "properties"))) add("root-object", [], "the root of the schema has no properties");
  for (const key of ["oneOf", "anyOf", "allOf"]) if (Object.hasOwn(root, key)) add("root-combinators", [key], `${key} stands at the root`);
  for (const key of ["not", "if", "then", "else", "enum", "const", "$ref"])
    if (Object.hasOwn(root, key)) add("root-combinators", [key], `${key} stands at the root`, "warning");
}

function checkProperties({ schema, path }: SchemaPlace, add: Add): void {
  const properties = own(schema, "properties");
  const declared = isSchemaObject(properties) ? properties : {};
  for (const key of Object.keys(declared)) {
    const shown = JSON.stringify(key.slice(0, 80));
    if (!KEY.test(key)) add("property-keys", [...path, "properties", key], `the key ${shown} isn't taken everywhere`);
    else if (!PORTABLE_KEY.test(key)) add("property-keys", [...path, "properties", key], `the key ${shown} isn't taken everywhere`, "warning");
  }
  const listed = own(schema, "required");
  const required = Array.isArray(listed) ? listed : [];
  for (const [i, name] of required.entries()) {
    if (typeof name !== "string") continue;
    const inner = own(declared, name);
    // Branches of a union often require what the object around them declares.
    if (inner === undefined && (own(schema, "type") === "object" || Object.hasOwn(schema, "properties"))) {
      add("required-declared", [...path, "required", i], `required names ${name.slice(0, 80)}, which properties doesn't declare`);
    }
    if (isSchemaObject(inner) && Object.hasOwn(inner, "default"))
      add("default-not-required", [...path, "properties", name], `${name} is required and has a default`);
  }
  const type = own(schema, "type");
  if (type === "array" || (Array.isArray(type) && type.includes("array"))) {
    if (Array.isArray(own(schema, "items"))) add("array-items", [...path, "items"], "items is a list");
    else if (!isSchemaObject(own(schema, "items"))) add("array-items", path, "an array doesn't say what its items are");
  }
}

function checkUnion({ schema, path, depth }: SchemaPlace, add: Add): void {
  if (depth > 0 && Object.hasOwn(schema, "oneOf")) add("union-nested", [...path, "oneOf"], "oneOf stands inside the schema");
}

function checkTyped({ schema, path }: SchemaPlace, add: Add): void {
  const says = ["type", "enum", "const", "anyOf", "oneOf", "allOf", "$ref"].some((key) => Object.hasOwn(schema, key));
  if (!says) add("typed", path, `${String(path.at(-1)).slice(0, 80)} has no type`);
}

function checkDefaults(places: readonly SchemaPlace[], add: Add): void {
  for (const { schema, path } of places) {
    const fallback = own(schema, "default");
    // A schema with references only means something inside its document.
    if (fallback === undefined || JSON.stringify(schema).includes('"$ref"')) continue;
    if (
      engine()
        .admit(schema)
        .some((finding) => finding.severity === "error")
    )
      continue;
    if (!engine().compile(schema).check(fallback, { repair: false, defaults: false }).valid)
      add("default-valid", [...path, "default"], "the default doesn't fit its own schema");
  }
}

function checkSize(root: JsonObject, places: readonly SchemaPlace[], add: Add): void {
  const deepest = places.reduce((most, { depth }) => Math.max(most, depth), 0);
  const bytes = new TextEncoder().encode(JSON.stringify(root)).length;
  if (bytes > 32 * 1024) add("schema-size", [], `the schema has ${Math.ceil(bytes / 1024)} KB`);
  else if (deepest > 10) add("schema-size", [], `the schema is ${deepest} levels deep`);
  else if (places.length > 200) add("schema-size", [], `the schema has ${places.length} schemas inside`);
}
