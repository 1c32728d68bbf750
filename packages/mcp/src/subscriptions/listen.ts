import type { JSONRPCRequest } from "@modelcontextprotocol/server";
import { isJsonObject } from "../isJsonObject.js";
import { LONGEST_URI } from "../longestUri.js";
import type { ResourceWatches, TellUpdated } from "./resourceWatches.js";

/** Most characters that the URIs of one `subscriptions/listen` may have together: they are matched with templates one after the other. */
const MOST_CHARACTERS = 64 * LONGEST_URI;

/** A `subscriptions/listen` of revision 2026-07-28 whose resources are watched. */
export interface Listening {
  /**
   * The message for the SDK, without the resources that can't be watched: it acknowledges what it finds in it, and so the client learns
   * what it will be told of.
   */
  readonly message: JSONRPCRequest;
  /** Ends the subscriptions to resources. */
  end(): void;
}

/** Whether a request asks for a stream of changes. */
export function isListen({ method }: JSONRPCRequest): boolean {
  return method === "subscriptions/listen";
}

/** Begins to watch the resources that a `subscriptions/listen` names, up to {@link MOST_CHARACTERS}. One that isn't shaped as such is left to the SDK, which refuses it. */
export function listen(message: JSONRPCRequest, watches: ResourceWatches, tell: TellUpdated): Listening {
  const filter = message.params?.["notifications"];
  const uris = isJsonObject(filter) ? filter["resourceSubscriptions"] : undefined;
  if (!isJsonObject(filter) || !Array.isArray(uris) || !uris.every((uri) => typeof uri === "string")) return { message, end: () => {} };
  const holder = {};
  let characters = 0;
  const watched = [...new Set(uris)].filter((uri) => {
    characters += uri.length;
    if (characters > MOST_CHARACTERS) return false;
    try {
      watches.subscribe(holder, uri, tell);
      return true;
    } catch {
      return false;
    }
  });
  const notifications = { ...filter, resourceSubscriptions: watched };
  return { message: { ...message, params: { ...message.params, notifications } }, end: () => watches.release(holder) };
}
