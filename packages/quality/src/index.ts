export { type PortabilityOptions, portabilityFindings } from "./portabilityFindings.js";
export { PORTABILITY_RULES, type PortabilityRule, type PortabilityRuleId } from "./portabilityRules.js";
