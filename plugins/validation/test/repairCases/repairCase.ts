import type { Json, JsonObject } from "@fettle/contract";

/** A call that is refused and has one right repair: whoever knows the tool and sees the arguments would send that. */
export type RepairCase = readonly [title: string, parameters: JsonObject, args: JsonObject, right: JsonObject];

type Properties = Readonly<Record<string, Json>>;

/** An object that takes no other members. */
export function closed(properties: Properties, more: JsonObject = {}): JsonObject {
  return { type: "object", additionalProperties: false, properties, ...more };
}

/** An object that takes others too. */
export function open(properties: Properties, more: JsonObject = {}): JsonObject {
  return { type: "object", properties, ...more };
}

export const text: JsonObject = { type: "string" };
export const whole: JsonObject = { type: "integer" };
export const number: JsonObject = { type: "number" };
export const flag: JsonObject = { type: "boolean" };
export const list = (items: Json, more: JsonObject = {}): JsonObject => ({ type: "array", items, ...more });
export const oneOf = (...values: readonly Json[]): JsonObject => ({ enum: values });
