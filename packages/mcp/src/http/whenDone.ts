import { Unread } from "../unread.js";
import type { Answer } from "./answer.js";

/** Of one stream. A single message may be longer. */
const UNREAD = { bytes: 4 * 1024 * 1024, stallMs: 10_000, most: 16 * 1024 * 1024 };

/** What to do around a response that goes out. */
export interface Going {
  /** Who waits for it. */
  readonly client: { readonly gone: boolean; readonly signal: AbortSignal };
  /** Called once: `whole` when everything went out, not when the client went away or was let go, or the stream failed. */
  done(whole: boolean): void;
  /** Told of a client that was let go because it didn't read. */
  readonly report?: (error: Error) => void;
}

/**
 * Calls `done` once when a response has gone out: at once where it has no stream, else when its stream ends, is cancelled or fails, or when
 * `client` says that it went away. A client that doesn't read is let go: what waits for it is bounded.
 *
 * @returns the response to send in its place
 */
export function whenDone(answer: Answer, { client, done, report }: Going): Answer {
  if (!(answer instanceof Response) || answer.body === null || !isStream(answer) || client.gone) {
    done(!client.gone);
    return answer;
  }
  const { signal } = client;
  let over = false;
  const once = (whole: boolean): void => {
    if (over) return;
    over = true;
    unread.end();
    signal.removeEventListener("abort", gone);
    done(whole);
  };
  const reader = answer.body.getReader();
  // Whoever goes away may never cancel the body: it is no stream that anybody reads.
  const gone = (): void => {
    once(false);
    reader.cancel().catch(() => {});
  };
  signal.addEventListener("abort", gone, { once: true });
  /** What the client hasn't read: counted here, since what waits in the SDK's own stream can be neither measured nor bounded. */
  const waiting: Uint8Array[] = [];
  const unread = new Unread(UNREAD, "the stream", (error) => {
    report?.(error);
    fail(error);
    reader.cancel(error).catch(() => {});
  });
  let ended = false;
  /** Goes on with a client that has read all there was. */
  let wake: () => void = () => {};
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const fail = (error: unknown): void => {
    once(false);
    try {
      controller?.error(error);
    } catch {}
    wake();
  };
  const pump = async (): Promise<void> => {
    for (;;) {
      const { done: isEnd, value } = await reader.read();
      if (over) return;
      if (isEnd) break;
      waiting.push(value);
      unread.add(value.length, true);
      wake();
    }
    ended = true;
    wake();
  };
  void pump().catch(fail);
  const watched = new ReadableStream<Uint8Array>(
    {
      start: (its) => {
        controller = its;
      },
      async pull(its) {
        while (waiting.length === 0 && !ended && !over) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
        if (over) return;
        const next = waiting.shift();
        if (next === undefined) {
          its.close();
          return once(true);
        }
        unread.take(next.length);
        its.enqueue(next);
      },
      cancel: async (reason) => {
        once(false);
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(watched, { status: answer.status, headers: answer.headers });
}

/** Whether an answer is a stream of events, and so may stay open. Texts of our own never are. */
export function isStream(answer: Answer): boolean {
  return answer instanceof Response && (answer.headers.get("content-type")?.startsWith("text/event-stream") ?? false);
}
