// Measures Fettle beside the 1.x SDK's McpServer and the floor, interleaved in one run. `pnpm bench --help` tells of the options.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { summary } from "./measure/statistics.mjs";
import { rowOf, tableOf } from "./report.mjs";
import { SCENARIOS } from "./scenarios/scenarios.mjs";

const names = SCENARIOS.map(({ name }) => name);

const USAGE = `Measures Fettle beside the 1.x SDK and the floor (Node, a compiled validator and the handler), in rounds that take turns.

Usage: npm run bench -- [options]

  --only NAME,NAME   these scenarios in place of all: ${names.join(", ")}
  --rounds NUMBER    how often each is measured (default: 3)
  --ms NUMBER        how long a round takes, in milliseconds (default: 1500)
  --many NUMBER      how many tools a large server has (default: 1000)
  --out FILE         where the JSON is written (default: bench/results/latest.json)
  --strict           exit with 1 where a target is missed
  --json             print the JSON on stdout in place of the table
  --help             print this
`;

function wrongUse(message) {
  console.error(`bench: ${message}`);
  process.exit(2);
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        only: { type: "string", default: names.join(",") },
        rounds: { type: "string", default: "3" },
        ms: { type: "string", default: "1500" },
        many: { type: "string", default: "1000" },
        out: { type: "string", default: fileURLToPath(new URL("./results/latest.json", import.meta.url)) },
        strict: { type: "boolean", default: false },
        json: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    if (values.help) {
      process.stdout.write(USAGE);
      process.exit(0);
    }
    const only = values.only.split(",");
    const unknown = only.filter((name) => !names.includes(name));
    if (unknown.length > 0) wrongUse(`there is no scenario ${unknown.join(", ")}. There are ${names.join(", ")}.`);
    for (const key of ["rounds", "ms", "many"]) if (!/^[1-9]\d{0,5}$/.test(values[key])) wrongUse(`--${key} is a whole number from 1 on, not ${values[key]}.`);
    return { ...values, only, rounds: Number(values.rounds), ms: Number(values.ms), many: Number(values.many) };
  } catch (error) {
    // Node's advice on arguments that begin with a dash helps nobody here.
    return wrongUse(`${error.message.split(". ")[0]}.\n\n${USAGE}`);
  }
}

const options = readOptions();
if (!existsSync("/proc/self/stat")) wrongUse("CPU time of servers is read from /proc, which only Linux has.");

/** Figures by contender, each with what its rounds gave. The contenders take turns, so that other load on the machine meets all alike. */
async function run({ contenders, measure, name }) {
  const rounds = Object.fromEntries(contenders.map((contender) => [contender, []]));
  for (let round = 1; round <= options.rounds; round++) {
    for (const contender of contenders) {
      process.stderr.write(`${name}, round ${round} of ${options.rounds}: ${contender}\n`);
      rounds[contender].push(await measure(contender, options));
    }
  }
  const summed = (all) => Object.fromEntries(Object.keys(all[0]).map((figure) => [figure, summary(all.map((figures) => figures[figure]))]));
  return Object.fromEntries(contenders.map((contender) => [contender, summed(rounds[contender])]));
}

const scenarios = [];
for (const scenario of SCENARIOS.filter(({ name }) => options.only.includes(name))) {
  const figures = await run(scenario);
  scenarios.push({ name: scenario.name, figures, rows: scenario.rows(options.many).map((row) => rowOf(row, figures)) });
}

const machine = { node: process.version, cpus: cpus().length, cpu: cpus()[0]?.model };
mkdirSync(dirname(options.out), { recursive: true });
const { rounds, ms, many } = options;
const json = JSON.stringify({ date: new Date().toISOString(), machine, rounds, ms, many, scenarios }, null, 2);
writeFileSync(options.out, `${json}\n`);
process.stdout.write(`${options.json ? json : tableOf(scenarios)}\n`);
process.stderr.write(`Written to ${options.out}\n`);
if (options.strict && scenarios.some(({ rows }) => rows.some(({ met }) => met === false))) process.exitCode = 1;
