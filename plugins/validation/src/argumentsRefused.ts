import { type JsonObject, makeToolError, type Outcome, type ToolRef } from "@fettle/contract";
import { countProblems, type Problem, renderProblems } from "@fettle/schema";
import { validationCodes } from "./validationCodes.js";

/** Most problems that are told of one call. */
export const MOST_TOLD = 20;

/**
 * The outcome of a call whose arguments don't fit: every problem at once, and what to do.
 *
 * @param isUnsure whether there may be more: a validator gave no answer
 * @example
 * // git_log was not run: 2 problems with its arguments.
 * // - unknown argument brnch. Allowed here: ref, path, since, limit, cursor
 * // - limit must be between 1 and 100, got 500
 * // Send the call again with these mended; the other arguments were fine.
 */
export function argumentsRefused(tool: ToolRef, args: JsonObject, problems: readonly Problem[], isUnsure = false): Outcome {
  const heading = `${tool.name} was not run: ${countProblems(problems, MOST_TOLD)} with its arguments.`;
  const error = makeToolError("input_error", validationCodes.code("invalid-arguments"), {
    what: renderProblems(problems, { heading, limit: MOST_TOLD }),
    fix:
      !isUnsure && hasOthers(args, problems)
        ? "Send the call again with these mended; the other arguments were fine."
        : "Send the call again with these mended.",
    details: {
      problems: problems.slice(0, MOST_TOLD).map(toDetail),
    },
  });
  return { kind: "error", error, notes: {}, tool };
}

function toDetail({ place, keyword, message, suggestion }: Problem): JsonObject {
  const path = place.slice(0, 200);
  const told = message.slice(0, 400);
  return suggestion === undefined ? { path, keyword, message: told } : { path, keyword, message: told, suggestion };
}

/** Whether some argument has no problem, so that it can be said that it needn't change. */
function hasOthers(args: JsonObject, problems: readonly Problem[]): boolean {
  if (problems.length > MOST_TOLD || problems.some(({ path, keyword }) => path.length === 0 && keyword !== "additionalProperties" && keyword !== "required"))
    return false;
  return Object.keys(args).some((name) => args[name] !== undefined && !problems.some(({ path, key }) => (path[0] ?? key) === name));
}
