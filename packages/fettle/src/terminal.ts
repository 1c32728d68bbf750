import { Writable, type WritableOptions } from "node:stream";
import { type Paint, paintFor } from "./paint.js";

/** What the CLI sees of the process: streams, folder and environment. */
export interface Terminal {
  /** Stdout as a stream. */
  readonly data: Writable;
  /** Data, to stdout. */
  out(text: string): void;
  /** Words for people, to stderr. */
  err(text: string): void;
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly outPaint: Paint;
  readonly errPaint: Paint;
  readonly errIsTty: boolean;
  /** Width in columns that texts for people are fitted to. */
  readonly columns: number;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const DEFAULT_COLUMNS = 120;
const NARROWEST = 60;
const WIDEST = 160;

/**
 * The process as a terminal. From then on stdout belongs to the CLI: what handlers, plugins and their dependencies print there, with `console.log` for
 * example, goes to stderr, so that it gets into no JSON and no protocol.
 */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process;
  const data = new Writable({ decodeStrings: false, write: writer(stdout) });
  stdout.write = stderr.write.bind(stderr);
  return {
    data,
    out: (text) => void data.write(text),
    err: (text) => void stderr.write(text),
    input: stdin,
    outPaint: paintFor(stdout.isTTY === true, env),
    errPaint: paintFor(stderr.isTTY === true, env),
    errIsTty: stderr.isTTY === true,
    columns: Math.min(WIDEST, Math.max(NARROWEST, (stdout.isTTY ? stdout.columns : stderr.isTTY ? stderr.columns : undefined) ?? DEFAULT_COLUMNS)),
    cwd: process.cwd(),
    env,
  };
}

/** Writes to a stream as it is now, whatever its `write` becomes. */
function writer(stream: NodeJS.WriteStream): NonNullable<WritableOptions["write"]> {
  const write = stream.write.bind(stream);
  return (chunk, encoding, done) => void write(chunk, encoding, done);
}
