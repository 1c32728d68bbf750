import { internalError, type JsonObject, type Logger, logLevelOf, type Maybe, stateError, type ThrownToolError, type ToolError } from "@fettle/contract";
import type { ContributionRun } from "../kernel.js";
import type { Platform } from "../platform.js";
import { runCodes } from "../runCodes.js";
import { thrown } from "../thrown.js";
import { isToolErrorThrown, toolErrorOf } from "../thrownToolError.js";
import { blankArguments } from "./blankArguments.js";
import { clientLog } from "./clientLog.js";
import { isPromise } from "./isPromise.js";

export interface ContributionEnv extends Pick<Platform, "clock" | "log" | "newId"> {
  /** Whose it is, for the log. */
  readonly plugin: string;
  readonly timeoutMs: number;
}

/** Runs a function of a plugin's prompt or resource as a call is run: within a time limit, until its caller goes away, and with no internals in its errors. */
export async function runContribution<T>(
  env: ContributionEnv,
  { hook, subject, signal, args, check, onLog }: Omit<ContributionRun, "of">,
  run: (signal: AbortSignal, log: Logger) => Maybe<T>,
): Promise<T> {
  const cancelled = (): Error => stateError(runCodes.code("cancelled"), { what: `${subject} was not waited for: the request was cancelled.` });
  if (signal?.aborted) throw cancelled();
  const own = new AbortController();
  let end = (): void => {};
  const { plugin } = env;
  /** What this function makes of it is logged where it is made. */
  let ours: unknown;
  const checked = (given: T): T => {
    // An error that was returned is meant to be thrown, as in handlers.
    if (isToolErrorThrown(given)) throw given;
    const id = env.newId();
    const wrong = check?.(given, id);
    if (wrong === undefined) return given;
    env.log.error(`plugin ${plugin} gave something that can't be sent in its ${hook} hook`, {
      call_id: id,
      plugin,
      hook,
      problem: blankArguments(args)(wrong.message),
    });
    ours = wrong;
    throw wrong;
  };
  try {
    const given = run(own.signal, clientLog(env.log, { plugin, hook }, onLog));
    if (!isPromise(given)) return checked(given);
    const givenUp = new Promise<never>((_, reject) => {
      // The answer first: what the plugin does once it hears of the end comes too late.
      const giveUp = (error: Error, reason: DOMException): void => {
        ours = error;
        reject(error);
        own.abort(reason);
      };
      const oncancel = (): void => giveUp(cancelled(), new DOMException("The caller cancelled the request.", "AbortError"));
      const stopTimer = env.clock.after(env.timeoutMs, () =>
        giveUp(tooLate(env, hook, subject), new DOMException("The time of the request is up.", "TimeoutError")),
      );
      signal?.addEventListener("abort", oncancel, { once: true });
      end = () => {
        stopTimer();
        signal?.removeEventListener("abort", oncancel);
      };
    });
    return checked(await Promise.race([givenUp, given]));
  } catch (error) {
    if (error === ours) throw error;
    const id = env.newId();
    const about = { call_id: id, plugin, hook };
    const made = isToolErrorThrown(error) ? toolErrorOf(error) : undefined;
    if (made !== undefined && "toolError" in made) {
      logMade(env.log, made.toolError, (error as ThrownToolError).cause, about, blankArguments(args));
      throw error;
    }
    const why = made === undefined ? "" : ` a tool error that can't be sent: ${made.problem}`;
    env.log.error(`plugin ${plugin} threw${why} in its ${hook} hook`, { ...about, ...thrown(error, blankArguments(args)) });
    throw internalError(runCodes.code("layer-threw"), {
      what: `${subject} can't be given because of a fault of the server, not of the request: the plugin ${plugin} threw in its ${hook} hook.`,
      fix: `Tell the operator of this server the call id ${id}: the log has the details.`,
      details: { plugin, hook, call_id: id },
    });
  } finally {
    end();
  }
}

/** Logs of an error that was thrown on purpose what the client isn't told: its cause. A fault of the server is logged in any case. */
function logMade(log: Logger, { error_type, error_code }: ToolError, cause: unknown, about: JsonObject, blank: (text: string) => string): void {
  if (cause === undefined && error_type !== "internal_error") return;
  const fields = { ...about, error_type, tool_error: error_code, ...(cause !== undefined && thrown(cause, blank)) };
  log[logLevelOf(error_type)](`plugin ${about["plugin"]} failed in its ${about["hook"]} hook: ${error_code}`, fields);
}

function tooLate({ plugin, timeoutMs, log }: ContributionEnv, hook: string, subject: string): Error {
  const seconds = Math.round(timeoutMs / 100) / 10;
  log.error(`plugin ${plugin} did not answer within ${seconds} s in its ${hook} hook`, { plugin, hook, timeout_ms: timeoutMs });
  return internalError(runCodes.code("deadline-exceeded"), {
    what: `${subject} did not answer within the time limit of ${seconds} s.`,
    why: "The work takes longer than the limit, or something it waits for hangs.",
    fix: "Ask again later. Tell the operator of this server if it stays so: the log has the details.",
    details: { timeout_ms: timeoutMs },
  });
}
