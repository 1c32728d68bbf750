import type { ToolError } from "./toolError.js";

const SAME_CALL_WONT_HELP = new Set(["state_error", "resource_error", "permission_error", "internal_error"]);

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
  if (error.retry_recommended) {
    const wait = error.retry_after_seconds;
    lines.push(wait === undefined ? "Retrying the same call may help." : `Retry the same call after ${wait} ${wait === 1 ? "second" : "seconds"}.`);
  } else if (SAME_CALL_WONT_HELP.has(error.error_type)) {
    lines.push("Retrying the same call won't help.");
  }
  if (error.alternative_tools.length > 0) lines.push(`Use instead: ${error.alternative_tools.join(", ")}`);
  if (error.related_docs.length > 0) lines.push(`See also: ${error.related_docs.join(", ")}`);
  return lines.join("\n");
}
