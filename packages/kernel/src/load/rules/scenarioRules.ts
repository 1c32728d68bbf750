import type { Finding, JsonPath } from "@fettle/contract";
import type { ExpectedCall, Scenario, ScenarioFile } from "@fettle/spec-types";
import { specCodes } from "../specCodes.js";

/** The rules for `NAME.scenarios.yaml` that JSON Schema can't say. */
export function* scenarioRules(file: ScenarioFile): Iterable<Finding> {
  const ids = new Set<string>();
  for (const [index, scenario] of file.scenarios.entries()) {
    const path = ["scenarios", index];
    if (ids.has(scenario.id)) {
      yield {
        code: specCodes.code("duplicate-item"),
        severity: "error",
        message: `A scenario above is called ${scenario.id} already`,
        hint: "Give each its own id: results are kept by it.",
        path: [...path, "id"],
        rule: "S-ID-2",
      };
    }
    ids.add(scenario.id);
    yield* contradictions(scenario, path);
  }
}

function* contradictions({ expect, forbid = [], recover }: Scenario, path: JsonPath): Iterable<Finding> {
  const calls: readonly ExpectedCall[] = expect.in_order ?? expect.any_order ?? expect.one_of ?? [];
  for (const [index, name] of forbid.entries()) {
    if (!calls.some(({ tool }) => tool === name)) continue;
    yield contradiction([...path, "forbid", index], `${name} is expected and forbidden`, "Take it out of one of the two.", "S-LIST-2");
  }
  if (recover && expect.no_call) {
    yield contradiction(
      [...path, "recover"],
      "Nothing is called here, so there is no error to recover from",
      "Expect a call, or take recover out.",
      "S-RECOVER-2",
    );
  }
}

function contradiction(path: JsonPath, message: string, hint: string, rule: string): Finding {
  return { code: specCodes.code("scenario-contradiction"), severity: "error", message, hint, path, rule };
}
