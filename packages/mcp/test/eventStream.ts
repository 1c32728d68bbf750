import { until } from "./until.js";

/** One event of a stream. */
export interface StreamEvent {
  readonly id?: string;
  readonly retry?: number;
  /** The JSON-RPC message; undefined where the event has none. */
  readonly message?: {
    readonly id?: string | number;
    readonly method?: string;
    readonly params?: Readonly<Record<string, unknown>>;
    readonly result?: Readonly<Record<string, unknown>>;
    readonly error?: { readonly code: number; readonly message: string };
  };
}

/** A stream of events that is read as it comes. */
export interface EventStream {
  readonly events: readonly StreamEvent[];
  /** The messages with this method. */
  messages(method: string): readonly NonNullable<StreamEvent["message"]>[];
  /** Whether it ended, by either side. */
  readonly ended: boolean;
  /** Resolves when it holds. */
  until(condition: () => boolean): Promise<void>;
  /** Resolves when the server ended it. */
  end(): Promise<void>;
}

/** Reads the events of a response in the background. */
export function readEvents(response: Response): EventStream {
  const events: StreamEvent[] = [];
  let ended = false;
  void (async () => {
    let rest = "";
    const decoder = new TextDecoder();
    try {
      for await (const chunk of response.body ?? []) {
        const blocks = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
        rest = blocks.pop() ?? "";
        for (const block of blocks) if (!block.startsWith(":")) events.push(parse(block));
      }
    } catch {
      // The test went away.
    }
    ended = true;
  })();
  return {
    events,
    messages: (method) => events.flatMap(({ message }) => (message?.method === method ? [message] : [])),
    get ended() {
      return ended;
    },
    until: (condition) => until(condition),
    end: () => until(() => ended),
  };
}

function parse(block: string): StreamEvent {
  const fields = new Map(block.split("\n").map((line): [string, string] => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trimStart()]));
  const [id, retry, data] = [fields.get("id"), fields.get("retry"), fields.get("data")];
  return { ...(id !== undefined && { id }), ...(retry !== undefined && { retry: Number(retry) }), ...(data && { message: JSON.parse(data) }) };
}
