import { type Call, type Catalog, definePlugin, type Layer, type Outcome, type PluginModule } from "@fettle/contract";
import { enrich } from "./enrich.js";
import { logError } from "./logError.js";

/** Options of the plugin. */
export interface RecoveryOptions {
  /** Whether each error is logged; `off` leaves in the log what the kernel tells of: the server's own faults, and what has a cause. */
  readonly log: "on" | "off";
}

/**
 * Adds to each error what the tool's spec knows of it, logs it once, and tells observers its type and code.
 *
 * Position answer: errors of calls that never reach a tool, and those of limits and validation, come through here too.
 */
const recovery: PluginModule<RecoveryOptions> = definePlugin<RecoveryOptions, never>({
  name: "recovery",
  options: {
    type: "object",
    additionalProperties: false,
    properties: {
      log: {
        enum: ["on", "off"],
        default: "on",
        description:
          "Whether each error of a call is logged, with its call id; off leaves in the log what the kernel logs: the server's own faults, and errors with a cause.",
      },
    },
  },
  create: ({ log }) => ({
    name: "recovery",
    position: "answer",
    setup: (host) => ({ layer: () => answerLayer(() => host.catalog(), log === "on") }),
  }),
});

export default recovery;

function answerLayer(catalog: () => Catalog, logged: boolean): Layer<never> {
  return (call, next) => {
    const outcome = next();
    return outcome instanceof Promise ? outcome.then((settled) => answered(settled, call, catalog, logged)) : answered(outcome, call, catalog, logged);
  };
}

function answered(outcome: Outcome, call: Call<never>, catalog: () => Catalog, logged: boolean): Outcome {
  if (outcome.kind !== "error") return outcome;
  const { error, tool } = outcome;
  call.note("error_type", error.error_type);
  call.note("error_code", error.error_code);
  const spec = tool && catalog().get(tool.name, tool.version)?.spec;
  const enriched = spec && enrich(error, spec.common_errors);
  if (enriched) call.note("matched_by", enriched.matchedBy);
  const whole = enriched ? { ...outcome, error: enriched.error } : outcome;
  if (outcome.logged === true || !logged) return whole;
  logError(call, error, tool);
  return { ...whole, logged: true };
}
