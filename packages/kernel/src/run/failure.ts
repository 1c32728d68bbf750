import { type ErrorOptions, makeToolError, type Outcome, type Plugin, type ToolRef } from "@fettle/contract";
import { runCodes } from "../runCodes.js";
import { thrown } from "../thrown.js";
import { blankArguments } from "./blankArguments.js";
import type { CallState } from "./callState.js";

type RunKey = Parameters<typeof runCodes.code>[0];

/** An error outcome of the kernel itself. */
export function failure(state: CallState, code: RunKey, options: ErrorOptions, tool?: ToolRef): Outcome {
  const type = runCodes.codes[code].type ?? "internal_error";
  return {
    kind: "error",
    error: makeToolError(type, runCodes.code(code), options),
    notes: state.notes,
    ...(tool && { tool: { name: tool.name, version: tool.version } }),
  };
}

/** The outcome of an error that is in the log already. */
export function asLogged(outcome: Outcome): Outcome {
  return outcome.kind === "error" ? { ...outcome, logged: true } : outcome;
}

/** An outcome that goes out: a fault of the server that nobody has logged yet is logged here, so that none is lost. */
export function faultLogged(state: CallState, outcome: Outcome): Outcome {
  if (outcome.kind !== "error" || outcome.error.error_type !== "internal_error" || outcome.logged === true) return outcome;
  const { error, tool } = outcome;
  state.log.error(`${tool?.name ?? "a call"} failed: ${error.error_code}`, {
    call_id: state.id,
    ...(state.parentId !== undefined && { parent_call_id: state.parentId }),
    ...(tool && { tool: tool.name, version: tool.version }),
    error_type: error.error_type,
    tool_error: error.error_code,
  });
  return { ...outcome, logged: true };
}

/** A fault of a plugin: named with its hook in the answer and in the log, since nobody else can find out which. */
export function pluginFault(
  state: CallState,
  code: RunKey,
  { plugin, hook }: { readonly plugin: string; readonly hook: string },
  did: string,
  tool?: ToolRef,
  fields: Parameters<CallState["log"]["error"]>[1] = {},
): Outcome {
  state.log.error(`plugin ${plugin} ${did}`, { call_id: state.id, plugin, hook, ...fields });
  return asLogged(
    failure(
      state,
      code,
      {
        what: `The call failed because of a fault in the server: the plugin ${plugin} ${did}.`,
        fix: `Tell the operator of this server the call id ${state.id}; sending other arguments won't mend it.`,
        details: { plugin, hook, call_id: state.id },
      },
      tool,
    ),
  );
}

/** A plugin threw. What it threw goes to the log only, with the call's arguments blanked. */
export function pluginThrew(state: CallState, plugin: Pick<Plugin, "name">, hook: string, error: unknown, tool?: ToolRef, args?: unknown): Outcome {
  return pluginFault(
    state,
    "layer-threw",
    { plugin: plugin.name, hook },
    `threw in its ${hook} hook`,
    tool,
    thrown(error, blankArguments([state.ask.name, state.ask.args, args])),
  );
}
