export type { CheckOptions, CheckResult, CompiledSchema, EngineLimits, Problem, Repair, SchemaEngine, SchemaFinding } from "./types.js";
