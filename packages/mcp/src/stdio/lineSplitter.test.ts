import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { LineSplitter } from "./lineSplitter.js";

function split(chunks: readonly (string | Buffer)[], maxBytes = 1_000): { lines: string[]; tooLong: [string, string][] } {
  const lines: string[] = [];
  const tooLong: [string, string][] = [];
  const splitter = new LineSplitter(maxBytes, { line: (text) => lines.push(text), tooLong: (head, tail) => tooLong.push([head, tail]) });
  for (const chunk of chunks) splitter.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
  splitter.end();
  return { lines, tooLong };
}

describe("lines of a stream", () => {
  test("however it is cut", () => {
    const text = 'first\nzweite äöü 👩‍👩‍👧\r\n\n{"a":"b"}\nlast';
    const bytes = Buffer.from(text);
    const expected = ["first", "zweite äöü 👩‍👩‍👧", "", '{"a":"b"}', "last"];
    for (let size = 1; size <= bytes.length; size += 1) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size));
      assert.deepEqual(split(chunks).lines, expected, `cut every ${size} bytes`);
    }
  });

  test("one that is too long is let go but for its ends, and the next is read", () => {
    const { lines, tooLong } = split(["head", "x".repeat(900), "y".repeat(900), "tail\nnext\n"]);
    assert.deepEqual(lines, ["next"]);
    assert.equal(tooLong.length, 1);
    assert.ok(tooLong[0]?.[0].startsWith("headxxx"));
    assert.ok(tooLong[0]?.[1].endsWith("yyytail"));
  });

  test("one of exactly the limit is read", () => {
    assert.equal(split(["x".repeat(1_000)]).lines.length, 1);
    assert.equal(split(["x".repeat(1_001)]).tooLong.length, 1);
  });
});
