import { randomUUID } from "node:crypto";
import type { InputRequest } from "@fettle/contract";
import { ProtocolError, SdkError, SdkErrorCode, type StandardSchemaV1 } from "@modelcontextprotocol/server";
import type { ToClient, WireContext } from "../wireContext.js";
import { noAnswer, questionRefused, unanswered } from "./questionErrors.js";
import { NO_RESPONSE } from "./unsoundAnswer.js";

/** How a client before 2026-07-28 is asked. */
export interface AskOptions {
  /** What asks, in words: `git_delete`. */
  readonly subject: string;
  /** How long an answer may take, in milliseconds. */
  readonly timeoutMs: number;
}

/** The SDK's own schemas answer a wrong result with a dump of their library; what an answer must look like is checked after. */
const anyResult: StandardSchemaV1<unknown, unknown> = {
  "~standard": { version: 1, vendor: "fettle", validate: (value) => ({ value }) },
};

/**
 * Asks all questions at once by requests to the client, on the stream of the request that they belong to. When one isn't answered the others
 * are cancelled: the call can't go on without it.
 *
 * @throws what {@link unanswered}, {@link questionRefused} and {@link noAnswer} make; whatever, when the request itself was cancelled: nobody waits for it
 */
export async function askClient(
  ctx: WireContext,
  requests: Readonly<Record<string, InputRequest>>,
  { subject, timeoutMs }: AskOptions,
): Promise<Readonly<Record<string, unknown>>> {
  const stop = new AbortController();
  const { signal } = stop;
  // The reasons go out to the client in words.
  const cancelled = (): void => stop.abort(`${subject} no longer waits for the answer: the request that asks was cancelled.`);
  ctx.mcpReq.signal.addEventListener("abort", cancelled, { once: true });
  if (ctx.mcpReq.signal.aborted) cancelled();
  const keys = Object.keys(requests);
  try {
    const answers = await Promise.all(
      Object.entries(requests).map(async ([key, request]) => {
        try {
          return [key, await ctx.mcpReq.send(toRequest(request), anyResult, { timeout: timeoutMs, signal })] as const;
        } catch (error) {
          if (signal.aborted) throw error;
          throw inWords(error, key);
        }
      }),
    );
    return Object.fromEntries(answers);
  } finally {
    ctx.mcpReq.signal.removeEventListener("abort", cancelled);
    stop.abort(`${subject} no longer waits for the answer: another of its questions was not answered.`);
  }

  function inWords(error: unknown, key: string): unknown {
    if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) return unanswered(subject, keys, timeoutMs);
    if (error instanceof ProtocolError && error.message.endsWith(NO_RESPONSE)) return noAnswer(subject, key);
    return questionRefused(subject, key, error instanceof ProtocolError ? error.code : undefined, error instanceof Error ? error.message : "");
  }
}

/** 2025-11-25 wants an id of elicitations by address, and 2026-07-28 has none. */
function toRequest(request: InputRequest): ToClient {
  const { method, params } = request;
  if (method === "elicitation/create" && params["mode"] === "url") return { method, params: { elicitationId: randomUUID(), ...params } };
  return { method, ...(params !== undefined && { params: { ...params } }) };
}
