import { type Call, type Host, makeToolError, type Outcome, type ToolRef } from "@fettle/contract";
import type { ValidatorFailure } from "./fieldChecks.js";
import { validationCodes } from "./validationCodes.js";

const CODE = validationCodes.code("validator-failed");

/** The outcome of a call whose validator gave no answer, which is logged: the client is told which one and not what it threw. */
export function validatorFailed(tool: ToolRef, failure: ValidatorFailure, call: Call<unknown>, host: Pick<Host, "logThrown">): Outcome {
  logFailure(tool, failure, call, host);
  const { field, validator } = failure;
  const error = makeToolError("internal_error", CODE, {
    what: `${tool.name} was not run: the validator ${validator}, which checks ${field}, failed. This is a fault of the server, not of your call.`,
    fix: `Tell the operator of this server the call id ${call.callId}: the log has the details.`,
    details: { field, validator, call_id: call.callId },
  });
  return { kind: "error", error, logged: true, notes: {}, tool };
}

/** Logs that a validator gave no answer, with what it threw. */
export function logFailure(tool: ToolRef, { field, validator, did, thrown }: ValidatorFailure, call: Call<unknown>, host: Pick<Host, "logThrown">): void {
  const message = `the validator ${validator} of ${field} in ${tool.name} ${did}`;
  const fields = { tool_error: CODE, field, validator };
  if (thrown) host.logThrown(call, message, thrown.error, fields);
  else call.log.error(message, { call_id: call.callId, tool: tool.name, version: tool.version, ...fields });
}

/** The outcome of a call to a tool with a validator of a field that its parameters don't declare: what it was meant to check isn't known. */
export function checksMisplaced(tool: ToolRef): Outcome {
  const error = makeToolError("internal_error", validationCodes.code("unknown-field"), {
    what: `${tool.name} was not run: its spec asks for a check that can't be made. This is a fault of the server, not of your call.`,
    fix: "Tell the operator of this server: fettle check names the place in the spec.",
  });
  return { kind: "error", error, notes: {}, tool };
}

/** The outcome of a call that nobody waits for any more. */
export function callStopped(tool: ToolRef): Outcome {
  // Nothing has happened: whoever still wants the answer may send the same call again.
  const what = `${tool.name} was not run: the call was stopped while its arguments were checked.`;
  return { kind: "error", error: makeToolError("state_error", validationCodes.code("stopped"), { what, retry: true }), notes: {}, tool };
}
