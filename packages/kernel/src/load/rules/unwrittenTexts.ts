import { type Finding, isUnwritten, type Json, type JsonPath, type ToolSpec } from "@fettle/contract";
import { formatPath } from "@fettle/schema";
import { specCodes } from "../specCodes.js";
import { isJsonObject } from "./isJsonObject.js";

/** Keywords of JSON Schema whose value is data. */
const DATA = new Set(["default", "const", "enum", "examples"]);
/** Keywords of JSON Schema whose keys are names. */
const NAMED = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]);

/** T-TODO-1: a text that begins with `TODO:` is still to be written. Data may begin so: inputs and outputs of examples, defaults, values of an enum. */
export function* unwrittenTexts(spec: ToolSpec): Iterable<Finding> {
  for (const { text, path } of textsOf(spec)) {
    if (!isUnwritten(text)) continue;
    yield {
      code: specCodes.code("todo"),
      severity: "warning",
      message: `${formatPath(path)} is still to be written`,
      hint: "Write the text in place of the note. A description that begins with TODO: isn't shown to models.",
      path,
      rule: "T-TODO-1",
    };
  }
}

interface Text {
  readonly text: string;
  readonly path: JsonPath;
}

function* textsOf(spec: ToolSpec): Iterable<Text> {
  for (const field of ["title", "description_short", "description_detailed", "when_to_use", "when_not_to_use", "category"] as const) {
    const text = spec[field];
    if (text !== undefined) yield { text, path: [field] };
  }
  yield* schemaTexts(spec.parameters as Json, ["parameters"]);
  yield* schemaTexts(spec.output as Json | undefined, ["output"]);
  for (const [i, text] of spec.prerequisites.entries()) yield { text, path: ["prerequisites", i] };
  for (const [i, { description, context }] of spec.examples.entries()) {
    yield { text: description, path: ["examples", i, "description"] };
    if (context !== undefined) yield { text: context, path: ["examples", i, "context"] };
  }
  for (const [i, error] of spec.common_errors.entries())
    for (const field of ["symptom", "cause", "solution"] as const) yield { text: error[field], path: ["common_errors", i, field] };
}

/** The titles and descriptions in a JSON Schema. */
function* schemaTexts(schema: Json | undefined, path: JsonPath): Iterable<Text> {
  if (Array.isArray(schema)) for (const [i, part] of schema.entries()) yield* schemaTexts(part, [...path, i]);
  if (!isJsonObject(schema)) return;
  for (const [keyword, value] of Object.entries(schema)) {
    if (value === undefined || DATA.has(keyword)) continue;
    if ((keyword === "description" || keyword === "title") && typeof value === "string") yield { text: value, path: [...path, keyword] };
    else if (NAMED.has(keyword) && isJsonObject(value)) for (const [name, part] of Object.entries(value)) yield* schemaTexts(part, [...path, keyword, name]);
    else yield* schemaTexts(value, [...path, keyword]);
  }
}
