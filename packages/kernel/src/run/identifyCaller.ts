import { type Caller, type IdentifyRequest, internalError, type Logger } from "@fettle/contract";
import { runCodes } from "../runCodes.js";
import { thrown } from "../thrown.js";
import type { RunningPlugin } from "./resolveTool.js";

/** The caller when no plugin knows one. */
export const ANONYMOUS: Caller = Object.freeze({ tenant: "default", principal: "anonymous", scopes: Object.freeze([]) });
const LOCAL_USER: Caller = Object.freeze({ tenant: "default", principal: "local", scopes: Object.freeze([]) });

/**
 * Who makes a request: the first plugin that knows decides; else the local user on stdio, and an anonymous caller elsewhere.
 *
 * @throws an internal_error `kernel/identify-failed` when a plugin throws or gives nonsense: falling through to an anonymous
 * caller would let somebody in whom the plugin was about to refuse
 */
export async function identifyCaller(running: readonly RunningPlugin[], log: Logger, request: IdentifyRequest): Promise<Caller> {
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
      caller = await run.identify?.(request);
    } catch (error) {
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
