import type { JsonSchema } from "@fettle/contract";
import { isSchema, own } from "./jsonType.js";
import type { SchemaIndex } from "./schemaIndex.js";
import { ALL_TYPES, bitsOf, typeBits } from "./typeBits.js";

const DEEPEST = 12;

/** The JSON types, as bits, that a schema lets through as far as its types and fixed values say. With `integer` comes `number`. */
export function acceptedTypes(index: SchemaIndex, schema: JsonSchema, depth: number = 0): number {
  if (typeof schema === "boolean") return schema ? ALL_TYPES : 0;
  if (depth > DEEPEST) return ALL_TYPES;
  const inner = (each: unknown): number => (isSchema(each) ? acceptedTypes(index, each, depth + 1) : ALL_TYPES);
  let accepted = ALL_TYPES;
  const ref = own(schema, "$ref");
  if (typeof ref === "string") {
    const target = index.resolve(schema, ref);
    if (target !== undefined) accepted &= inner(target.schema);
    if (index.dialect === "draft-07") return accepted;
  }
  const type = own(schema, "type");
  if (type !== undefined) accepted &= withNumber(bitsOf((Array.isArray(type) ? type : [type]).map(String)));
  if (Object.hasOwn(schema, "const")) accepted &= bitsOfValue(own(schema, "const"));
  const values = own(schema, "enum");
  if (Array.isArray(values)) accepted &= any(values.map(bitsOfValue));
  const all = own(schema, "allOf");
  if (Array.isArray(all)) for (const each of all) accepted &= inner(each);
  for (const keyword of ["anyOf", "oneOf"]) {
    const branches = own(schema, keyword);
    if (Array.isArray(branches)) accepted &= any(branches.map(inner));
  }
  return accepted;
}

function any(bits: readonly number[]): number {
  return bits.reduce((all, each) => all | each, 0);
}

function withNumber(bits: number): number {
  return (bits & bitsOf(["integer"])) === 0 ? bits : bits | bitsOf(["number"]);
}

function bitsOfValue(value: unknown): number {
  return typeBits(value, false);
}
