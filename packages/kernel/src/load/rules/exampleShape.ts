import type { Finding, JsonPath, ToolSpec } from "@fettle/contract";
import { specCodes } from "../specCodes.js";

/**
 * T-EXAMPLE-3: a negative example has `error` and no `output`; any other has no `error`, and `output` unless `verify` is schema or none.
 * T-EXAMPLE-4: `verify` is about an output, and `verify: schema` needs an `output` schema.
 */
export function* exampleShape(spec: ToolSpec): Iterable<Finding> {
  for (const [index, example] of spec.examples.entries()) {
    const path = ["examples", index];
    const negative = example.category === "negative";
    const hasOutput = Object.hasOwn(example, "output");
    if (negative && !example.error) {
      yield {
        code: specCodes.code("example-without-error"),
        severity: "error",
        message: "A negative example says which error it ends in",
        hint: "Add `error: { error_type: ... }`, or choose another category.",
        path,
        rule: "T-EXAMPLE-3",
      };
    }
    if (negative && hasOutput)
      yield contradiction(
        [...path, "output"],
        "A negative example has an `error` and no `output`",
        "Take the output out, or choose another category.",
        "T-EXAMPLE-3",
      );
    if (!negative && example.error) {
      yield contradiction(
        [...path, "error"],
        `Only a negative example has an \`error\`, and this one is ${example.category}`,
        "Make it `category: negative`, or take the error out.",
        "T-EXAMPLE-3",
      );
    }
    if (!negative && !hasOutput && example.verify !== "schema" && example.verify !== "none") {
      yield {
        code: specCodes.code("example-without-output"),
        severity: "error",
        message: "An example says what comes back",
        hint: "Add `output`, or say with `verify: schema` or `verify: none` that it isn't compared.",
        path,
        rule: "T-EXAMPLE-3",
      };
    }
    if (negative && example.verify)
      yield contradiction([...path, "verify"], "`verify` compares an output, and a negative example has none", "Take `verify` out.", "T-EXAMPLE-4");
    if (!negative && example.verify === "schema" && !spec.output) {
      yield contradiction(
        [...path, "verify"],
        "`verify: schema` needs an `output` schema, and this tool has none",
        "Add `output` to the spec, or use `verify: none`.",
        "T-EXAMPLE-4",
      );
    }
  }
}

function contradiction(path: JsonPath, message: string, hint: string, rule: string): Finding {
  return { code: specCodes.code("example-contradiction"), severity: "error", message, hint, path, at: "key", rule };
}
