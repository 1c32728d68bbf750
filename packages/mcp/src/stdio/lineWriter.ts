import type { Writable } from "node:stream";
import { Unread } from "../unread.js";

/** All answers share one pipe, where over HTTP each has its own. */
const UNREAD = { bytes: 16 * 1024 * 1024, stallMs: 10_000, most: 64 * 1024 * 1024 };

/** Bytes that are written at once: when they are taken shows that the client reads. */
const SLICE_BYTES = 256 * 1024;

/** Writes lines to a pipe, those of one turn together: a write costs more than the answer to a small call. */
export class LineWriter {
  readonly #stdout: Writable;
  readonly #unread: Unread;
  /** Lines that go out next, and when they are written. */
  #lines = "";
  #written: Promise<void> | undefined;
  #onwritten: (error?: Error | null) => void = () => {};
  /** Lines that are on their way: the part of them that isn't handed over yet. */
  #rest: Buffer | undefined;
  #ended = false;

  /** @param letGo told once of a client that doesn't read */
  constructor(stdout: Writable, letGo: (error: Error) => void) {
    this.#stdout = stdout;
    this.#unread = new Unread(UNREAD, "the connection", letGo);
  }

  /**
   * Resolves when the line is written; rejects where it can't be.
   *
   * @param unasked whether it is a notification or a request of the server
   */
  write(line: string, unasked: boolean): Promise<void> {
    this.#unread.add(Buffer.byteLength(line), unasked);
    this.#lines += line;
    if (this.#written === undefined) {
      this.#written = new Promise((resolve, reject) => {
        this.#onwritten = (error) => (error ? reject(error) : resolve());
      });
      process.nextTick(this.#flush);
    }
    return this.#written;
  }

  /** Hands over all that is left, in order. Nothing may be written after it. */
  end(): void {
    this.#ended = true;
    this.#unread.end();
    if (this.#rest !== undefined) this.#stdout.write(this.#rest);
    this.#rest = undefined;
    if (this.#written !== undefined) this.#stdout.write(this.#lines, this.#onwritten);
    this.#lines = "";
    this.#written = undefined;
  }

  readonly #flush = (): void => {
    if (this.#written === undefined || this.#rest !== undefined) return;
    this.#rest = Buffer.from(this.#lines);
    const onwritten = this.#onwritten;
    this.#lines = "";
    this.#written = undefined;
    this.#hand(onwritten);
  };

  /** Hands over one slice after the other. */
  #hand(onwritten: (error?: Error | null) => void): void {
    const slice = this.#rest?.subarray(0, SLICE_BYTES);
    if (slice === undefined) return;
    this.#rest = this.#rest?.subarray(slice.length);
    this.#stdout.write(slice, (error) => {
      if (this.#ended) return onwritten(error);
      this.#unread.take(slice.length);
      if (!error && this.#rest !== undefined && this.#rest.length > 0) return this.#hand(onwritten);
      this.#rest = undefined;
      onwritten(error);
      this.#flush();
    });
  }
}
