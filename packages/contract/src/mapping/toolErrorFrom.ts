import type { JsonObject } from "../json.js";
import { isThrownToolError, type ThrownToolError } from "../toolError.js";
import { type FailedWork, failedWork, said } from "./failedWork.js";
import { BY_NETWORK_ERROR, LASTING, networkCodes } from "./networkCodes.js";
import { BY_SYSTEM_ERROR, type SystemKey, systemCodes } from "./systemCodes.js";
import { type ResponseFacts, toolErrorFromResponse } from "./toolErrorFromResponse.js";

/** Causes are followed so far: fetch wraps a system error once, happy eyeballs wrap it twice. */
const MOST_CAUSES = 8;

/**
 * The tool error for what a handler caught: a system error of Node (`ENOENT`, `EACCES`, ...), a failed fetch (`ECONNREFUSED`, `ETIMEDOUT`, a
 * certificate), an HTTP client's error that carries a status, an abort or time-out, text that is no JSON. Errors that were thrown on purpose stay as
 * they are; anything else becomes `system/unexpected`. The caught error goes along as the cause, for the log: its message is never sent.
 *
 * @returns the error to throw: codes `system/*`, `network/*` or `http/*`
 * @example
 * try {
 *   return JSON.parse(await readFile(join(root, args.name), "utf8"));
 * } catch (error) {
 *   throw toolErrorFrom(error, { doing: `read ${args.name}` });
 * }
 */
export function toolErrorFrom(error: unknown, work: FailedWork = {}): ThrownToolError {
  const about = { cause: error, ...said(work) };
  return known(error, about) ?? fromSystem("unexpected", about);
}

/** The first of an error and its causes that says what it is. */
function known(error: unknown, about: FailedWork): ThrownToolError | undefined {
  try {
    for (const each of withCauses(error)) {
      if (isThrownToolError(each)) return each;
      const found = mapped(each, about);
      if (found !== undefined) return found;
    }
  } catch {
    // A getter or a proxy threw: what can't be read isn't known. It goes along as the cause.
  }
  return undefined;
}

function mapped(error: object, work: FailedWork): ThrownToolError | undefined {
  const code = stringMember(error, "code");
  const name = stringMember(error, "name");
  if (code !== undefined) {
    const details = { system_code: code };
    const ofProgram = stringMember(error, "syscall")?.startsWith("spawn") === true;
    if (code === "ENOENT" && ofProgram) return fromSystem("program-missing", work, details);
    // Stopped since it took too long, or told more than it might.
    if (code === "ETIMEDOUT" && ofProgram) return fromSystem("program-failed", work, details);
    if ((code === "ENOBUFS" && ofProgram) || code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER")
      return fromSystem("program-failed", { retry: false, ...work }, details);
    const system = Object.hasOwn(BY_SYSTEM_ERROR, code) ? BY_SYSTEM_ERROR[code] : undefined;
    if (system !== undefined) return fromSystem(system, work, details);
    const network = Object.hasOwn(BY_NETWORK_ERROR, code) ? BY_NETWORK_ERROR[code] : undefined;
    if (network !== undefined) return failedWork(networkCodes, network, { ...(LASTING.has(network) && { retry: false }), ...work }, details);
  }
  const ended = endOfProgram(error);
  // A program that says itself that it failed does so again.
  if (ended !== undefined) return fromSystem("program-failed", { ...("exit_code" in ended && { retry: false }), ...work }, ended);
  if (name === "AbortError") return fromSystem("aborted", work);
  if (name === "TimeoutError") return failedWork(networkCodes, "timeout", work);
  if (error instanceof SyntaxError && error.message.includes("JSON")) return fromSystem("not-json", work);
  const response = responseOf(error);
  return response && toolErrorFromResponse(response, work);
}

/** The tool error of a system key, with what is known of it besides: what is busy hasn't been touched, so that the same call is safe again. */
function fromSystem(key: SystemKey, work: FailedWork, details: JsonObject = {}): ThrownToolError {
  const retry = RETRY[key];
  return failedWork(systemCodes, key, { ...(retry !== undefined && { retry }), ...work }, details);
}

/** Whether the same call may succeed, where the type alone doesn't say: what is full, missing or in another form stays so. */
const RETRY: Partial<Record<SystemKey, boolean>> = { busy: true, "no-space": false, "program-missing": false, "not-json": false };

/** How a program ended that failed: what Node's `execFile` and `exec` put on the error (`cmd`), and `execFileSync` and `execSync` (`pid`, `output`). */
function endOfProgram(error: object): JsonObject | undefined {
  const sync = "pid" in error && "output" in error;
  if (!sync && !("cmd" in error)) return undefined;
  const code = numberMember(error, sync ? "status" : "code");
  const signal = stringMember(error, "signal");
  if (code === undefined && signal === undefined) return undefined;
  return { ...(code !== undefined && { exit_code: code }), ...(signal !== undefined && { signal }) };
}

/** An error, what caused it, and the members of those that stand for several, nearest first. */
function withCauses(error: unknown): object[] {
  const found: object[] = [];
  const waiting = [error];
  while (waiting.length > 0 && found.length < MOST_CAUSES) {
    const each = waiting.shift();
    if (typeof each !== "object" || each === null || found.includes(each)) continue;
    found.push(each);
    if ("cause" in each) waiting.push(each.cause);
    if ("errors" in each && Array.isArray(each.errors)) waiting.push(...each.errors.slice(0, MOST_CAUSES));
  }
  return found;
}

/** The status of an answer as HTTP clients put it on what they throw: `error.response.status`, `error.status` or `error.statusCode`. */
function responseOf(error: object): ResponseFacts | undefined {
  const response = "response" in error && typeof error.response === "object" && error.response !== null ? error.response : error;
  const status = numberMember(response, "status") ?? numberMember(response, "statusCode");
  if (status === undefined || status < 400 || status > 599) return undefined;
  const headers: unknown = "headers" in response ? response.headers : undefined;
  return { status, ...(typeof headers === "object" && headers !== null && { headers }) };
}

function stringMember(value: object, key: string): string | undefined {
  const member: unknown = Reflect.get(value, key);
  return typeof member === "string" ? member : undefined;
}

function numberMember(value: object, key: string): number | undefined {
  const member: unknown = Reflect.get(value, key);
  return typeof member === "number" ? member : undefined;
}
