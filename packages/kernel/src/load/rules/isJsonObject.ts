import type { JsonObject } from "@fettle/contract";

/** Whether a part of a spec is an object. Specs come from YAML, so everything in them is JSON. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The strings of a list; empty for anything else. */
export function stringsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
