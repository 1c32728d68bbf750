import type { EngineLimits } from "./types.js";

/** What a look at a value says before anything expensive is done with it. */
export interface Measured {
  /** Why the value is refused unseen: `depth` or `bytes`. */
  readonly over?: "depth" | "bytes";
  /** Some number isn't finite or is an integer beyond those that a double holds exactly. */
  readonly inexact: boolean;
}

const EXACT: Measured = { inexact: false };
const INEXACT: Measured = { inexact: true };
const TOO_DEEP: Measured = { over: "depth", inexact: false };
const TOO_LARGE: Measured = { over: "bytes", inexact: false };

/** Measures a value, walking no more of it than the limits allow. A value that holds itself is too deep. */
export function measure(value: unknown, limits: Pick<EngineLimits, "depth" | "bytes">): Measured {
  let bytes = 0;
  let inexact = false;
  let over: "depth" | "bytes" | undefined;
  const walk = (each: unknown, depth: number): void => {
    switch (typeof each) {
      case "string":
        bytes += each.length + 3;
        return;
      case "number":
        bytes += 8;
        if (each > Number.MAX_SAFE_INTEGER || each < Number.MIN_SAFE_INTEGER || Number.isNaN(each)) inexact = true;
        return;
      case "object":
        if (each === null) break;
        if (depth >= limits.depth) {
          over = "depth";
          return;
        }
        if (Array.isArray(each)) {
          for (let i = 0; i < each.length && over === undefined; i += 1) walk(each[i], depth + 1);
        } else {
          for (const key in each) {
            bytes += key.length + 4;
            walk(Reflect.get(each, key), depth + 1);
            if (over !== undefined) return;
          }
        }
        if (bytes > limits.bytes) over = "bytes";
        return;
    }
    bytes += 5;
    if (bytes > limits.bytes) over = "bytes";
  };
  walk(value, 0);
  if (over === undefined && bytes > limits.bytes) over = "bytes";
  if (over !== undefined) return over === "depth" ? TOO_DEEP : TOO_LARGE;
  return inexact ? INEXACT : EXACT;
}
