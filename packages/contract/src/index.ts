export type { ToolSpec } from "@fettle/spec-types";
export type { Ask, Call, CallChange, Caller, IdentifyRequest, Layer, Next, Resolution, ResolveAsk, ResolveNext } from "./call.js";
export type { Capabilities, Feedback, KeyValue, Recordings, Scores, Usage } from "./capabilities.js";
export type { Clock } from "./clock.js";
export { type CodeInfo, type CodeTable, defineCodes } from "./codes.js";
export type { CacheHint, Command, ContributionContext, Prompt, PromptMessages, Resource, ResourceTemplate, Route } from "./contributions.js";
export type { Diagnostic, Finding, Severity } from "./diagnostic.js";
export type { Json, JsonObject, JsonPath, JsonSchema, Maybe } from "./json.js";
export type { Logger } from "./log.js";
export type { FailedWork } from "./mapping/failedWork.js";
export { httpCodes } from "./mapping/httpCodes.js";
export { networkCodes } from "./mapping/networkCodes.js";
export { systemCodes } from "./mapping/systemCodes.js";
export { toolErrorFrom } from "./mapping/toolErrorFrom.js";
export { type ResponseFacts, toolErrorFromResponse } from "./mapping/toolErrorFromResponse.js";
export {
  type Content,
  type ContentAnnotations,
  type HandlerQuestion,
  type HandlerResult,
  type InputRequest,
  isHandlerQuestion,
  isHandlerResult,
  type Notes,
  needInput,
  type Outcome,
  type ResourceContents,
  result,
} from "./outcome.js";
export {
  type Catalog,
  type ConfiguredPlugin,
  definePlugin,
  type Host,
  type InnerPosition,
  type Listing,
  type ListName,
  type ListQuery,
  type Plugin,
  type PluginDefinition,
  type PluginEnv,
  type PluginModule,
  type PluginRun,
  POSITIONS,
  type Position,
  type SectionModule,
} from "./plugin.js";
export { renderToolError } from "./renderToolError.js";
export type { Handler, HandlerContext, HandlerReturn, ModuleFunction, Tool, ToolRef } from "./tool.js";
export {
  ERROR_TYPES,
  type ErrorOptions,
  type ErrorType,
  externalError,
  inputError,
  internalError,
  isThrownToolError,
  logLevelOf,
  makeToolError,
  permissionError,
  type RetryFacts,
  rateLimitError,
  resourceError,
  stateError,
  ThrownToolError,
  type ToolError,
} from "./toolError.js";
export { isUnwritten } from "./unwritten.js";
export type { Validator, ValidatorAnswer, ValidatorContext, ValidatorProblem } from "./validator.js";
