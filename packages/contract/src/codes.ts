import type { ErrorType } from "./toolError.js";

/** What is known of a code: documentation, `fettle check --explain` and tests come from this. */
export interface CodeInfo {
  /** One sentence that says what the code means. */
  readonly message: string;
  /** What to do about it. */
  readonly hint: string;
  /** The error type, for codes that a call can end in. */
  readonly type?: ErrorType;
}

/** A table of codes of one namespace. */
export interface CodeTable<K extends string = string> {
  readonly namespace: string;
  readonly codes: Readonly<Record<K, CodeInfo>>;
  /** `code("key-reused")` gives `"idempotency/key-reused"`. */
  code(key: K): string;
}

const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/**
 * Declares the codes of a namespace. Codes are compared by string, so that two copies of a package agree.
 *
 * @example
 * const codes = defineCodes("quota", { spent: { message: "The caller's quota is spent.", hint: "Wait.", type: "rate_limit_error" } });
 * codes.code("spent"); // "quota/spent"
 * @throws TypeError when the namespace or a key isn't kebab-case
 */
export function defineCodes<const K extends string>(namespace: string, codes: Readonly<Record<K, CodeInfo>>): CodeTable<K> {
  for (const part of [namespace, ...Object.keys(codes)]) {
    if (!KEBAB.test(part)) throw new TypeError(`"${part}" is not kebab-case: use lower-case letters, digits and single hyphens`);
  }
  return Object.freeze({ namespace, codes: Object.freeze({ ...codes }), code: (key: K) => `${namespace}/${key}` });
}
