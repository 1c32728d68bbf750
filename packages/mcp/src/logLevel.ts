import { LOG_LEVEL_META_KEY, type LoggingLevel, ProtocolError, ProtocolErrorCode, type Server } from "@modelcontextprotocol/server";
import { anyParams } from "./anyParams.js";
import type { SendLog } from "./requestNotices.js";
import type { WireContext } from "./wireContext.js";

const LEVELS: readonly LoggingLevel[] = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

function levelOf(value: unknown): LoggingLevel | undefined {
  return LEVELS.find((level) => level === value);
}

/** Which log lines a client gets. */
export class LogLevel {
  // Before 2026-07-28 a client that set no level may be sent what the server sees fit: not what is only for debugging.
  #threshold: LoggingLevel = "info";

  /** Serves `logging/setLevel` on a server, in place of the SDK's own handler, whose level nobody else can read. */
  constructor(server: Server) {
    server.setRequestHandler("logging/setLevel", { params: anyParams }, ({ level }) => {
      const known = levelOf(level);
      if (known === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `params.level must be one of ${LEVELS.join(", ")}.`);
      this.#threshold = known;
      return {};
    });
  }

  /** Sends log lines of one request. From 2026-07-28 on only a request that names a level in its `_meta` is sent any. */
  sender(ctx: WireContext): SendLog {
    const envelope: Readonly<Record<string, unknown>> | undefined = ctx.mcpReq.envelope;
    const threshold = envelope === undefined ? this.#threshold : levelOf(envelope[LOG_LEVEL_META_KEY]);
    return (level, message, fields) => {
      if (threshold === undefined || LEVELS.indexOf(level) < LEVELS.indexOf(threshold)) return;
      const data = fields === undefined ? message : { message, ...fields };
      ctx.mcpReq.notify({ method: "notifications/message", params: { level, data } }).catch(() => {});
    };
  }
}
