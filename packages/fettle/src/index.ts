// What tool authors need, in one import.
export {
  type Content,
  externalError,
  type Handler,
  type HandlerContext,
  inputError,
  internalError,
  type Json,
  type JsonObject,
  needInput,
  permissionError,
  rateLimitError,
  resourceError,
  result,
  stateError,
} from "@fettle/contract";
