import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { testKernel } from "@fettle/testkit";

const CALLS = 32;
const RELOADS = 100;

test("over 100 reloads with 32 calls in flight no call is lost, each ends on the catalog it began with, and no old catalog is kept", async () => {
  const gates: (() => void)[] = [];
  const handler = (version: number) => () => new Promise<object>((resolve) => void gates.push(() => resolve({ version })));
  const { kernel, memory } = await testKernel({ tools: { t: handler(0) } });
  const old: WeakRef<object>[] = [];
  const pending: { readonly began: number; readonly outcome: ReturnType<typeof kernel.call> }[] = [];
  const begin = (version: number): void => void pending.push({ began: version, outcome: kernel.call("t") });
  let answered = 0;

  for (let i = 0; i < CALLS; i++) begin(0);
  for (let version = 1; version <= RELOADS; version++) {
    old.push(new WeakRef(kernel.catalog()));
    memory.add("t", { version: `1.0.${version}`, handler: handler(version) });
    assert.equal((await kernel.reload()).swapped, true);
    // The oldest one ends, and another one begins: 32 are in flight all the while.
    await until(() => gates.length >= pending.length);
    const { began, outcome } = pending.shift() as (typeof pending)[number];
    gates.shift()?.();
    assert.deepEqual((await outcome).data, { version: began });
    answered += 1;
    begin(version);
  }
  await until(() => gates.length >= pending.length);
  for (const gate of gates.splice(0)) gate();
  for (const { began, outcome } of pending.splice(0)) {
    assert.deepEqual((await outcome).data, { version: began });
    answered += 1;
  }
  assert.equal(answered, CALLS + RELOADS);

  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  await until(() => {
    collect();
    return old.every((catalog) => catalog.deref() === undefined);
  });
});

test("reloads that are asked for at once follow each other, and the last one is what is served", async () => {
  const { kernel, memory } = await testKernel({ tools: { t: () => ({ v: 0 }) } });
  const reloads = Array.from({ length: 10 }, (_, i) => {
    memory.add("t", { version: `1.0.${i + 1}`, handler: () => ({ v: i + 1 }) });
    return kernel.reload();
  });
  for (const { swapped } of await Promise.all(reloads)) assert.equal(swapped, true);
  assert.deepEqual((await kernel.call("t")).data, { v: 10 });
});

async function until(isSo: () => boolean, ms = 60_000): Promise<void> {
  const end = Date.now() + ms;
  while (!isSo()) {
    if (Date.now() > end) throw new Error(`not within ${ms} ms`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
