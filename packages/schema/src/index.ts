export { createSchemaEngine } from "./createSchemaEngine.js";
export { describeSchema } from "./describeSchema.js";
export { formatPath } from "./formatPath.js";
export { isSchema } from "./jsonType.js";
export { nearestWord } from "./nearestWord.js";
export { countProblems, type RenderOptions, renderProblems } from "./renderProblems.js";
export { showValue } from "./showValue.js";
export type { CheckOptions, CheckResult, CompiledSchema, EngineLimits, Problem, Repair, SchemaEngine, SchemaFinding } from "./types.js";
export { type DeclaredTypes, type DeclareOptions, declareTypes } from "./typescript/declareTypes.js";
