import type { Ask, JsonObject } from "@fettle/contract";
import type { ServerContext } from "@modelcontextprotocol/server";
import { isJsonObject } from "./isJsonObject.js";

/** The answers to an earlier round's questions that came with a request, and the state of that round. */
export function answersOf({ mcpReq }: ServerContext): Pick<Ask, "inputs" | "inputState"> {
  const { inputResponses } = mcpReq;
  const state: unknown = mcpReq.requestState();
  return {
    ...(inputResponses !== undefined && { inputs: objectsOf(inputResponses) }),
    ...(typeof state === "string" && { inputState: state }),
  };
}

/** The answers that are objects: all that the protocol knows are. */
function objectsOf(responses: Readonly<Record<string, unknown>>): Record<string, JsonObject> {
  const objects: Record<string, JsonObject> = {};
  for (const [key, response] of Object.entries(responses)) if (isJsonObject(response)) objects[key] = response;
  return objects;
}
