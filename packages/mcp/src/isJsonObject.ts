import type { JsonObject } from "@fettle/contract";

/** Whether a parsed JSON value is an object: the door through which params enter the typed world. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
