import type { Ask, JsonObject, Logger } from "@fettle/contract";

/** A log whose lines go to the server's log, with `fields` to find them by, and to the client where it takes log messages. */
export function clientLog(log: Logger, fields: JsonObject, onLog: Ask["onLog"]): Logger {
  return {
    debug: (message, more) => {
      log.debug(message, { ...fields, ...more });
      onLog?.("debug", message, more);
    },
    info: (message, more) => {
      log.info(message, { ...fields, ...more });
      onLog?.("info", message, more);
    },
    warn: (message, more) => {
      log.warn(message, { ...fields, ...more });
      onLog?.("warning", message, more);
    },
    error: (message, more) => {
      log.error(message, { ...fields, ...more });
      onLog?.("error", message, more);
    },
  };
}
