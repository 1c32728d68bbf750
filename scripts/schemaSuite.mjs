// Runs the JSON-Schema-Test-Suite (https://github.com/json-schema-org/JSON-Schema-Test-Suite) through the schema engine. The suite isn't part of this
// repository: give the folder of a draft's tests.
//   npm run schema-suite -- ../JSON-Schema-Test-Suite/tests/draft2020-12
// Formats only annotate here, as 2020-12 has it. A schema that is refused at load, or taken with a warning, counts as flagged: its author is told.
// Exits 1 when an invalid instance is accepted and nobody was told.
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { createSchemaEngine } from "../packages/schema/src/index.ts";

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error("Give the folder with the tests of a draft: npm run schema-suite -- JSON-Schema-Test-Suite/tests/draft2020-12");
  process.exit(2);
}

const AS_THE_SUITE_HAS_IT = { repair: false, defaults: false, formats: false, exactIntegers: false };
/** Both ways of deciding: interpreted, and compiled for the first value. A test is right where both are. */
const [engine, compiling] = [createSchemaEngine(), createSchemaEngine({ compileAfter: 0 })];
const counts = { tests: 0, right: 0, flagged_right: 0, refused: 0, wrongly_refused: 0, flagged_wrong: 0, wrongly_accepted: 0 };
const wrong = [];
const refused = new Map();

for (const file of testFiles()) {
  for (const { description, schema, tests } of JSON.parse(readFileSync(join(folder, file), "utf8"))) {
    const findings = engine.admit(schema);
    const error = findings.find(({ severity }) => severity === "error");
    const checks = error === undefined ? [engine.compile(schema), compiling.compile(schema)] : [];
    if (error) refused.set(error.code, (refused.get(error.code) ?? 0) + tests.length);
    for (const test of tests) {
      counts.tests += 1;
      const verdict = judge(checks, findings.length > 0, test);
      counts[verdict] += 1;
      if (verdict.includes("wrong")) wrong.push(`${verdict}: ${basename(file, ".json")} | ${description} | ${test.description}`);
    }
  }
}

function testFiles() {
  try {
    const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
    if (files.length > 0) return files;
    console.error(`There are no tests in ${folder}: give the folder that holds their JSON files, for example tests/draft2020-12.`);
  } catch (error) {
    console.error(`The folder ${folder} can't be read${error instanceof Error && "code" in error ? ` (${error.code})` : ""}.`);
  }
  process.exit(2);
}

function judge(checks, flagged, { data, valid }) {
  if (checks.length === 0) return "refused";
  if (checks.every((each) => each.check(data, AS_THE_SUITE_HAS_IT).valid === valid)) return flagged ? "flagged_right" : "right";
  if (flagged) return "flagged_wrong";
  return valid ? "wrongly_refused" : "wrongly_accepted";
}

const silent = counts.wrongly_accepted;
console.log(`${counts.tests} tests`);
console.log(`${counts.right} right`);
console.log(`${counts.flagged_right} right, with a warning at load`);
console.log(`${counts.refused} of schemas refused at load${refused.size > 0 ? `: ${[...refused].map(([code, n]) => `${n} ${code}`).join(", ")}` : ""}`);
console.log(`${counts.flagged_wrong} wrong, with a warning at load`);
console.log(`${counts.wrongly_refused} wrong: a valid instance is refused`);
console.log(`${silent} wrong: an invalid instance is accepted and nobody is told`);
for (const line of wrong) console.log(`  ${line}`);
process.exit(silent > 0 ? 1 : 0);
