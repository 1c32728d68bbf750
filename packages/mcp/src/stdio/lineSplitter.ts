/** Receives what a {@link LineSplitter} finds. */
export interface LineReader {
  /** A whole line, without its line end. */
  line(text: string): void;
  /** A line that was longer than allowed, when it ended: its first and last characters. */
  tooLong(head: string, tail: string): void;
}

const SHOWN = 256;
const NEWLINE = 10;

/** Cuts a stream of bytes into lines. A line that is too long is not kept: its bytes are let go as they come. */
export class LineSplitter {
  readonly #maxBytes: number;
  readonly #reader: LineReader;
  #parts: Buffer[] = [];
  #size = 0;

  constructor(maxBytes: number, reader: LineReader) {
    this.#maxBytes = maxBytes;
    this.#reader = reader;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#take(chunk.subarray(start, end));
      this.end();
      start = end + 1;
    }
    if (start < chunk.length) this.#take(chunk.subarray(start));
  }

  /** Says that no more comes: what is left is the last line. */
  end(): void {
    const parts = this.#parts;
    const size = this.#size;
    this.#parts = [];
    this.#size = 0;
    const [head, ...rest] = parts;
    if (head === undefined) return;
    if (size > this.#maxBytes) {
      this.#reader.tooLong(head.toString("utf8"), rest.at(-1)?.toString("utf8") ?? "");
      return;
    }
    const text = (rest.length === 0 ? head : Buffer.concat(parts, size)).toString("utf8");
    this.#reader.line(text.endsWith("\r") ? text.slice(0, -1) : text);
  }

  #take(part: Buffer): void {
    this.#size += part.length;
    this.#parts.push(part);
    if (this.#size <= this.#maxBytes) return;
    const all = Buffer.concat(this.#parts);
    this.#parts = [Buffer.from(all.subarray(0, SHOWN)), Buffer.from(all.subarray(-SHOWN))];
  }
}
