import { isObject } from "./jsonType.js";
import type { EngineLimits } from "./types.js";

/** What a look at a value says before anything expensive is done with it. */
export interface Measured {
  /** Why the value is refused unseen: `depth` or `bytes`. */
  readonly over?: "depth" | "bytes";
  /** Size as JSON, about. */
  readonly bytes: number;
}

/** Measures a value as JSON, walking no more of it than the limits allow. A value that holds itself is too deep. */
export function measure(value: unknown, { depth, bytes: most }: Pick<EngineLimits, "depth" | "bytes">): Measured {
  const bytes = sizeOf(value, depth, most);
  if (bytes === TOO_DEEP) return { over: "depth", bytes };
  return bytes > most ? { over: "bytes", bytes } : { bytes };
}

const NUMBER = 4;
const TOO_DEEP = Number.POSITIVE_INFINITY;

/**
 * Size of a value as JSON in bytes, about.
 *
 * @param levels containers that may be inside of each other; infinite is the size of a value that has more
 * @param most no more of the value is walked than makes this many bytes
 */
export function sizeOf(value: unknown, levels: number, most: number): number {
  if (typeof value === "string") return value.length + 3;
  if (typeof value === "number") return NUMBER;
  let bytes = 2;
  if (Array.isArray(value)) {
    if (levels <= 0) return TOO_DEEP;
    const numbers = typeof value[0] === "number" ? countNumbers(value) : 0;
    bytes += numbers * NUMBER;
    for (let i = numbers; i < value.length && bytes <= most; i += 1) bytes += sizeOf(value[i], levels - 1, most - bytes);
  } else if (isObject(value)) {
    if (levels <= 0) return TOO_DEEP;
    for (const key in value) {
      if (bytes > most) break;
      bytes += key.length + 4 + sizeOf(value[key], levels - 1, most - bytes);
    }
  } else return 5;
  return bytes;
}

/** How many numbers an array begins with. The longest arrays are of numbers, and a loop that never sees others takes a third of the time. */
function countNumbers(items: readonly unknown[]): number {
  let count = 0;
  while (count < items.length && typeof items[count] === "number") count += 1;
  return count;
}
