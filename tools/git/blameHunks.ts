import { unexpectedOutput } from "./gitErrors.js";

/** Lines that stand together and come from one commit. */
export interface BlameHunk {
  readonly start_line: number;
  readonly end_line: number;
  readonly hash: string;
  readonly author: string;
  /** Author date, ISO 8601 in UTC. */
  readonly date: string;
  readonly subject: string;
  /** The file's path in that commit, where it was another one. */
  readonly old_path?: string;
  readonly lines: readonly string[];
}

interface CommitHeader {
  author: string;
  date: string;
  subject: string;
  path: string;
}

const ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, "\\": 92 };

/** A file name as git quotes it in text output: in quotes with C escapes where it holds quotes or control characters. */
function unquoted(name: string): string {
  if (!name.startsWith('"')) return name;
  const bytes: number[] = [];
  const body = Buffer.from(name.slice(1, -1), "utf8");
  for (let i = 0; i < body.length; i++) {
    const byte = body[i] ?? 0;
    if (byte !== 92) {
      bytes.push(byte);
      continue;
    }
    const octal = /^[0-7]{3}/.exec(body.toString("latin1", i + 1, i + 4));
    bytes.push(octal ? Number.parseInt(octal[0], 8) : (ESCAPES[body.toString("latin1", i + 1, i + 2)] ?? byte));
    i += octal ? 3 : 1;
  }
  return Buffer.from(bytes).toString("utf8");
}

/**
 * Hunks of `git blame --porcelain`: for each line `HASH original final [count]`, the facts of a commit where it comes up first, and the line
 * behind a tab.
 *
 * @param path the file that was asked for
 */
export function blameHunks(text: string, path: string): BlameHunk[] {
  const commits = new Map<string, CommitHeader>();
  const hunks: (BlameHunk & { end_line: number; lines: string[] })[] = [];
  let hash = "";
  let line = 0;
  let originalPath = path;
  for (const row of text.endsWith("\n") ? text.slice(0, -1).split("\n") : text.split("\n")) {
    const header = commits.get(hash);
    if (row.startsWith("\t")) {
      if (!header) throw unexpectedOutput("blame", row);
      const last = hunks.at(-1);
      if (last && last.hash === hash && last.end_line === line - 1 && (last.old_path ?? path) === originalPath) {
        last.end_line = line;
        last.lines.push(row.slice(1));
      } else {
        const { author, date, subject } = header;
        hunks.push({
          start_line: line,
          end_line: line,
          hash,
          author,
          date,
          subject,
          ...(originalPath !== path && { old_path: originalPath }),
          lines: [row.slice(1)],
        });
      }
      continue;
    }
    const start = /^([0-9a-f]{40,64}) \d+ (\d+)( \d+)?$/.exec(row);
    if (start) {
      hash = start[1] ?? "";
      line = Number(start[2]);
      if (!commits.has(hash)) commits.set(hash, { author: "", date: "", subject: "", path });
      originalPath = commits.get(hash)?.path ?? path;
      continue;
    }
    if (!header) throw unexpectedOutput("blame", row);
    const value = row.slice(row.indexOf(" ") + 1);
    if (row.startsWith("author ")) header.author = value;
    if (row.startsWith("author-time ")) header.date = new Date(Number(value) * 1000).toISOString().replace(".000Z", "Z");
    if (row.startsWith("summary ")) header.subject = value;
    if (row.startsWith("filename ")) originalPath = header.path = unquoted(value);
  }
  return hunks;
}
