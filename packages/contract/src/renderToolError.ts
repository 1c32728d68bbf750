import type { ToolError } from "./toolError.js";

const SAME_CALL_WONT_HELP = new Set(["state_error", "resource_error", "permission_error", "internal_error"]);

/** Calls that were cut off may succeed the next time, so that "won't help" would be wrong. Whether to look first is in their own text. */
const CUT_OFF = new Set(["kernel/cancelled", "kernel/closing", "kernel/deadline-exceeded", "system/aborted"]);

/**
 * The text of an error as a model reads it: everything it needs is in here, since some hosts show nothing else (claude-code#86032).
 *
 * What went wrong; why; what to do, as a sentence or numbered steps; whether and when to retry; which tools to use instead; where to read more.
 */
export function renderToolError(error: ToolError): string {
  const lines = [error.what_went_wrong];
  if (error.why_it_happened) lines.push(`Why: ${error.why_it_happened}`);
  const [only, ...more] = error.how_to_fix;
  if (only !== undefined && more.length === 0) lines.push(only);
  else if (only !== undefined) lines.push("What to do:", ...error.how_to_fix.map((step, i) => `${i + 1}. ${step}`));
  const advice = retryAdvice(error);
  if (advice !== undefined) lines.push(advice);
  if (error.alternative_tools.length > 0) lines.push(`Use instead: ${error.alternative_tools.join(", ")}`);
  if (error.related_docs.length > 0) lines.push(`See also: ${error.related_docs.join(", ")}`);
  return lines.join("\n");
}

function retryAdvice({ retry_recommended, retry_after_seconds, error_type, error_code }: ToolError): string | undefined {
  const wait = retry_after_seconds === undefined ? undefined : Math.ceil(retry_after_seconds);
  if (!retry_recommended) {
    if (SAME_CALL_WONT_HELP.has(error_type) && !CUT_OFF.has(error_code)) return "Retrying the same call won't help.";
    return wait ? `If you retry, wait ${inSeconds(wait)} first.` : undefined;
  }
  if (wait === undefined) return "Retrying the same call may help.";
  return wait === 0 ? "Retry the same call now." : `Retry the same call after ${inSeconds(wait)}.`;
}

const inSeconds = (seconds: number): string => `${seconds} ${seconds === 1 ? "second" : "seconds"}`;
