import type { Finding, ToolSpec } from "@fettle/contract";
import { specCodes } from "../specCodes.js";

/** T-ERROR-6: one error code has one entry in `common_errors`, and the same error_type in every example. */
export function* errorCodes(spec: ToolSpec): Iterable<Finding> {
  const typeOf = new Map<string, string>();
  for (const [index, { error_code: code, error_type: type }] of spec.common_errors.entries()) {
    if (typeOf.has(code)) {
      yield {
        code: specCodes.code("duplicate-item"),
        severity: "warning",
        message: `${code} has an entry above, and only that one is used`,
        hint: "Keep one entry for a code; put the other's advice into it.",
        path: ["common_errors", index, "error_code"],
        rule: "T-ERROR-6",
      };
    } else typeOf.set(code, type);
  }
  for (const [index, { error }] of spec.examples.entries()) {
    const type = error?.error_code === undefined ? undefined : typeOf.get(error.error_code);
    if (!error || !type || type === error.error_type) continue;
    yield {
      code: specCodes.code("error-contradiction"),
      severity: "warning",
      message: `${error.error_code} is a ${type} in common_errors, and a ${error.error_type} here`,
      hint: "Decide which of the two it is.",
      path: ["examples", index, "error", "error_type"],
      rule: "T-ERROR-6",
    };
  }
}
