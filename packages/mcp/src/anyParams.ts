import type { JsonObject } from "@fettle/contract";
import type { StandardSchemaV1 } from "@modelcontextprotocol/server";
import { isJsonObject } from "./isJsonObject.js";

/**
 * Lets params through whole. The SDK's own form of `setRequestHandler` strips members that it doesn't know,
 * `params.idempotencyKey` among them, and answers wrong params with a dump of its schema library.
 */
export const anyParams: StandardSchemaV1<unknown, JsonObject> = {
  "~standard": {
    version: 1,
    vendor: "fettle",
    validate: (value) => (isJsonObject(value) ? { value } : { issues: [{ message: "params must be an object" }] }),
  },
};
