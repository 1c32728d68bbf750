import { type CodeTable, defineCodes } from "@fettle/contract";

type RunCode =
  | "unknown-tool"
  | "no-such-version"
  | "cancelled"
  | "deadline-exceeded"
  | "closing"
  | "handler-threw"
  | "no-result"
  | "bad-result"
  | "layer-threw"
  | "bad-outcome"
  | "next-overlap"
  | "bad-change"
  | "bad-list"
  | "identify-failed"
  | "resolver-failed"
  | "call-depth"
  | "bad-ask";

/** What a call can end in without any plugin. */
export const runCodes: CodeTable<RunCode> = defineCodes<RunCode>("kernel", {
  "unknown-tool": { type: "resource_error", message: "There is no tool of that name.", hint: "Call one of the names in details.nearest, or list the tools." },
  "no-such-version": { type: "resource_error", message: "The tool isn't served in that version.", hint: "Ask for one of details.versions, or for none." },
  cancelled: {
    type: "state_error",
    message: "The caller cancelled the call or went away.",
    hint: "If the answer is still wanted, look whether the call changed something, then call again.",
  },
  "deadline-exceeded": {
    type: "internal_error",
    message: "The call or request took longer than its time limit.",
    hint: "Ask for less at once; authors set timeout_ms in the spec.",
  },
  closing: { type: "state_error", message: "The server is shutting down and takes no new calls.", hint: "Call again in a moment." },
  "handler-threw": {
    type: "internal_error",
    message: "The handler threw something that isn't a tool error. Its message is in the log, under the call id.",
    hint: "Tell the server's operator the call id.",
  },
  "no-result": { type: "internal_error", message: "The handler returned nothing.", hint: "Authors: return data, a text, result(...) or needInput(...)." },
  "bad-result": {
    type: "internal_error",
    message: "The handler returned something that can't be sent.",
    hint: "Authors: the place is named; return plain JSON data.",
  },
  "layer-threw": { type: "internal_error", message: "A plugin threw. Its name and hook are in details.", hint: "Tell the server's operator the call id." },
  "bad-outcome": {
    type: "internal_error",
    message: "A plugin answered with something that is no outcome.",
    hint: "Authors of plugins: return what next() gave, or an outcome of your own.",
  },
  "next-overlap": {
    type: "internal_error",
    message: "A plugin called next() while an earlier next() was running.",
    hint: "Authors of plugins: wait for the first to settle.",
  },
  "bad-change": {
    type: "internal_error",
    message: "A plugin handed the rings inside something that no call can have.",
    hint: "Authors of plugins: args of next() is an object.",
  },
  "bad-list": {
    type: "internal_error",
    message: "A plugin's listTools threw, did not answer, or gave something that is no list of tools. The list went out without its change.",
    hint: "Authors of plugins: return what next() gave, changed.",
  },
  "identify-failed": {
    type: "internal_error",
    message: "A plugin threw, gave nonsense or did not answer when it was asked who calls, so nobody is let in.",
    hint: "Tell the server's operator: the log names the plugin.",
  },
  "resolver-failed": {
    type: "internal_error",
    message: "A plugin's resolveTool gave no tool of the catalog.",
    hint: "Tell the server's operator the call id.",
  },
  "bad-ask": { type: "input_error", message: "A call named no tool.", hint: "Call with a name and arguments: call({ name, args })." },
  "call-depth": { type: "internal_error", message: "Tools called each other too deeply.", hint: "Authors: a tool must not call itself for ever." },
});
