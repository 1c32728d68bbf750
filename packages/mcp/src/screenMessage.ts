import type { JSONRPCNotification, JSONRPCRequest, JSONRPCResponse } from "@modelcontextprotocol/server";
import { isJsonObject } from "./isJsonObject.js";
import { plainName } from "./plainName.js";
import { META_KEY } from "./revisions.js";
import { WIRE_CODE, type WireError, wireError } from "./wireError.js";

/** Keys of `params._meta` that must be strings where they are given. */
export const STRING_META: readonly string[] = ["dev.fettle/idempotency-key", "dev.fettle/tool-version", "dev.fettle/task-type", "dev.fettle/agent-type"];

/** The id of a message, where it has a usable one. */
export function idOf(message: unknown): string | number | null {
  if (!isJsonObject(message)) return null;
  const { id } = message;
  return typeof id === "string" || (typeof id === "number" && Number.isSafeInteger(id)) ? id : null;
}

const REQUEST_MEMBERS = new Set(["jsonrpc", "id", "method", "params"]);

/** Whether a message that {@link screenMessage} found nothing wrong with is a request. The SDK's own guard runs its schema library, at ten times the cost. */
export function isRequest(message: unknown): message is JSONRPCRequest {
  return isJsonObject(message) && "method" in message && "id" in message;
}

/** Whether a message that {@link screenMessage} found nothing wrong with is a notification. */
export function isNotification(message: unknown): message is JSONRPCNotification {
  return isJsonObject(message) && "method" in message && !("id" in message);
}

/**
 * Looks at one parsed message before the SDK does, and says what is wrong with it in words that a person can act on.
 * The SDK refuses the same messages, but with a dump of its schema library, or on stdio with silence.
 *
 * @returns the error to answer with, or undefined where nothing is wrong with its shape
 */
export function screenMessage(message: unknown): WireError | undefined {
  const id = idOf(message);
  const invalid = (text: string): WireError => wireError(id, WIRE_CODE.invalidRequest, text);
  if (Array.isArray(message)) return invalid("A JSON-RPC batch is not taken here: send one message at a time.");
  if (!isJsonObject(message)) return invalid(`A JSON-RPC message is an object, not ${message === null ? "null" : `a ${typeof message}`}.`);
  if (message["jsonrpc"] !== "2.0") return invalid('A JSON-RPC message has "jsonrpc": "2.0".');
  // An answer, also a broken one, is never answered: two peers would go on for ever.
  if (!("method" in message))
    return "result" in message || "error" in message ? undefined : invalid("A message has a method, or it is an answer with a result or an error.");
  if ("id" in message && id === null) {
    return invalid("The id of a request is a string or an integer, and an integer lies between -9007199254740991 and 9007199254740991.");
  }
  const { method, params } = message;
  if (typeof method !== "string") return invalid("The method of a message is a string.");
  if (!Object.keys(message).every((key) => REQUEST_MEMBERS.has(key))) return invalid("This is not a JSON-RPC request: it has members that none has.");
  const wrong = (text: string): WireError | undefined => (id === null ? undefined : wireError(id, WIRE_CODE.invalidParams, text));
  if (params !== undefined && !isJsonObject(params)) return wrong(`params of ${shown(method)} must be an object, got ${kindOf(params)}.`);
  const meta = params?.["_meta"];
  if (meta !== undefined && !isJsonObject(meta)) return wrong(`params._meta must be an object, got ${kindOf(meta)}.`);
  const token = meta?.["progressToken"];
  if (token !== undefined && typeof token !== "string" && !Number.isSafeInteger(token)) {
    return wrong(`params._meta.progressToken must be a string or an integer, got ${kindOf(token)}.`);
  }
  const answers = ASKING.has(method) ? screenAnswers(params ?? {}, wrong) : undefined;
  if (answers !== undefined) return answers;
  if (method === "tools/call") return screenCall(params ?? {}, wrong);
  // A request of 2026-07-28 names its revision, and there is no initialize in that one: the SDK says so.
  return method === "initialize" && meta?.[META_KEY.protocolVersion] === undefined ? screenInitialize(message as JSONRPCRequest, wrong) : undefined;
}

/** Whether a message is a sound answer to a request. */
export function isAnswer(message: unknown): message is JSONRPCResponse {
  if (!isJsonObject(message) || message["jsonrpc"] !== "2.0") return false;
  const { id, result, error, jsonrpc: _, ...more } = message;
  if (Object.keys(more).length > 0 || (id !== undefined && idOf(message) === null)) return false;
  if ("result" in message) return !("error" in message) && id !== undefined && isJsonObject(result);
  return isJsonObject(error) && Number.isSafeInteger(error["code"]) && typeof error["message"] === "string";
}

