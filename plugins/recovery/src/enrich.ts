import type { ToolError, ToolSpec } from "@fettle/contract";

type CommonError = ToolSpec["common_errors"][number];

/** An error with what the spec knows of it, and by what the entry was found. */
export interface Enriched {
  readonly error: ToolError;
  readonly matchedBy: "code" | "type";
}

/**
 * An error with what `common_errors` of its tool's spec know of it: the cause where the error gives none, the solution where it says no fix, the wait
 * where it names none and a retry is advised; further tools and docs are added to its own. What the handler said itself stays, since it knows the case at hand.
 *
 * @returns undefined where no entry belongs to the error
 */
export function enrich(error: ToolError, known: readonly CommonError[]): Enriched | undefined {
  const byCode = known.find(({ error_code, error_type }) => error_code === error.error_code && error_type === error.error_type);
  const entry = byCode ?? onlyOfType(error, known);
  return entry && { error: joined(error, entry), matchedBy: byCode ? "code" : "type" };
}

/**
 * The entry for an error whose code no entry has. Its cause and solution are of another code, so they are taken only where nobody can do better: the
 * error itself says neither why nor what to do, and no second entry of its type could be meant.
 */
function onlyOfType(error: ToolError, known: readonly CommonError[]): CommonError | undefined {
  if (error.why_it_happened !== "" || error.how_to_fix.length > 0) return undefined;
  const [only, second] = known.filter(({ error_type }) => error_type === error.error_type);
  return second === undefined ? only : undefined;
}

function joined(error: ToolError, entry: CommonError): ToolError {
  const { retry_after_seconds: own, alternative_tools, related_docs, ...rest } = error;
  // When to retry says nothing where a retry isn't advised.
  const wait = own ?? (error.retry_recommended ? entry.retry_after_seconds : undefined);
  return {
    ...rest,
    why_it_happened: error.why_it_happened === "" ? entry.cause : error.why_it_happened,
    how_to_fix: error.how_to_fix.length === 0 ? [entry.solution] : error.how_to_fix,
    ...(wait !== undefined && { retry_after_seconds: wait }),
    alternative_tools: union(alternative_tools, entry.alternative_tools),
    related_docs: union(related_docs, entry.related_docs),
  };
}

function union(own: readonly string[], more: readonly string[] = []): readonly string[] {
  return more.length === 0 ? own : [...new Set([...own, ...more])];
}
