export type { Validator, ValidatorAnswer, ValidatorContext, ValidatorProblem } from "@fettle/contract";
export { default } from "./plugin.js";
export type { ValidationOptions } from "./settings.js";
export { validationCodes } from "./validationCodes.js";
