import type { JsonObject } from "./json.js";

/** Where diagnostics of a running server go (stderr in `fettle serve`, never stdout). */
export interface Logger {
  debug(message: string, fields?: JsonObject): void;
  info(message: string, fields?: JsonObject): void;
  warn(message: string, fields?: JsonObject): void;
  error(message: string, fields?: JsonObject): void;
}
