import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { requireComponent } from "../support/requireComponent.js";
import { type ConformanceServer, startConformanceServer } from "./conformanceServer.js";
import { type Check, requirementsOf, runSuite, SUITES } from "./runSuite.js";

/** Of the extension Tasks (SEP-2663), which is optional and which Fettle doesn't have. */
const isOfTasks = (scenario: string): boolean => scenario.startsWith("tasks-");

const passed = (checks: readonly Check[]): number => checks.filter(({ status }) => status === "SUCCESS").length;

/** What fell short in a scenario, also what the suite only warns of or skips. */
function shortfalls(checks: readonly Check[]): readonly string[] {
  const found = checks
    .filter(({ status }) => status !== "SUCCESS" && status !== "INFO")
    .map(({ id, status, errorMessage }) => `${id} ${status}: ${errorMessage}`);
  return passed(checks) === 0 ? [...found, "no check of it succeeded"] : found;
}

describe("the official conformance suites", requireComponent("node22"), () => {
  let server: ConformanceServer;
  before(async () => {
    server = await startConformanceServer();
  });
  after(async () => {
    assert.equal(await server.stop(), 0);
  });

  for (const suite of SUITES) {
    test(`${suite.version} ${suite.args.join(" ")}: every scenario passes, but for those of the extension Tasks`, async () => {
      const { scenarios, exitCode, output } = await runSuite(suite, server.url);
      const found = [...scenarios].map(([name, checks]) => [name, shortfalls(checks)] as const).filter(([name, wrong]) => wrong.length > 0 && !isOfTasks(name));
      assert.equal(found.length, 0, `These fall short:\n${JSON.stringify(Object.fromEntries(found), null, 2)}\n${output.slice(-2_000)}`);

      const ran = [...scenarios.keys()].sort();
      const { scored, notScored } = requirementsOf(suite) ?? { scored: ran, notScored: [] };
      assert.deepEqual(ran, [...scored, ...notScored].sort());
      assert.equal(scored.length, suite.scenarios);
      assert.equal(passed(scored.flatMap((name) => scenarios.get(name) ?? [])), suite.checks);
      assert.equal(exitCode, 0);
    });
  }
});
