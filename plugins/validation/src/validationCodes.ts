import { type CodeTable, defineCodes } from "@fettle/contract";

/** What a call can end in because of this plugin. */
export const validationCodes: CodeTable<"invalid-arguments" | "invalid-output"> = defineCodes("validation", {
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
});
