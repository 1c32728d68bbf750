import { type ErrorOptions, type Json, type Outcome, type Plugin, ThrownToolError, type ToolRef } from "@fettle/contract";
import { runCodes } from "../runCodes.js";
import type { CallState } from "./callState.js";

type RunKey = Parameters<typeof runCodes.code>[0];

/** An error outcome of the kernel itself. */
export function failure(state: CallState, code: RunKey, options: ErrorOptions, tool?: ToolRef): Outcome {
  const type = runCodes.codes[code].type ?? "internal_error";
  return {
    kind: "error",
    error: new ThrownToolError(type, runCodes.code(code), options).toToolError(),
    notes: state.notes,
    ...(tool && { tool: { name: tool.name, version: tool.version } }),
  };
}

/** A plugin threw: named with its hook, since nobody else can find out which. What it threw goes to the log only. */
export function pluginThrew(state: CallState, plugin: Pick<Plugin, "name">, hook: string, error: unknown, tool?: ToolRef): Outcome {
  state.log.error(`plugin ${plugin.name} threw in ${hook}`, { call_id: state.id, plugin: plugin.name, hook, ...thrown(error) });
  return failure(
    state,
    "layer-threw",
    {
      what: `The call failed because of a fault in the server: the plugin ${plugin.name} threw in its ${hook} hook.`,
      fix: `Tell the operator of this server the call id ${state.id}; sending other arguments won't mend it.`,
      details: { plugin: plugin.name, hook, call_id: state.id },
    },
    tool,
  );
}

/** What the log keeps of something that was thrown. */
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
