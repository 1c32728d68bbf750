import type { JSONRPCRequest } from "@modelcontextprotocol/server";
import { isJsonObject } from "./isJsonObject.js";
import { META_KEY } from "./revisions.js";

/** Whether a request is of 2026-07-28 or later: those name their revision, and their results say what kind they are. */
export function isStateless({ params }: JSONRPCRequest): boolean {
  const meta = params?.["_meta"];
  return isJsonObject(meta) && meta[META_KEY.protocolVersion] !== undefined;
}
