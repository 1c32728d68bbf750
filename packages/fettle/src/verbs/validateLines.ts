import type { Terminal } from "../terminal.js";
import { UsageError } from "../usageError.js";
import { validate } from "./validate.js";

export interface ValidateLinesOptions {
  readonly ndjson?: boolean;
  readonly lint?: boolean;
  /** False for plain JSON Schema: no repairs, no defaults, `format` only annotates. */
  readonly coerce: boolean;
}

/** `fettle validate --ndjson`: answers each line of stdin by a line on stdout. What a line says doesn't change the exit code: its answer holds the verdict. */
export async function validateLines({ ndjson, lint, coerce }: ValidateLinesOptions, { input, out }: Terminal): Promise<number> {
  if (!ndjson) throw new UsageError("Say how lines are written: --ndjson is the only form so far.", "For example: fettle validate --ndjson < cases.ndjson");
  await validate(input, (line) => out(`${line}\n`), { lint: lint === true, coerce });
  return 0;
}
