import { isObject } from "./jsonType.js";
import type { EngineLimits } from "./types.js";

/** What a look at a value says before anything expensive is done with it. */
export interface Measured {
  /** Why the value is refused unseen: `depth` or `bytes`. */
  readonly over?: "depth" | "bytes";
  /** Some number isn't finite or is an integer beyond those that a double holds exactly. */
  readonly inexact: boolean;
  /** Size as JSON, about. */
  readonly bytes: number;
}

/** What is left of the limits while a value is walked. */
interface Budget {
  bytes: number;
  inexact: boolean;
  tooDeep: boolean;
}

/** Measures a value as JSON, walking no more of it than the limits allow. A value that holds itself is too deep. */
export function measure(value: unknown, limits: Pick<EngineLimits, "depth" | "bytes">): Measured {
  const budget: Budget = { bytes: limits.bytes, inexact: false, tooDeep: false };
  spend(value, limits.depth, budget);
  const { inexact, tooDeep } = budget;
  const bytes = limits.bytes - budget.bytes;
  if (tooDeep) return { over: "depth", inexact, bytes };
  return bytes > limits.bytes ? { over: "bytes", inexact, bytes } : { inexact, bytes };
}

function spend(value: unknown, levels: number, budget: Budget): void {
  if (typeof value === "string") budget.bytes -= value.length + 3;
  else if (typeof value === "number") {
    budget.bytes -= 4;
    // NaN fails every comparison.
    if (!(value <= Number.MAX_SAFE_INTEGER && value >= Number.MIN_SAFE_INTEGER)) budget.inexact = true;
  } else if (Array.isArray(value)) {
    if (levels === 0) budget.tooDeep = true;
    budget.bytes -= 2;
    for (let i = 0; i < value.length && goesOn(budget); i += 1) spend(value[i], levels - 1, budget);
  } else if (isObject(value)) {
    if (levels === 0) budget.tooDeep = true;
    budget.bytes -= 2;
    for (const key in value) {
      if (!goesOn(budget)) return;
      budget.bytes -= key.length + 4;
      spend(value[key], levels - 1, budget);
    }
  } else budget.bytes -= 5;
}

function goesOn(budget: Budget): boolean {
  return budget.bytes >= 0 && !budget.tooDeep;
}
