import type { HandlerContext } from "@fettle/contract";
import { isJsonObject } from "./isJsonObject.js";
import type { WireContext } from "./wireContext.js";

/** Sends the progress of one request, until it is over. */
export interface ProgressSender {
  /** Undefined where the client doesn't want to know. */
  readonly progress: HandlerContext["progress"] | undefined;
  over(): void;
}

/**
 * Sends progress to a client that gave a token for it.
 *
 * @param meta the `_meta` of the request
 * @param onBad told once when there was progress that MCP doesn't allow: not finite, or not higher than before
 */
export function progressSender(meta: unknown, ctx: WireContext, onBad: () => void): ProgressSender {
  const token = isJsonObject(meta) ? meta["progressToken"] : undefined;
  if (token === undefined) return { progress: undefined, over: () => {} };
  let open = true;
  let highest = Number.NEGATIVE_INFINITY;
  let told = false;
  return {
    progress(done, total, text) {
      if (!open) return;
      // Not a number would go out as null, and what doesn't rise the protocol forbids.
      if (!Number.isFinite(done) || done <= highest) {
        if (!told) onBad();
        told = true;
        return;
      }
      highest = done;
      const params = { progressToken: token, progress: done, ...(Number.isFinite(total) && { total }), ...(text !== undefined && { message: text }) };
      // A client that went away is told nothing more; the request itself hears of it by its signal.
      ctx.mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
    },
    over() {
      open = false;
    },
  };
}
