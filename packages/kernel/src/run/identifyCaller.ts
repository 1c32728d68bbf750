import { type Caller, type IdentifyRequest, internalError } from "@fettle/contract";
import type { Platform } from "../platform.js";
import { runCodes } from "../runCodes.js";
import { thrown } from "../thrown.js";
import { LimitReached, withinLimit } from "../withinLimit.js";
import { isPromise } from "./isPromise.js";
import type { RunningPlugin } from "./resolveTool.js";

/** The caller when no plugin knows one. */
export const ANONYMOUS: Caller = Object.freeze({ tenant: "default", principal: "anonymous", scopes: Object.freeze([]) });
/** Time for one plugin to find out who calls, in milliseconds: it may ask another server. */
const IDENTIFY_LIMIT_MS = 10_000;
const LOCAL_USER: Caller = Object.freeze({ tenant: "default", principal: "local", scopes: Object.freeze([]) });

/**
 * Who makes a request: the first plugin that knows decides; else the local user on stdio, and an anonymous caller elsewhere.
 *
 * @throws an internal_error `kernel/identify-failed` when a plugin throws, gives nonsense or doesn't answer: falling through to an anonymous
 * caller would let somebody in whom the plugin was about to refuse
 */
export async function identifyCaller(
  running: readonly RunningPlugin[],
  { clock, log }: Pick<Platform, "clock" | "log">,
  request: IdentifyRequest,
): Promise<Caller> {
  for (const { plugin, run } of running) {
    const failed = (did: string, fields = {}) => {
      log.error(`plugin ${plugin.name} ${did}`, { plugin: plugin.name, hook: "identify", ...fields });
      return internalError(runCodes.code("identify-failed"), {
        what: `It could not be found out who calls: the plugin ${plugin.name} ${did}.`,
        fix: "Tell the operator of this server: the log has the details.",
        details: { plugin: plugin.name, hook: "identify" },
      });
    };
    let caller: Caller | undefined;
    try {
      const given = run.identify?.(request);
      caller = isPromise(given) ? await withinLimit(clock, IDENTIFY_LIMIT_MS, () => given) : given;
    } catch (error) {
      if (error instanceof LimitReached) throw failed(`did not answer within ${IDENTIFY_LIMIT_MS / 1_000} s in its identify hook`);
      throw failed("threw in its identify hook", thrown(error));
    }
    if (caller === undefined) continue;
    if (!isCaller(caller)) throw failed("gave something that is no caller from its identify hook");
    return caller;
  }
  return request.transport === "stdio" ? LOCAL_USER : ANONYMOUS;
}

function isCaller(value: unknown): value is Caller {
  if (typeof value !== "object" || value === null) return false;
  const { tenant, principal, scopes } = value as Readonly<Record<keyof Caller, unknown>>;
  return typeof tenant === "string" && typeof principal === "string" && Array.isArray(scopes) && scopes.every((scope) => typeof scope === "string");
}
