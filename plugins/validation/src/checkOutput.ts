import { type Call, makeToolError, type Outcome, type Tool } from "@fettle/contract";
import { type CheckOptions, type CompiledSchema, renderProblems } from "@fettle/schema";
import { validationCodes } from "./validationCodes.js";

/** A result is data as it is: nothing is mended or added, and a large number has no more digits to lose. */
const AS_IT_IS: CheckOptions = { repair: false, defaults: false, exactIntegers: false, words: { root: "the result", key: "key" } };

/** The outcome, or in place of a result that doesn't fit `output` an error that blames the server. Errors and questions pass. */
export function checkOutput(tool: Tool, schema: CompiledSchema, outcome: Outcome, call: Call): Outcome {
  if (outcome.kind !== "ok") return outcome;
  const checked = outcome.data === undefined ? undefined : schema.check(outcome.data, AS_IT_IS);
  if (checked?.valid) return outcome;
  const problems = checked?.problems ?? [];
  const heading = `The result of ${tool.name} ${tool.version} doesn't fit its output schema:`;
  call.log.error(
    checked === undefined
      ? `${heading} it has no data. An object that the handler returns is data; a text is content alone`
      : renderProblems(problems, { heading }),
    {
      call_id: call.callId,
      tool: tool.name,
      version: tool.version,
      tool_error: validationCodes.code("invalid-output"),
    },
  );
  const { meta, notes, tool: ref } = outcome;
  const error = makeToolError("internal_error", validationCodes.code("invalid-output"), {
    what: `${tool.name} ran, but its result is not what it promises, so it is withheld. This is a fault of the server, not of your call.`,
    fix:
      tool.spec.effects?.read_only === true
        ? "Go on without this result, or use another tool."
        : "What the call did stands: look at its effect with another tool before doing anything again.",
    // Where, but not what: the values are what is wrong with them.
    details: {
      problems: problems.slice(0, 20).map(({ place, keyword }) => ({ path: place.slice(0, 200), keyword })),
    },
  });
  return { kind: "error", error, logged: true, notes, ...(ref !== undefined && { tool: ref }), ...(meta !== undefined && { meta }) };
}
