import type { Ask, HandlerContext } from "@fettle/contract";
import { isJsonObject } from "./isJsonObject.js";
import type { WireContext } from "./wireContext.js";

/** Sends a log line to the client, where it asked for such lines. */
export type SendLog = NonNullable<Ask["onLog"]>;

/** What a client is told of one request while it waits for the answer, and nothing once that is over. */
export interface RequestNotices {
  /** Undefined where the client doesn't want to know. */
  readonly progress: HandlerContext["progress"] | undefined;
  readonly log: SendLog;
  over(): void;
}

/**
 * Makes what tells a client of one request.
 *
 * @param meta the `_meta` of the request
 * @param onBadProgress told once when there was progress that MCP doesn't allow: not finite, or not higher than before
 */
export function requestNotices(meta: unknown, ctx: WireContext, sendLog: SendLog, onBadProgress: () => void): RequestNotices {
  const token = isJsonObject(meta) ? meta["progressToken"] : undefined;
  let open = true;
  let highest = Number.NEGATIVE_INFINITY;
  let told = false;
  const progress: HandlerContext["progress"] = (done, total, text) => {
    if (!open) return;
    // Not a number would go out as null, and what doesn't rise the protocol forbids.
    if (!Number.isFinite(done) || done <= highest) {
      if (!told) onBadProgress();
      told = true;
      return;
    }
    highest = done;
    const params = { progressToken: token, progress: done, ...(Number.isFinite(total) && { total }), ...(text !== undefined && { message: text }) };
    // A client that went away is told nothing more; the request itself hears of it by its signal.
    ctx.mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
  };
  return {
    progress: token === undefined ? undefined : progress,
    log: (level, message, fields) => {
      if (open) sendLog(level, message, fields);
    },
    over: () => {
      open = false;
    },
  };
}
