import type { Finding, ToolSpec } from "@fettle/contract";
import { specCodes } from "../specCodes.js";

/** T-DEPRECATION-2: a tool isn't refused before it is deprecated. That the dates are real ones is the meta-schema's to check. */
export function* deprecationDates({ deprecation }: ToolSpec): Iterable<Finding> {
  // ISO dates sort as texts.
  if (deprecation?.sunset === undefined || deprecation.sunset >= deprecation.since) return;
  yield {
    code: specCodes.code("date-order"),
    severity: "error",
    message: `The sunset ${deprecation.sunset} lies before ${deprecation.since}, when the deprecation begins`,
    hint: "Swap since and sunset, or mend the wrong one. Callers need time between the two.",
    path: ["deprecation", "sunset"],
    rule: "T-DEPRECATION-2",
  };
}