/** What is wrong with an answer that came from a client; undefined for a sound one, and for all that is no answer. */
export function screenAnswer(message: unknown): WireError | undefined {
  if (!isJsonObject(message) || "method" in message || isAnswer(message)) return undefined;
  const text = "This is not a JSON-RPC answer: that has the id of its request, and a result or an error with a code and a message.";
  return wireError(null, WIRE_CODE.invalidRequest, text);
}

/** Most messages in a batch: what the SDK takes. */
const LONGEST_BATCH = 100;

/** Why a batch of a revision that has batches isn't taken: its length, or the first of its messages that is wrong. */
export function screenBatch(batch: readonly unknown[]): WireError | undefined {
  const invalid = (text: string): WireError => wireError(null, WIRE_CODE.invalidRequest, text);
  if (batch.length === 0) return invalid("A JSON-RPC batch holds at least one message; this one is empty.");
  if (batch.length > LONGEST_BATCH) return invalid(`A JSON-RPC batch holds at most ${LONGEST_BATCH} messages here; this one has ${batch.length}.`);
  const ids = new Set<unknown>();
  for (const [index, message] of batch.entries()) {
    const wrong = Array.isArray(message) ? invalid("A batch holds no other batch.") : (screenMessage(message) ?? screenAnswer(message));
    if (wrong !== undefined) return { ...wrong, error: { ...wrong.error, message: `Message ${index + 1} of the batch: ${wrong.error.message}` } };
    if (!isRequest(message)) continue;
    if (message.method === "initialize") return invalid("initialize is sent on its own, not in a batch.");
    if (ids.has(message.id)) return invalid("Two requests of this batch have the same id.");
    ids.add(message.id);
  }
  return undefined;
}

/** A request of the older era that opens a session or connection. */
export interface Handshake extends JSONRPCRequest {
  readonly params: { readonly protocolVersion: string; readonly capabilities: Readonly<Record<string, unknown>> };
}

/** Whether a request is a sound `initialize`. */
export function isHandshake(request: JSONRPCRequest): request is Handshake {
  const { protocolVersion, capabilities, clientInfo } = request.params ?? {};
  const named = isJsonObject(clientInfo) && typeof clientInfo["name"] === "string" && typeof clientInfo["version"] === "string";
  return request.method === "initialize" && typeof protocolVersion === "string" && isJsonObject(capabilities) && named;
}

function screenInitialize(request: JSONRPCRequest, wrong: (text: string) => WireError | undefined): WireError | undefined {
  if (isHandshake(request)) return undefined;
  return wrong("initialize needs params.protocolVersion (a string), params.capabilities (an object) and params.clientInfo (an object with name and version).");
}

/** The methods that may ask the user, and so may come again with answers. */
const ASKING = new Set(["tools/call", "prompts/get", "resources/read"]);

function screenAnswers(params: Readonly<Record<string, unknown>>, wrong: (text: string) => WireError | undefined): WireError | undefined {
  const { inputResponses, requestState } = params;
  if (inputResponses !== undefined && !isJsonObject(inputResponses)) {
    return wrong(`params.inputResponses must be an object with an answer for each key of inputRequests, got ${kindOf(inputResponses)}.`);
  }
  if (requestState === undefined || typeof requestState === "string") return undefined;
  return wrong(`params.requestState must be the string that came with the questions, got ${kindOf(requestState)}.`);
}

function screenCall(params: Readonly<Record<string, unknown>>, wrong: (text: string) => WireError | undefined): WireError | undefined {
  const { name, arguments: args, idempotencyKey } = params;
  if (typeof name !== "string") return wrong("tools/call needs params.name: the name of a tool as tools/list shows it.");
  if (args !== undefined && !isJsonObject(args)) {
    const fix = typeof args === "string" ? " Send the JSON object itself, not its text." : "";
    return wrong(`params.arguments of tools/call must be an object, got ${kindOf(args)}.${fix}`);
  }
  if (idempotencyKey !== undefined && typeof idempotencyKey !== "string") {
    return wrong(`params.idempotencyKey must be a string, got ${kindOf(idempotencyKey)}.`);
  }
  const meta = params["_meta"];
  if (!isJsonObject(meta)) return undefined;
  for (const key of STRING_META) {
    const value = meta[key];
    if (value !== undefined && typeof value !== "string") return wrong(`params._meta["${key}"] must be a string, got ${kindOf(value)}.`);
  }
  return undefined;
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** A method name that came from outside, short enough to be repeated. */
function shown(method: string): string {
  return plainName(method) ?? "this method";
}
