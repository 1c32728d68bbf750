import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { CORPUS } from "./validationCorpus.mjs";

const WORKER = fileURLToPath(new URL("./validation.worker.mjs", import.meta.url));

const KINDS = [
  { kind: "valid", words: "valid", atMost: 1.15 },
  { kind: "five", words: "five problems", atMost: 3 },
];

const rowsOf = (against, hasTarget) =>
  KINDS.flatMap(({ kind, words, atMost }) =>
    CORPUS.map(({ name }) => ({ title: `${name}, ${words}, us`, figure: `${name}, ${kind}`, against, ...(hasTarget && { atMost }) })),
  );

/** The validation plugin alone, beside Ajv alone with allErrors and what the 1.x SDK does with zod, over arguments that are hard to check. */
export const validation = {
  name: "validation",
  contenders: ["floor", "sdk1", "fettle"],
  measure: async (contender, { ms }) => JSON.parse((await promisify(execFile)(process.execPath, [WORKER, contender, String(ms)])).stdout),
  rows: () => [...rowsOf("floor", true), ...rowsOf("sdk1", false), { title: "slowest call of all and of hostile ones, ms", figure: "slowest_ms", atMost: 250 }],
};
