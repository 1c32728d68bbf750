import type { JSONRPCRequest } from "@modelcontextprotocol/server";
import { plainName } from "./plainName.js";
import { WIRE_CODE, type WireError, wireError } from "./wireError.js";

/** The requests of one connection or session that wait for an answer, by id. */
export type OpenRequests = Map<string | number, JSONRPCRequest>;

/** Refuses a request whose id is taken by one that waits for its answer: the two answers couldn't be told apart. */
export function idClash(open: OpenRequests, { id }: JSONRPCRequest): WireError | undefined {
  if (!open.has(id)) return undefined;
  const shown = plainName(String(id)) === undefined ? "This id" : `The id ${JSON.stringify(id)}`;
  return wireError(id, WIRE_CODE.invalidRequest, `${shown} is taken by a request that waits for its answer. Send this one again under another id.`);
}
