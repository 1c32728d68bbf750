import assert from "node:assert/strict";
import { test } from "node:test";
import { nearestWord } from "./nearestWord.js";

for (const [word, candidates, nearest] of [
  ["urgnet", ["low", "urgent"], "urgent"],
  ["form", ["from", "to"], "from"],
  ["tgas", ["name", "tags"], "tags"],
  ["FROM", ["from"], "from"],
  ["brnch", ["ref", "path"], undefined],
  ["", ["a"], undefined],
  ["from", ["from"], undefined],
  ["abcde", ["zyxwvutsrqponmlkjihg"], undefined],
  ["x".repeat(101), ["x".repeat(100)], undefined],
] as const) {
  test(`the word nearest to ${JSON.stringify(word.slice(0, 20))} among ${candidates.map((candidate) => candidate.slice(0, 20)).join(", ")} is ${nearest}`, () => {
    assert.equal(nearestWord(word, candidates), nearest);
  });
}

test("of equally near words the first is taken, and only the first thousand are compared", () => {
  assert.equal(nearestWord("bat", ["cat", "hat"]), "cat");
  assert.equal(nearestWord("word", [...Array.from({ length: 1_000 }, (_, i) => `other-${i}-thing`), "words"]), undefined);
});
