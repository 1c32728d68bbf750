import type { JsonObject } from "@fettle/contract";
import { isJsonObject } from "./isJsonObject.js";

/**
 * The HTTP headers that say what `_meta["dev.fettle/deprecation"]` says: Deprecation (RFC 9745) and Sunset (RFC 8594).
 *
 * @returns no headers where the tool isn't deprecated or its dates can't be read
 */
export function deprecationHeaders(meta: JsonObject): Readonly<Record<string, string>> {
  const deprecation = meta["dev.fettle/deprecation"];
  if (!isJsonObject(deprecation)) return {};
  const since = timeOf(deprecation["since"]);
  const sunset = timeOf(deprecation["sunset"]);
  return {
    ...(since !== undefined && { deprecation: `@${Math.floor(since / 1000)}` }),
    ...(sunset !== undefined && { sunset: new Date(sunset).toUTCString() }),
  };
}

function timeOf(value: unknown): number | undefined {
  if (typeof value !== "string") return undefined;
  const time = Date.parse(value);
  return Number.isNaN(time) ? undefined : time;
}
