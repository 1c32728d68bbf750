import type { Finding, JsonPath, JsonSchema, Tool } from "@fettle/contract";
import { type DeclaredPlace, declaredPlace, isSchema, nearestWord } from "@fettle/schema";
import { EVERY_ITEM, formatField, parseField } from "./fieldPath.js";
import type { ValidationSection } from "./settings.js";
import { validationCodes } from "./validationCodes.js";

const MOST_NAMED = 15;

/** Fields with a validator that `parameters` doesn't declare: a slip of the pen, since a model can't know of them. */
export function* unknownFields({ section, spec }: Tool<ValidationSection>): Iterable<Finding> {
  const schema: unknown = spec.parameters;
  if (!isSchema(schema)) return;
  for (const field of Object.keys(section?.fields ?? {})) {
    const steps = parseField(field);
    const place = declaredPlace(schema, steps);
    if (place.declared) continue;
    const meant = meantBy(schema, steps, place);
    yield {
      code: validationCodes.code("unknown-field"),
      severity: "error",
      path: ["validation", "fields", field],
      at: "key",
      message: `There is no argument ${formatField(steps.slice(0, place.depth + 1))} in parameters, so this validator can't be asked, and calls of this tool are refused`,
      hint: meant === undefined ? whatIsThere(steps, place) : `Did you mean "${formatField(meant)}"?`,
    };
  }
}

/** The declared path that was probably meant: another spelling of the step, `[]` put in or left out. */
function meantBy(schema: JsonSchema, steps: JsonPath, { depth, members, hasItems }: DeclaredPlace): JsonPath | undefined {
  const before = steps.slice(0, depth);
  const [step, ...after] = steps.slice(depth);
  const near = typeof step === "string" ? nearestWord(step, members) : undefined;
  const ways = [
    ...(near === undefined ? [] : [[...before, near, ...after]]),
    ...(hasItems ? [[...before, EVERY_ITEM, ...steps.slice(depth)]] : []),
    ...(step === EVERY_ITEM ? [[...before, ...after]] : []),
  ];
  return ways.find((way) => declaredPlace(schema, way).declared);
}

function whatIsThere(steps: JsonPath, { depth, members, hasItems }: DeclaredPlace): string {
  const owner = formatField(steps.slice(0, depth));
  if (members.length === 0) return hasItems ? `Items of ${owner} are named ${owner}[].` : "Declare it there, or take the validator out.";
  const shown = members.slice(0, MOST_NAMED).join(", ");
  return `Declared ${owner === "" ? "there" : `in ${owner}`}: ${shown}${members.length > MOST_NAMED ? `, and ${members.length - MOST_NAMED} more` : ""}.`;
}
