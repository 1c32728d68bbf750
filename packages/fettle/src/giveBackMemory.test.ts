import assert from "node:assert/strict";
import { test } from "node:test";
import { getHeapSpaceStatistics } from "node:v8";
import { giveBackMemory } from "./giveBackMemory.js";

const youngBytes = (): number => getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")?.physical_space_size ?? 0;

test("the young part of the heap, grown by what outlived its collections, is given back", async () => {
  const kept: object[] = [];
  for (let i = 0; i < 400_000; i += 1) kept.push({ i, text: `entry ${i}` });
  const grown = youngBytes();
  assert.ok(grown > 8e6, `${grown} bytes`);
  await giveBackMemory();
  assert.ok(youngBytes() < grown / 2, `${youngBytes()} bytes`);
  assert.equal(kept.length, 400_000);
});
