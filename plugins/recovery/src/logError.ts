import { type Call, logLevelOf, type ToolError, type ToolRef } from "@fettle/contract";

/**
 * Writes the line of an error: call id, tool, type and code. Neither its text nor the arguments are logged, since these are the caller's; nor is the
 * name of a tool that doesn't exist.
 */
export function logError(call: Call<never>, error: ToolError, tool: ToolRef | undefined): void {
  call.log[logLevelOf(error.error_type)](`${tool?.name ?? "a call"} failed: ${error.error_code}`, {
    call_id: call.callId,
    ...(call.parentId !== undefined && { parent_call_id: call.parentId }),
    ...(tool && { tool: tool.name, version: tool.version }),
    error_type: error.error_type,
    tool_error: error.error_code,
  });
}
