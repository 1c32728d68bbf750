import type { Json, JsonSchema } from "@fettle/contract";
import { evaluate } from "./evaluate.js";
import type { Run } from "./run.js";
import { SchemaIndex } from "./schemaIndex.js";
import { dialectOf } from "./subschemas.js";
import type { CompiledSchema, EngineLimits, Problem, SchemaEngine } from "./types.js";

const LIMITS: EngineLimits = { depth: 64, bytes: 1024 * 1024, problems: 20 };

/** Makes a schema engine. */
export function createSchemaEngine(limits: Partial<EngineLimits> = {}): SchemaEngine {
  const bounds = { ...LIMITS, ...limits };
  return {
    admit: () => [],
    compile: (schema: JsonSchema): CompiledSchema => {
      const dialect = dialectOf(schema) ?? "2020-12";
      const index = new SchemaIndex(schema, dialect);
      return {
        check(value, options = {}) {
          const out: Problem[] = [];
          const run: Run = {
            visit: evaluate,
            index,
            matcher: (pattern) => new RegExp(pattern, "u"),
            format: () => undefined,
            words: options.words ?? { root: "the arguments", key: "argument" },
            limit: bounds.problems + 1,
            exactIntegers: true,
            tracks: JSON.stringify(schema).includes('"unevaluated'),
            path: [],
            scope: [],
            steps: 0,
          };
          return evaluate(run, schema, value, out, undefined)
            ? { valid: true, value: value as Json, repairs: [] }
            : { valid: false, value: value as Json, problems: out };
        },
      };
    },
  };
}
