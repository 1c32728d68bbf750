import type { Ask, Caller, JsonObject } from "@fettle/contract";
import type { Kernel } from "@fettle/kernel";
import { isJsonObject } from "./isJsonObject.js";
import { type ClientCapabilities, canAsk } from "./questions/clientCapabilities.js";
import { requestNotices, type SendLog } from "./requestNotices.js";
import type { WireContext } from "./wireContext.js";

/** An ask made from a `tools/call`, and how to say that it was answered: nothing is sent to the client after that. */
export interface WireAsk {
  readonly ask: Ask;
  over(): void;
}

/**
 * Makes the kernel's ask of the params of a `tools/call`. They were screened: name is a string, arguments an object.
 *
 * @param capabilities what the client said it can do
 * @param onBadProgress told once a call when the handler gave progress that MCP doesn't allow: not finite, or not higher than before
 */
export function toAsk(
  params: JsonObject,
  ctx: WireContext,
  caller: Caller,
  capabilities: () => ClientCapabilities | undefined,
  sendLog: SendLog,
  onBadProgress: () => void,
): WireAsk {
  const { name, arguments: args } = params;
  const meta = isJsonObject(params["_meta"]) ? params["_meta"] : undefined;
  const key = meta?.["dev.fettle/idempotency-key"] ?? params["idempotencyKey"];
  const version = meta?.["dev.fettle/tool-version"];
  const { progress, log, over } = requestNotices(meta, ctx, sendLog, onBadProgress);
  return {
    ask: {
      name: typeof name === "string" ? name : "",
      args: isJsonObject(args) ? args : {},
      caller,
      signal: ctx.mcpReq.signal,
      ...(typeof version === "string" && { version }),
      ...(typeof key === "string" && { idempotencyKey: key }),
      ...(meta !== undefined && { meta }),
      canAsk: (method, mode) => canAsk(capabilities(), method, mode),
      closeStream: () => ctx.http?.closeSSE?.(),
      ...(progress && { onProgress: progress }),
      onLog: log,
    },
    over,
  };
}

/** Says once a call, to who writes tools, that its progress wasn't sent on. */
export function badProgress(kernel: Pick<Kernel, "catalog">, asked: unknown, debug: ((message: string) => void) | undefined): () => void {
  return () => {
    const tool = (typeof asked === "string" ? kernel.catalog().get(asked)?.name : undefined) ?? "a tool";
    debug?.(`the progress of ${tool} was not sent on where it was no finite number or did not rise, as MCP wants it to`);
  };
}
