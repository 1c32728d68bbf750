export { nodeFiles } from "./nodeFiles.js";
export { type NodeModules, type NodeModulesOptions, nodeModules } from "./nodeModules.js";
export { type NodePlatformOptions, nodePlatform, systemClock } from "./nodePlatform.js";
