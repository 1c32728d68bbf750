import { createRequire } from "node:module";
import type { Ajv, Options } from "ajv";
import type { Dialect } from "./subschemas.js";

const require = createRequire(import.meta.url);

/** An Ajv of a dialect. Its ninety modules are loaded when the first is made: many a process, and the start of every server, needs none. */
export function newAjv(dialect: Dialect, options: Options): Ajv {
  if (dialect === "draft-07") {
    const { Ajv: Draft07 } = require("ajv") as typeof import("ajv");
    return new Draft07(options);
  }
  const { Ajv2020 } = require("ajv/dist/2020.js") as typeof import("ajv/dist/2020.js");
  return new Ajv2020(options);
}
