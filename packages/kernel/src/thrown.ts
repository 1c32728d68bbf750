import type { Json } from "@fettle/contract";

/** What the log keeps of something that was thrown. `blank` takes out what must not be logged. */
export function thrown(error: unknown, blank: (text: string) => string = (text) => text): Record<string, Json> {
  if (!(error instanceof Error)) return { error_name: typeof error, error_message: blank(String(error)) };
  const code: unknown = "code" in error ? error.code : undefined;
  return {
    error_name: error.name,
    ...(typeof code === "string" || typeof code === "number" ? { error_code: code } : {}),
    error_message: blank(error.message),
    error_stack: blank(error.stack ?? ""),
    ...(error.cause !== undefined && { error_cause: thrown(error.cause, blank) }),
  };
}
