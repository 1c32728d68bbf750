import { type Paint, paintFor } from "./paint.js";

/** What the CLI sees of the process: streams, folder and environment. */
export interface Terminal {
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

/** The process as a terminal. */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process;
  return {
    out: (text) => void stdout.write(text),
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
