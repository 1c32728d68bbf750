import type { Caller, IdentifyRequest, JsonObject } from "@fettle/contract";
import type { Kernel } from "@fettle/kernel";
import { isJsonObject } from "./isJsonObject.js";

/** Who sends a request of MCP, by what its connection and its `_meta` say. */
export function callerOf(kernel: Pick<Kernel, "identify">, connection: Omit<IdentifyRequest, "meta">, params: JsonObject): Promise<Caller> {
  const meta = params["_meta"];
  return kernel.identify({ ...connection, meta: isJsonObject(meta) ? meta : {} });
}
