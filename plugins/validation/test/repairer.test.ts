import assert from "node:assert/strict";
import { test } from "node:test";
import { type Json, type JsonObject, renderToolError } from "@fettle/contract";
import { testKernel } from "@fettle/testkit";
import validation from "../src/index.js";
import { dependencyCases, missingCases, unknownCases } from "./repairCases/membersCases.js";
import { keyCases, nestingCases, severalCases, unionCases } from "./repairCases/placesCases.js";
import type { RepairCase } from "./repairCases/repairCase.js";
import { countCases, formatCases, patternCases } from "./repairCases/textCases.js";
import { enumCases, rangeCases, typeCases } from "./repairCases/valuesCases.js";
import { readMessage } from "./repairer/readMessage.js";
import { repairByMessage } from "./repairer.js";

const KINDS: Readonly<Record<string, readonly RepairCase[]>> = {
  "missing arguments": missingCases,
  "unknown arguments": unknownCases,
  dependencies: dependencyCases,
  types: typeCases,
  ranges: rangeCases,
  "fixed values": enumCases,
  patterns: patternCases,
  formats: formatCases,
  counts: countCases,
  unions: unionCases,
  nesting: nestingCases,
  "odd keys": keyCases,
  "several faults": severalCases,
};
const CASES = Object.values(KINDS).flat();

/** A model that isn't through after this many calls gives up. */
const MOST_CALLS = 4;
const LEAST_SHARE = 0.95;

interface Repaired {
  readonly refusals: readonly string[];
  readonly sent: unknown;
  /** What the tool got; undefined where it never ran. */
  readonly got: Json | undefined;
}

/** Calls the tool, mends the arguments by what the message says, and calls it again, until it runs. */
async function untilItRuns([, parameters, args]: RepairCase, coerce: "off" | "safe"): Promise<Repaired> {
  const { kernel } = await testKernel({
    plugins: [validation({ coerce })],
    tools: { tool: { parameters, handler: (got) => ({ got: JSON.parse(JSON.stringify(got)) }) } },
  });
  const refusals: string[] = [];
  let sent: unknown = args;
  for (let call = 0; call < MOST_CALLS; call += 1) {
    const outcome = await kernel.call("tool", sent as JsonObject);
    if (outcome.kind === "ok") return { refusals, sent, got: (outcome.data as JsonObject)["got"] };
    const text = renderToolError(outcome.error);
    assert.equal(readMessage(text).length, text.match(/^- (?!and more of the kind$)/gm)?.length, `a line that isn't in the grammar:\n${text}`);
    refusals.push(text);
    sent = repairByMessage(sent, text);
  }
  return { refusals, sent, got: undefined };
}

function isEqual(a: unknown, b: unknown): boolean {
  try {
    assert.deepEqual(JSON.parse(JSON.stringify(a ?? null)), JSON.parse(JSON.stringify(b)));
    return true;
  } catch {
    return false;
  }
}

const shown = ([title, , args, right]: RepairCase, { refusals, sent, got }: Repaired): string =>
  [
    `${title}: sent ${JSON.stringify(args)}`,
    ...refusals,
    `came to ${JSON.stringify(got ?? sent)}${got === undefined ? ", refused" : ""}, right is ${JSON.stringify(right)}`,
  ].join("\n");

for (const coerce of ["off", "safe"] as const) {
  test(`with coerce: ${coerce} the message alone is enough to mend at least 95 % of the calls that have one right repair`, async (t) => {
    const failures: string[] = [];
    for (const each of CASES) {
      const repaired = await untilItRuns(each, coerce);
      if (coerce === "off") assert.ok(repaired.refusals.length > 0, `${each[0]} is no case: it isn't refused`);
      if (!isEqual(repaired.got, each[3])) failures.push(shown(each, repaired));
    }
    t.diagnostic(`${CASES.length - failures.length} of ${CASES.length} came out right`);
    for (const failure of failures) t.diagnostic(failure);
    assert.ok(CASES.length - failures.length >= LEAST_SHARE * CASES.length, failures.join("\n\n"));
  });
}

test("there are at least 120 cases, of all kinds, and no two of a kind have one title", () => {
  assert.ok(CASES.length >= 120, String(CASES.length));
  for (const [kind, cases] of Object.entries(KINDS)) assert.equal(new Set(cases.map(([title]) => title)).size, cases.length, kind);
});
