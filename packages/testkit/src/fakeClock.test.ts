import assert from "node:assert/strict";
import { test } from "node:test";
import { fakeClock } from "./fakeClock.js";

test("the clock stands still until it is turned", () => {
  const clock = fakeClock(1_000);
  assert.equal(clock.now(), 1_000);
  clock.tick(250);
  assert.equal(clock.now(), 1_250);
});

test("what is due runs in the order of its time, at its time, also what was set up meanwhile", () => {
  const clock = fakeClock(0);
  const seen: [string, number][] = [];
  clock.after(20, () => seen.push(["b", clock.now()]));
  clock.after(10, () => {
    seen.push(["a", clock.now()]);
    clock.after(5, () => seen.push(["c", clock.now()]));
  });
  clock.tick(30);
  assert.deepEqual(seen, [
    ["a", 10],
    ["c", 15],
    ["b", 20],
  ]);
  assert.equal(clock.now(), 30);
});

test("a timer that was cancelled doesn't run", () => {
  const clock = fakeClock(0);
  clock.after(10, () => assert.fail("it ran"))();
  clock.tick(100);
});
