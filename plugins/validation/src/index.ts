export { default } from "./plugin.js";
export { validationCodes } from "./validationCodes.js";
