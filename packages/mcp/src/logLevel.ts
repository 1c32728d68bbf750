import type { JsonObject } from "@fettle/contract";
import type { LoggingLevel } from "@modelcontextprotocol/server";
import { ProtocolError } from "./protocolError.js";
import type { SendLog } from "./requestNotices.js";
import { META_KEY } from "./revisions.js";
import type { WireContext } from "./wireContext.js";
import { WIRE_CODE } from "./wireError.js";

const LEVELS: readonly LoggingLevel[] = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

function levelOf(value: unknown): LoggingLevel | undefined {
  return LEVELS.find((level) => level === value);
}

/** Which log lines a client gets. */
export class LogLevel {
  // Before 2026-07-28 a client that set no level may be sent what the server sees fit: not what is only for debugging.
  #threshold: LoggingLevel = "info";

  /**
   * Takes the params of a `logging/setLevel`.
   * @throws ProtocolError -32602 for a level that is none
   */
  set({ level }: JsonObject): void {
    const known = levelOf(level);
    if (known === undefined) throw new ProtocolError(WIRE_CODE.invalidParams, `params.level must be one of ${LEVELS.join(", ")}.`);
    this.#threshold = known;
  }

  /** Sends log lines of one request. From 2026-07-28 on only a request that names a level in its `_meta` is sent any. */
  sender(ctx: WireContext): SendLog {
    const envelope: Readonly<Record<string, unknown>> | undefined = ctx.mcpReq.envelope;
    const threshold = envelope === undefined ? this.#threshold : levelOf(envelope[META_KEY.logLevel]);
    return (level, message, fields) => {
      if (threshold === undefined || LEVELS.indexOf(level) < LEVELS.indexOf(threshold)) return;
      const data = fields === undefined ? message : { message, ...fields };
      ctx.mcpReq.notify({ method: "notifications/message", params: { level, data } }).catch(() => {});
    };
  }
}
