import type { JsonObject, Logger } from "@fettle/contract";
import { destination, type Level, type LevelWithSilent, pino, stdTimeFunctions } from "pino";
import type { Paint, Tone } from "./paint.js";
import type { Terminal } from "./terminal.js";
import { visible } from "./visible.js";

const LEVELS: readonly LevelWithSilent[] = ["trace", "debug", "info", "warn", "error", "fatal", "silent"];
const STDERR = 2;

type LogTerminal = Pick<Terminal, "err" | "errIsTty" | "errPaint" | "env">;

/** The log of the CLI: a logger, and what is told at every level. */
export interface CliLog extends Logger {
  /** Writes a line that a person or program waits for, such as the server's address, whatever the level. */
  announce(message: string, fields?: JsonObject): void;
}

/**
 * The log of the CLI. It goes to stderr and is written at once, so that nothing is lost when the process ends: JSON lines for programs, short lines when
 * stderr is a terminal.
 *
 * @param usual the level when FETTLE_LOG_LEVEL doesn't say one: trace, debug, info, warn, error, fatal or silent
 */
export function createLog(terminal: LogTerminal, usual: Level): CliLog {
  const wanted = terminal.env["FETTLE_LOG_LEVEL"];
  const level = LEVELS.find((known) => known === wanted?.toLowerCase());
  const log = pino(
    { level: level ?? usual, base: null, timestamp: stdTimeFunctions.isoTime, formatters: { level: (label) => ({ level: label }) } },
    terminal.errIsTty ? { write: (line: string) => terminal.err(shortLine(line, terminal.errPaint)) } : destination({ fd: STDERR, sync: true }),
  );
  if (wanted && !level) log.warn(`FETTLE_LOG_LEVEL is "${wanted}", which is no level. Use one of: ${LEVELS.join(", ")}`);
  const at =
    (write: "debug" | "info" | "warn" | "error") =>
    (message: string, fields: JsonObject = {}): void =>
      log[write](fields, message);
  const announcements = log.child({}, { level: "info" });
  return {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    announce: (message, fields = {}) => announcements.info(fields, message),
  };
}

const TONES: Readonly<Record<string, Tone>> = { warn: "warning", error: "error", fatal: "error" };

/** `10:41:07 warn  message  key=value`, from a JSON line of pino. */
export function shortLine(line: string, paint: Paint): string {
  const { level, time, msg, ...fields }: Record<string, unknown> = JSON.parse(line);
  const clock = String(time).slice(11, 19);
  const { error_stack: stack, ...rest } = fields;
  const pairs = Object.entries(rest).map(([key, value]) => `${key}=${typeof value === "string" && /^\S+$/.test(value) ? value : JSON.stringify(value)}`);
  const first = [
    paint("dim", clock),
    paint(TONES[String(level)] ?? "dim", String(level).padEnd(5)),
    visible(String(msg ?? "")),
    paint("dim", visible(pairs.join(" "))),
  ];
  const trace = typeof stack === "string" ? `\n${paint("dim", visible(stack))}` : "";
  return `${first.filter((part) => part !== "").join(" ")}${trace}\n`;
}
