import type { Finding, ToolSpec } from "@fettle/contract";
import { nearestWord } from "@fettle/schema";
import { specCodes } from "../specCodes.js";
import { isJsonObject, stringsOf } from "./isJsonObject.js";

/** Keywords that can bring properties from elsewhere, so that the root doesn't show them all. */
const COMPOSING = ["$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "if"];

/** T-PARAMS-1: `required_params` and `optional_params`, when written, say what `parameters` says. */
export function* paramsAgree(spec: ToolSpec): Iterable<Finding> {
  const { parameters } = spec;
  if (COMPOSING.some((keyword) => Object.hasOwn(parameters, keyword))) return;
  const required = stringsOf(parameters["required"]);
  const properties = isJsonObject(parameters["properties"]) ? Object.keys(parameters["properties"]) : [];
  const optional = properties.filter((name) => !required.includes(name));
  if (spec.required_params) yield* compare("required_params", spec.required_params, required, optional, "optional");
  if (spec.optional_params) yield* compare("optional_params", spec.optional_params, optional, required, "required");
}

function* compare(
  field: "required_params" | "optional_params",
  written: readonly string[],
  derived: readonly string[],
  others: readonly string[],
  otherKind: string,
): Iterable<Finding> {
  const finding = { code: specCodes.code("params-disagree"), severity: "error", rule: "T-PARAMS-1" } as const;
  for (const [index, name] of written.entries()) {
    if (derived.includes(name)) continue;
    const near = nearestWord(name, derived);
    yield {
      ...finding,
      message: others.includes(name) ? `${name} is ${otherKind} by \`parameters\`` : `${name} is no parameter of this tool`,
      hint: near ? `Did you mean ${near}?` : `Take it out, or leave ${field} out: it is derived from \`parameters\`.`,
      path: [field, index],
    };
  }
  const missing = derived.filter((name) => !written.includes(name));
  if (missing.length > 0) {
    yield {
      ...finding,
      message: `${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} missing in ${field}`,
      hint: `Add ${missing.length === 1 ? "it" : "them"}, or leave ${field} out: it is derived from \`parameters\`.`,
      path: [field],
      at: "key",
    };
  }
}
