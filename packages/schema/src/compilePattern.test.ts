import assert from "node:assert/strict";
import { test } from "node:test";
import { compilePattern } from "./compilePattern.js";

const TEXTS = [
  "",
  "abc",
  "abc\n",
  "a\u00a0b",
  "x@y.zz",
  "\u2028",
  "é",
  "Ωx",
  "😀y",
  "😀",
  "[",
  "]",
  "1.2",
  "0.10",
  "foo",
  "a foo.",
  "/a-b",
  "low",
  "ABc1defgh",
  "-a",
  "a-b",
  "\ufeff",
  "\v",
  " ",
  "\b",
  "a&&b",
  "\r",
  "ﬀ",
  "12345",
  "\u0000",
  "A\tB",
  "~",
];

const PATTERNS: readonly (readonly [pattern: string, kind: "native" | "re2"])[] = [
  ["^[a-z]+$", "native"],
  ["abc", "native"],
  ["^https?://", "native"],
  ["^\\d{3}$", "native"],
  ["^[a-z0-9_-]{1,64}$", "native"],
  ["^[a-z]{1,64}-[a-z]{1,64}$", "native"],
  ["^(low|high)$", "native"],
  ["^(?!-)[a-z-]+$", "native"],
  ["^(?=.*[A-Z])(?=.*\\d).{8,}$", "native"],
  ["^[\\w.+-]+@[\\w-]+\\.[a-z]{2,}$", "native"],
  ["^\\p{L}+$", "native"],
  ["^(?!admin$|root$)[a-z]+$", "native"],
  ["(?<![a-z])foo(?=bar|$)", "native"],
  ["^[^]$", "native"],
  ["^(?:[a-z0-9]+-)*[a-z0-9]+$", "native"],
  ["^[a-z]+(\\.[a-z]+)*$", "native"],
  ["^(?:/[^/]+)+/?$", "native"],
  ["([^]+)+x", "re2"],
  ["^(?:[a-z]+)*$", "re2"],
  ["^(?:[a-z]*-)*$", "re2"],
  ["^(?:a+b)*[ab]+$", "re2"],
  ["^(?:-[a-z]+)*[a-z]+$", "re2"],
  ["^(?:[a-z]+-)*[a-z]+(?:\\.[a-z]+)*$", "re2"],
  ["^[a-z]*(?:ab)*$", "re2"],
  ["(?:a+b)*$", "re2"],
  ["^(a+)+$", "re2"],
  ["\\s+$", "re2"],
  ["(\\S+)+\\s", "re2"],
  ["(.+)+x", "re2"],
  ["[\\s&&\\d]+y*", "re2"],
  ["([^\\s]+)+b", "re2"],
  ["([\\S\\n]+)+b", "re2"],
  ["(\\p{Letter}+)+[\\p{Script=Greek}]", "re2"],
  ["(\\p{gc=Lu}+)+B", "re2"],
  ["([\\b]|\\x41|\\u0042|\\u{43}|\\cJ|\\v|\\0)+$", "re2"],
  ["(\\ud83d\\ude00)+y", "re2"],
  ["([[~]|[^[])+$", "re2"],
  ["(?<year>\\d+)+-", "re2"],
  ["\\bfoo\\b.*o", "re2"],
  ["([a\\-b]+)+\\/", "re2"],
  ["[]+|a", "re2"],
  ["a|b", "re2"],
  ["x{2,}y{2,}$", "re2"],
];

for (const [pattern, kind] of PATTERNS) {
  test(`${pattern} runs ${kind} and means what ECMA-262 says`, () => {
    const compiled = compilePattern(pattern);
    assert.ok(compiled.kind !== "refused");
    assert.equal(compiled.kind, kind);
    const native = new RegExp(pattern, "u");
    for (const text of TEXTS) assert.equal(compiled.matcher.test(text), native.test(text), JSON.stringify(text));
  });
}

test("patterns that take forever elsewhere take milliseconds", () => {
  const started = performance.now();
  for (const pattern of ["^(a+)+$", "(x+x+)+y", "\\s+$", "^(.*a){12}$", "([a-z]+)*!"]) {
    const compiled = compilePattern(pattern);
    assert.ok(compiled.kind !== "refused", pattern);
    for (const text of ["a".repeat(50_000), " ".repeat(50_000), "x".repeat(50_000)]) compiled.matcher.test(`${text}?`);
  }
  assert.ok(performance.now() - started < 20_000);
});

for (const [pattern, code] of [
  ["(", "bad-pattern"],
  ["\\:", "bad-pattern"],
  ["(a)\\1", "unsafe-pattern"],
  ["(?<x>a)\\k<x>", "unsafe-pattern"],
  ["a(?=b+)", "unsafe-pattern"],
  ["(?<=a+)b", "unsafe-pattern"],
  ["(\\p{Emoji}+)+x", "unsafe-pattern"],
  ["(a{1,5000})+", "unsafe-pattern"],
  ["((a{1,500}){1,500})+", "unsafe-pattern"],
  ["\\ud83d+x+", "unsafe-pattern"],
  ["a".repeat(5_000), "unsafe-pattern"],
] as const) {
  test(`${pattern.slice(0, 30)} is refused`, () => {
    const compiled = compilePattern(pattern);
    assert.ok(compiled.kind === "refused");
    assert.equal(compiled.code, code);
  });
}
