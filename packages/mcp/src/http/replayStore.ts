import { randomBytes } from "node:crypto";
import type { EventStore, JSONRPCMessage } from "@modelcontextprotocol/server";

interface StoredEvent {
  readonly stream: string;
  /** Undefined for the event without data that begins a stream. */
  readonly message: JSONRPCMessage | undefined;
  readonly bytes: number;
}

interface StreamLog {
  readonly number: number;
  /** The number of the event that was stored last. */
  last: number;
  /** The highest number of an event that was thrown away. */
  lost: number;
}

/** What an event costs beside its text, in bytes: its id, its entry. */
const EVENT_COST = 100;

/** Why a stream can't be taken up where a client wants to: what the refusal says, and with which HTTP status. */
export interface ResumeRefusal {
  readonly status: 400 | 410;
  readonly message: string;
}

const AGAIN = "Open a stream with GET without Last-Event-ID, and call again what was not answered; it may have taken effect, so look first.";

/**
 * The events of one session's streams, for clients that lost their connection and come back with `Last-Event-ID`. It keeps so many bytes, and
 * throws the oldest away first. An event id is `SESSION-STREAM-EVENT`: a random tag of this store, and two numbers.
 */
export class ReplayStore implements EventStore {
  readonly #maxBytes: number;
  readonly #tag = randomBytes(6).toString("hex");
  /** By event id, oldest first. */
  readonly #events = new Map<string, StoredEvent>();
  readonly #streams = new Map<string, StreamLog>();
  #streamCount = 0;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** What is held now, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  async storeEvent(stream: string, message: JSONRPCMessage): Promise<string> {
    let log = this.#streams.get(stream);
    if (log === undefined) {
      this.#streamCount += 1;
      log = { number: this.#streamCount, last: 0, lost: 0 };
      this.#streams.set(stream, log);
    }
    log.last += 1;
    const id = `${this.#tag}-${log.number}-${log.last}`;
    const isMessage = "jsonrpc" in message;
    const bytes = EVENT_COST + (isMessage ? Buffer.byteLength(JSON.stringify(message)) : 0);
    this.#events.set(id, { stream, message: isMessage ? message : undefined, bytes });
    this.#bytes += bytes;
    for (const [oldest, event] of this.#events) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#drop(oldest, event);
      const lossy = this.#streams.get(event.stream);
      if (lossy !== undefined) lossy.lost = Number(oldest.slice(oldest.lastIndexOf("-") + 1));
    }
    return id;
  }

  /** Why a client can't go on after that event; undefined where it can. */
  refusal(lastEventId: string): ResumeRefusal | undefined {
    const [, tag, stream, event] = /^([0-9a-f]{12})-(\d{1,15})-(\d{1,15})$/.exec(lastEventId) ?? [];
    if (tag === undefined) return { status: 400, message: `The Last-Event-ID of this request is no event id of this server. ${AGAIN}` };
    if (tag !== this.#tag) return { status: 400, message: `The Last-Event-ID of this request is of no stream of this session. ${AGAIN}` };
    const found = this.#find(Number(stream));
    if (found === undefined && Number(stream) <= this.#streamCount) {
      return { status: 410, message: `The stream of this Last-Event-ID went out whole some requests ago, and its events are kept no longer. ${AGAIN}` };
    }
    if (found === undefined || Number(event) > found[1].last || Number(event) === 0) {
      return { status: 400, message: `There was no event with this Last-Event-ID. ${AGAIN}` };
    }
    if (Number(event) >= found[1].lost) return undefined;
    return {
      status: 410,
      message: `What came after this Last-Event-ID was thrown away: at most ${this.#maxBytes} bytes are kept per session (http.replay_bytes). ${AGAIN}`,
    };
  }

  /** The stream of an event that {@link refusal} has nothing against. */
  streamOf(eventId: string): string | undefined {
    return this.#find(Number(eventId.split("-")[1]))?.[0];
  }

  async replayEventsAfter(lastEventId: string, { send }: { send: (eventId: string, message: JSONRPCMessage) => Promise<void> }): Promise<string> {
    const stream = this.streamOf(lastEventId);
    if (stream === undefined) throw new Error("A stream was resumed that isn't kept.");
    const after = Number(lastEventId.split("-")[2]);
    for (const [id, event] of this.#events) {
      if (event.stream !== stream || event.message === undefined || Number(id.split("-")[2]) <= after) continue;
      // Not awaited: in between other events could go out first.
      void send(id, event.message);
    }
    return stream;
  }

  /** Lets the events of a stream go: nobody will ask for them. */
  free(stream: string): void {
    if (!this.#streams.delete(stream)) return;
    for (const [id, event] of this.#events) if (event.stream === stream) this.#drop(id, event);
  }

  /** Lets everything go. */
  clear(): void {
    this.#events.clear();
    this.#streams.clear();
    this.#bytes = 0;
  }

  #find(number: number): readonly [string, StreamLog] | undefined {
    for (const entry of this.#streams) if (entry[1].number === number) return entry;
    return undefined;
  }

  #drop(id: string, event: StoredEvent): void {
    this.#events.delete(id);
    this.#bytes -= event.bytes;
  }
}
