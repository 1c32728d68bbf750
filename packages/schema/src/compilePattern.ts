import { createRequire } from "node:module";
import { LRUCache } from "lru-cache";
import { isStaticallyLinear } from "./isStaticallyLinear.js";
import { toRe2, Untranslatable } from "./toRe2.js";

/** Tells whether a text matches a pattern somewhere, in time linear in the text. */
export interface TextMatcher {
  test(text: string): boolean;
}

/** A pattern that can be matched in linear time, or why it can't. */
export type CompiledPattern =
  | { readonly kind: "native" | "re2"; readonly matcher: TextMatcher }
  | { readonly kind: "refused"; readonly code: "bad-pattern" | "unsafe-pattern"; readonly reason: string };

/** A longer pattern is none that a person wrote, and a compiled one grows with it. */
const LONGEST_PATTERN = 4_000;
/** Instructions of a compiled pattern. The time to match is the product of this and the text. */
const LARGEST_PROGRAM = 20_000;

const require = createRequire(import.meta.url);

const compiled = new LRUCache<string, CompiledPattern>({ max: 2_000 });

/**
 * Compiles a pattern of JSON Schema (ECMA-262, flag `u`) for matching in linear time: by the engine of JavaScript where that is surely linear,
 * since it is the faster one, else by RE2.
 */
export function compilePattern(pattern: string): CompiledPattern {
  const before = compiled.get(pattern);
  if (before !== undefined) return before;
  const now = compile(pattern);
  compiled.set(pattern, now);
  return now;
}

/** The matcher of an admitted pattern. */
export function matcherOf(pattern: string): TextMatcher {
  const compiled = compilePattern(pattern);
  if (compiled.kind === "refused") throw new TypeError(`pattern ${pattern}: ${compiled.reason}`);
  return compiled.matcher;
}

function compile(pattern: string): CompiledPattern {
  if (pattern.length > LONGEST_PATTERN)
    return { kind: "refused", code: "unsafe-pattern", reason: `it has ${pattern.length} characters, more than ${LONGEST_PATTERN}` };
  let native: RegExp;
  try {
    native = new RegExp(pattern, "u");
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^Invalid regular expression: \/.*\/u: /s, "") : "it can't be read";
    return { kind: "refused", code: "bad-pattern", reason };
  }
  if (isStaticallyLinear(pattern)) return { kind: "native", matcher: native };
  // Loaded for the first pattern that needs it: most are matched by JavaScript.
  const { RE2JS } = require("re2js") as typeof import("re2js");
  try {
    const re2 = RE2JS.compile(toRe2(pattern));
    if (re2.programSize() > LARGEST_PROGRAM) return { kind: "refused", code: "unsafe-pattern", reason: "its repeats make it too large" };
    return { kind: "re2", matcher: { test: (text) => re2.test(text) } };
  } catch (error) {
    const reason = error instanceof Untranslatable ? error.message : "its repeats (over 1,000) or classes can't be matched in linear time";
    return { kind: "refused", code: "unsafe-pattern", reason };
  }
}
