import { type CodeTable, defineCodes } from "@fettle/contract";

/** What a call can end in because of this plugin. */
export const validationCodes: CodeTable<"invalid-arguments" | "invalid-output" | "stopped" | "unknown-field" | "validator-failed"> = defineCodes("validation", {
  "invalid-arguments": {
    message: "The arguments of a call don't fit the tool's parameters, so the tool was not run.",
    hint: "Mend every problem that the message lists and send the call again.",
    type: "input_error",
  },
  "invalid-output": {
    message: "A tool ran, but what it returned doesn't fit the output that its spec promises.",
    hint: "Mend the handler or the spec's output; the log lists what doesn't fit. The caller can do nothing about it.",
    type: "internal_error",
  },
  stopped: {
    message: "The call was cancelled, or the server shut down, while a validator was at work. The tool was not run.",
    hint: "Call again if the answer is still wanted.",
    type: "state_error",
  },
  "unknown-field": {
    message: "A spec names a validator for a field that its parameters don't declare. Calls of the tool are refused, since what it was to check isn't known.",
    hint: "Mend the path: ship_to.zip for a member, items[].iban for each item. Declare the argument where it is missing.",
    type: "internal_error",
  },
  "validator-failed": {
    message: "A validator of the tool threw, did not answer in time or gave no answer, so the tool was not run.",
    hint: "Mend the validator: the log names it with the field, and has what it threw. The caller can do nothing about it.",
    type: "internal_error",
  },
});
