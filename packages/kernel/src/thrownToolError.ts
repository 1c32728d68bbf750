import { ERROR_TYPES, isThrownToolError, type RetryFacts, type ThrownToolError, type ToolError } from "@fettle/contract";

/** A code is one word, and not a long one: it stands in logs, counts and answers. */
const CODE = /^\S{1,100}$/;

/** What is said of options that aren't there, too. */
const AS_IN = 'as in inputError("git/bad-date", { what: "since is after until." })';

/** Whether a value came from `inputError(...)` or a sibling; also for what may be a proxy whose traps throw. */
export function isToolErrorThrown(value: unknown): value is ThrownToolError {
  try {
    return isThrownToolError(value);
  } catch {
    return false;
  }
}

/** The wire shape of a tool error that was thrown, or what is wrong with it: handlers in JavaScript may hand anything to `inputError(...)` and its siblings. */
export function toolErrorOf(error: ThrownToolError, facts?: RetryFacts): { readonly toolError: ToolError } | { readonly problem: string } {
  try {
    const toolError = error.toToolError(facts);
    const problem = unsoundToolError(toolError);
    return problem === undefined ? { toolError } : { problem };
  } catch (fault) {
    return { problem: fault instanceof TypeError ? fault.message : "it can't be read" };
  }
}

/** What is wrong with what should be an error as the wire has it, by the names that authors know; undefined for a sound one. Its details are looked at elsewhere. */
export function unsoundToolError(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return "it is no object";
  // Read one by one: this is on the way of every refused call, and to take an object apart makes another.
  const error = value as { readonly [K in keyof ToolError]?: unknown };
  const code = error.error_code;
  if (!isType(error.error_type)) return "its type is none of the seven";
  if (typeof code !== "string" || !CODE.test(code)) return `its code must be a text of 1 to 100 characters without blanks, ${AS_IN}`;
  if (typeof error.what_went_wrong !== "string" || error.what_went_wrong.trim() === "") return `what must be a text that says what went wrong, ${AS_IN}`;
  if (typeof error.why_it_happened !== "string") return "why must be a text";
  if (!isTexts(error.how_to_fix)) return "fix must be a text or a list of texts";
  if (typeof error.retry_recommended !== "boolean") return "retry must be true or false";
  if (error.retry_after_seconds !== undefined && !isWait(error.retry_after_seconds)) return "retryAfterSeconds must be a number from 0 on";
  if (!isTexts(error.alternative_tools)) return "alternativeTools must be a list of texts";
  return isTexts(error.related_docs) ? undefined : "relatedDocs must be a list of texts";
}

function isType(value: unknown): boolean {
  return (ERROR_TYPES as readonly unknown[]).includes(value);
}

function isWait(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

function isTexts(value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  for (let i = 0; i < value.length; i++) if (typeof value[i] !== "string") return false;
  return true;
}
