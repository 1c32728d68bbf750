// On the real kernel, with tools in memory and a clock that the test turns.
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkPluginLaws, fakeClock, testKernel } from "fettle/testkit";
import plugin from "./__NAME__.mjs";

test("a call that takes long is told in the log, a quick one isn't", async () => {
  const clock = fakeClock();
  const tools = {
    quick: () => ({}),
    slow: () => {
      clock.tick(500);
      return {};
    },
  };
  const { kernel, logs, observed } = await testKernel({ plugins: [plugin({ slow_ms: 100 })], tools, clock });
  await kernel.call("quick");
  await kernel.call("slow");
  assert.deepEqual(
    logs.filter(({ level }) => level === "warn").map(({ message }) => message),
    ["slow took 500 ms"],
  );
  assert.deepEqual(
    observed.map(({ notes }) => notes["__NAME__.ms"]),
    [0, 500],
  );
  await kernel.close();
});

// What every plugin must hold: calls pass, faults leak nothing, notes have its name, it can be closed and started again.
checkPluginLaws(plugin({}));
