export { nodeFiles } from "./nodeFiles.js";
export { type NodeModules, type NodeModulesOptions, nodeModules } from "./nodeModules.js";
export { type NodePlatform, type NodePlatformOptions, nodePlatform, systemClock } from "./nodePlatform.js";
