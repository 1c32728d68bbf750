/** How much may wait for a client to read it, and for how long. */
export interface UnreadLimits {
  /** From so many bytes on, the client has to read on. */
  readonly bytes: number;
  /** For how long it may read nothing while so much waits, in milliseconds. */
  readonly stallMs: number;
  /** Where so many bytes wait, nothing is added to them. */
  readonly most: number;
}

/**
 * What waits for a client to read it. A burst is no fault of a client that reads, however large it is: one that doesn't read is told by time, and
 * by what no burst comes to.
 */
export class Unread {
  readonly #limits: UnreadLimits;
  readonly #letGo: () => void;
  #waiting = 0;
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param what is ended: `the stream`
   * @param letGo told once of a client that doesn't read
   */
  constructor(limits: UnreadLimits, what: string, letGo: (error: Error) => void) {
    this.#limits = limits;
    this.#letGo = () => {
      this.end();
      letGo(new Error(`Ended ${what} of a client that has not read ${this.#waiting} bytes.`));
    };
  }

  /**
   * Counts what is written. What is asked for waits however much it is.
   *
   * @param unasked whether nobody asked for it, as for progress, so that there is no end to it
   */
  add(bytes: number, unasked: boolean): void {
    if (unasked && this.#waiting >= this.#limits.most) this.#letGo();
    this.#waiting += bytes;
    if (this.#timer === undefined) this.#wait();
  }

  /** Counts what was read. */
  take(bytes: number): void {
    this.#waiting -= bytes;
    if (this.#timer === undefined) return;
    this.end();
    this.#wait();
  }

  #wait(): void {
    if (this.#waiting >= this.#limits.bytes) this.#timer = setTimeout(this.#letGo, this.#limits.stallMs).unref();
  }

  /** Stops the clock. */
  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
