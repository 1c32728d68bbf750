import type { Answer } from "./answer.js";

/** Most bytes of one stream that wait for a client to read them. A single message may be longer. */
const MOST_UNREAD_BYTES = 4 * 1024 * 1024;

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
 * `client` says that it went away. A client that reads too slowly is let go: what it hasn't read is bounded.
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
  const watched = new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        // Read as it comes, since what waits in the SDK's own stream can be neither measured nor bounded.
        void pump(controller).catch((error: unknown) => {
          once(false);
          try {
            controller.error(error);
          } catch {}
        });
      },
      cancel: async (reason) => {
        once(false);
        await reader.cancel(reason);
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: MOST_UNREAD_BYTES }),
  );
  return new Response(watched, { status: answer.status, headers: answer.headers });

  async function pump(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    for (;;) {
      const { done: ended, value } = await reader.read();
      if (over) return;
      if (ended) {
        controller.close();
        return once(true);
      }
      if ((controller.desiredSize ?? 0) <= 0) {
        const error = new Error(`Ended the stream of a client that has not read ${MOST_UNREAD_BYTES} bytes and more of it.`);
        report?.(error);
        once(false);
        controller.error(error);
        return reader.cancel(error);
      }
      controller.enqueue(value);
    }
  }
}

/** Whether an answer is a stream of events, and so may stay open. Texts of our own never are. */
export function isStream(answer: Answer): boolean {
  return answer instanceof Response && (answer.headers.get("content-type")?.startsWith("text/event-stream") ?? false);
}
