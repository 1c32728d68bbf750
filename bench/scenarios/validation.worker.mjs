// Has one contender check the corpus inside of this process, and prints the CPU time of a check in microseconds, for each part of the corpus valid and
// with five problems; of Fettle also the longest single call in milliseconds, the first ones and hostile arguments included.
//   node validation.worker.mjs CONTENDER MS

import validation from "@fettle/plugin-validation";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { z } from "zod";
import { median } from "../measure/statistics.mjs";
import { CORPUS, HOSTILE } from "./validationCorpus.mjs";

/** Each makes a check out of a part of the corpus: whether arguments fit, with what a caller would be told made on the way. */
const CHECKERS = {
  floor: ({ schema }) => {
    const ajv = new Ajv2020({ allErrors: true, strict: false });
    addFormats.default(ajv);
    return ajv.compile(schema);
  },
  sdk1: ({ shape }) => {
    const tool = new McpServer({ name: "sdk1", version: "1.0.0" });
    const registered = tool.registerTool("tool", { inputSchema: z.strictObject(shape(z)) }, () => ({ content: [] }));
    // What the server does with the arguments of a call, without the rest of the call.
    return (args) =>
      tool.validateToolInput(registered, args, "tool").then(
        () => true,
        () => false,
      );
  },
  fettle: ({ schema }) => {
    const tool = { name: "tool", version: "1.0.0", spec: { parameters: schema } };
    const layer = validation.create({ coerce: "safe", output: "on" }, { configDir: "." }).setup({}).layer(tool);
    const fine = { kind: "ok", notes: {}, tool };
    return (args) => layer({ args, note() {} }, () => fine) === fine;
  },
};

/** A slice of calls lasts about this long, so that the clock of the CPU tells them apart. */
const SLICE_MS = 4;
const MOST_CALLS = 10_000;

/** CPU time of one check, in milliseconds. */
async function once(check, args, fits) {
  const before = process.cpuUsage();
  const answer = check(args);
  const said = answer instanceof Promise ? await answer : answer;
  const { user, system } = process.cpuUsage(before);
  if (said !== fits) throw new Error(`the answer is ${said}`);
  return (user + system) / 1_000;
}

/** CPU time of a check: the median over slices, of which other load on the machine blurs some only. */
async function microseconds(check, args, fits, budget) {
  let slowest = 0;
  let fastest = Infinity;
  const warm = performance.now() + budget / 3;
  do {
    const took = await once(check, args, fits);
    slowest = Math.max(slowest, took);
    fastest = Math.min(fastest, took);
  } while (performance.now() < warm);
  const calls = Math.max(1, Math.min(MOST_CALLS, Math.round(SLICE_MS / fastest)));
  const slices = [];
  const end = performance.now() + budget;
  do {
    const before = process.cpuUsage();
    for (let i = 0; i < calls; i++) {
      const answer = check(args);
      if (answer instanceof Promise) await answer;
    }
    const { user, system } = process.cpuUsage(before);
    slices.push((user + system) / calls);
  } while (performance.now() < end);
  return { us: median(slices), slowest };
}

const [name, ms] = process.argv.slice(2);
const budget = Number(ms) / CORPUS.length;
const figures = {};
let slowest = 0;
for (const part of CORPUS) {
  const check = CHECKERS[name](part);
  for (const kind of ["valid", "five"]) {
    const measured = await microseconds(check, part[kind], kind === "valid", budget);
    figures[`${part.name}, ${kind}`] = measured.us;
    slowest = Math.max(slowest, measured.slowest);
  }
}
if (name === "fettle") {
  for (const { schema, args } of HOSTILE) {
    const check = CHECKERS.fettle({ schema });
    for (let i = 0; i < 3; i++) {
      slowest = Math.max(slowest, await once(check, args, false));
    }
  }
  figures.slowest_ms = slowest;
}
process.stdout.write(`${JSON.stringify(figures)}\n`);
process.exit(0);
