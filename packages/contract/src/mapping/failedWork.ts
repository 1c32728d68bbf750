import type { CodeTable } from "../codes.js";
import type { JsonObject } from "../json.js";
import { type ErrorOptions, ThrownToolError } from "../toolError.js";

/** What a handler says of the work that failed. What it says replaces what the table of codes says. */
export interface FailedWork extends Partial<Omit<ErrorOptions, "what">> {
  /** What was being done, as it ends the sentence "Couldn't ...": `read the settings`. Sent to the client: no paths or secrets of the server. Default: do what was asked. */
  readonly doing?: string;
}

/** The tool error for a key of a table: the table's message says why and its hint what to do, unless the handler knows better. */
export function failedWork<K extends string>(table: CodeTable<K>, key: K, work: FailedWork, details: JsonObject = {}): ThrownToolError {
  const { type = "internal_error", message, hint } = table.codes[key];
  const { doing, ...said } = work;
  return new ThrownToolError(type, table.code(key), {
    what: `Couldn't ${doing || "do what was asked"}.`,
    why: message,
    fix: hint,
    ...said,
    details: { ...details, ...said.details },
  });
}

/** What a handler does say: a member that is undefined would replace what is known by nothing. */
export function said(work: FailedWork): FailedWork {
  return Object.fromEntries(Object.entries(work).filter(([, member]) => member !== undefined));
}
