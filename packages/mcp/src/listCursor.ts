import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";

/** Where a page begins: after how many entries, and after which one. */
interface Place {
  readonly offset: number;
  readonly after: string;
}

/** The cursor of the page that follows the entry `after`. It holds no state of the server, so every replica understands it. */
export function encodeCursor({ offset, after }: Place): string {
  return Buffer.from(JSON.stringify([offset, after])).toString("base64url");
}

/**
 * Finds where the page of a cursor begins in `names`, also when the list changed since: the entry it names may have moved.
 *
 * @throws ProtocolError -32602 for a cursor that no list here gave out, or whose entry is gone
 */
export function startOf(cursor: unknown, names: readonly string[]): number {
  if (cursor === undefined) return 0;
  const place = decode(cursor);
  if (place === undefined) throw bad("This cursor was not given out by this server.");
  if (names[place.offset - 1] === place.after) return place.offset;
  const at = names.indexOf(place.after);
  if (at === -1) throw bad("The list changed and this cursor's place in it is gone.");
  return at + 1;
}

function bad(what: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `${what} Ask for the list without a cursor to start again.`);
}

function decode(cursor: unknown): Place | undefined {
  // A cursor of ours holds one name; anything much longer isn't worth decoding.
  if (typeof cursor !== "string" || cursor.length > 4_096) return undefined;
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
