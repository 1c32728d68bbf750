import type { Finding, JsonSchema, ToolSpec } from "@fettle/contract";
import type { Problem, SchemaEngine } from "@fettle/schema";
import { exampleCodes } from "../catalogCodes.js";
import { isJsonObject } from "./isJsonObject.js";
import { partialSchema } from "./partialSchema.js";

/**
 * T-EXAMPLE-5 and T-EXAMPLE-6: the input of every example but a negative one fits `parameters`, and its output fits `output`.
 * An output that is compared as a subset may leave out what `output` requires, and nothing else.
 *
 * This compiles both schemas, which takes milliseconds for each: it is for `fettle check` and for tests, not for the start of a server.
 * Schemas that the engine refuses are left to the rule about schemas.
 */
export function* examplesFit(spec: ToolSpec, engine: SchemaEngine): Iterable<Finding> {
  const parameters = admitted(spec.parameters, engine);
  const output = admitted(spec.output, engine);
  for (const [index, example] of spec.examples.entries()) {
    if (example.category === "negative") continue;
    if (parameters !== undefined) yield* mismatches(engine, parameters, example.input, ["examples", index, "input"]);
    if (output === undefined || !Object.hasOwn(example, "output") || example.verify === "none") continue;
    const whole = example.verify === "exact" || example.verify === "schema";
    yield* mismatches(engine, whole ? output : partialSchema(output), example.output, ["examples", index, "output"]);
  }
}

function admitted(schema: unknown, engine: SchemaEngine): JsonSchema | undefined {
  return isJsonObject(schema) && !engine.admit(schema).some(({ severity }) => severity === "error") ? schema : undefined;
}

function* mismatches(engine: SchemaEngine, schema: JsonSchema, value: unknown, at: readonly ["examples", number, "input" | "output"]): Iterable<Finding> {
  const checked = engine.compile(schema).check(value, { repair: false });
  if (checked.valid) return;
  const input = at[2] === "input";
  for (const problem of checked.problems) {
    const extra = problem.key !== undefined && isExtraKey(problem);
    yield {
      code: exampleCodes.code(input ? "input-mismatch" : "output-mismatch"),
      severity: "error",
      message: `The ${at[2]} of this example doesn't fit \`${input ? "parameters" : "output"}\`: ${problem.message}`,
      hint: input ? "Mend the example or the schema. A call that should fail is an example of category negative." : "Mend the example or the schema.",
      path: [...at, ...problem.path, ...(extra && problem.key !== undefined ? [problem.key] : [])],
      at: extra ? "key" : "value",
      rule: input ? "T-EXAMPLE-5" : "T-EXAMPLE-6",
    };
  }
}

const isExtraKey = ({ keyword }: Problem): boolean => keyword === "additionalProperties" || keyword === "unevaluatedProperties" || keyword === "propertyNames";
