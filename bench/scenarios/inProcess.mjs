import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const WORKER = fileURLToPath(new URL("./inProcess.worker.mjs", import.meta.url));

/** One call of a tool with twelve fields inside of the process, from JSON text to JSON text. */
export const inProcess = {
  name: "in-process",
  contenders: ["floor", "sdk1", "fettle"],
  measure: async (contender, { ms }) => JSON.parse((await promisify(execFile)(process.execPath, [WORKER, contender, String(ms)])).stdout),
  rows: () => [
    { title: "valid call, us", figure: "good_us", against: "floor", atMost: 1.6 },
    { title: "call with four faults, us", figure: "bad_us", against: "floor", atMost: 2.5 },
  ],
};
