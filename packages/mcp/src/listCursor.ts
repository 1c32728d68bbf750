import { ProtocolError } from "./protocolError.js";
import { WIRE_CODE } from "./wireError.js";

/** Where a page begins: after how many entries, and after which one. */
interface Place {
  readonly offset: number;
  readonly after: string;
}

/** A page of a list, and the cursor of the one that follows. */
export interface Page<T> {
  readonly page: readonly T[];
  readonly nextCursor?: string;
}

/**
 * The page that a cursor leads to, also when the list changed since: the entry that it names may have moved. Without a cursor the first one.
 * A cursor holds no state of the server, so every replica understands it.
 *
 * @param keyOf what tells an entry from the others: a cursor names the last one of its page
 * @throws ProtocolError -32602 for a cursor that no list here gave out, or whose entry is gone
 */
export function pageOf<T>(entries: readonly T[], keyOf: (entry: T) => string, size: number, cursor: unknown): Page<T> {
  const start = startOf(entries, keyOf, cursor);
  const end = start + size;
  if (start === 0 && end >= entries.length) return { page: entries };
  const page = entries.slice(start, end);
  const last = page.at(-1);
  return { page, ...(last !== undefined && end < entries.length && { nextCursor: encode({ offset: end, after: keyOf(last) }) }) };
}

function startOf<T>(entries: readonly T[], keyOf: (entry: T) => string, cursor: unknown): number {
  if (cursor === undefined) return 0;
  const place = decode(cursor);
  if (place === undefined) throw bad("This cursor was not given out by this server.");
  const there = entries[place.offset - 1];
  if (there !== undefined && keyOf(there) === place.after) return place.offset;
  const at = entries.findIndex((entry) => keyOf(entry) === place.after);
  if (at === -1) throw bad("The list changed and this cursor's place in it is gone.");
  return at + 1;
}

function bad(what: string): ProtocolError {
  return new ProtocolError(WIRE_CODE.invalidParams, `${what} Ask for the list without a cursor to start again.`);
}

function encode({ offset, after }: Place): string {
  return Buffer.from(JSON.stringify([offset, after])).toString("base64url");
}

function decode(cursor: unknown): Place | undefined {
  // A cursor of ours holds one name; anything much longer isn't worth decoding.
  if (typeof cursor !== "string" || cursor.length > 16_384) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(cursor, "base64url").toString());
  } catch {
    return undefined;
  }
  if (!Array.isArray(value) || value.length !== 2) return undefined;
  const [offset, after]: unknown[] = value;
  return typeof offset === "number" && typeof after === "string" ? { offset, after } : undefined;
}
