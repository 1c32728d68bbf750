import type { Finding, ToolSpec } from "@fettle/contract";
import { specCodes } from "../specCodes.js";

/** T-PERF-2: the longest time to expect is at least the usual one. */
export function* latencyOrder({ performance }: ToolSpec): Iterable<Finding> {
  const { typical_latency_ms: typical, max_latency_ms: max } = performance;
  if (max >= typical) return;
  yield {
    code: specCodes.code("latency-order"),
    severity: "error",
    message: `max_latency_ms is ${max}, less than typical_latency_ms, which is ${typical}`,
    hint: "Give the longest time to expect; swap the two if they were mixed up.",
    path: ["performance", "max_latency_ms"],
    rule: "T-PERF-2",
  };
}
