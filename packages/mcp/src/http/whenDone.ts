/**
 * Calls `done` once when a response has gone out whole: at once where it has no stream, else when its stream ends, is cancelled or fails,
 * or when `signal` says that the client went away.
 *
 * @returns the response to send in its place
 */
export function whenDone(response: Response, signal: AbortSignal, done: () => void): Response {
  const { body } = response;
  if (body === null || !isStream(response) || signal.aborted) {
    done();
    return response;
  }
  let over = false;
  const once = (): void => {
    if (over) return;
    over = true;
    signal.removeEventListener("abort", once);
    done();
  };
  signal.addEventListener("abort", once, { once: true });
  const reader = body.getReader();
  const watched = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done: ended, value } = await reader.read().catch((error: unknown) => {
        once();
        throw error;
      });
      if (!ended) return controller.enqueue(value);
      once();
      controller.close();
    },
    async cancel(reason) {
      once();
      await reader.cancel(reason);
    },
  });
  return new Response(watched, { status: response.status, headers: response.headers });
}

/** Whether a response is a stream of events, and so may stay open. */
export function isStream(response: Response): boolean {
  return response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
}
