import assert from "node:assert/strict";
import { test } from "node:test";
import type { Plugin } from "@fettle/contract";
import { LoadFailed } from "@fettle/kernel";
import { testKernel } from "@fettle/testkit";
import { strayMember } from "./strayMember.js";

/** The finding for a plugin that can't be used. */
async function findingFor(plugin: unknown): Promise<{ code: string; message: string; hint?: string }> {
  try {
    await testKernel({ plugins: [plugin as Plugin] });
  } catch (error) {
    assert.ok(error instanceof LoadFailed, String(error));
    const [{ code, message, hint } = assert.fail("no finding")] = error.diagnostics;
    return { code, message, ...(hint !== undefined && { hint }) };
  }
  return assert.fail("it was taken");
}

const SOUND = { name: "p", position: "shape" } as const;

test("a misspelt member of what create returns is found before anything runs, with what was meant", async () => {
  const plugin = { ...SOUND, seciton: {}, setup: () => assert.fail("it was set up") };
  assert.deepEqual(await findingFor(plugin), {
    code: "config/bad-plugin",
    message: 'The plugin p: the member "seciton" in what create returns does nothing',
    hint: "Did you mean section?",
  });
});

test("a misspelt member of what setup returns is found, and what was opened is closed", async () => {
  const disposed: string[] = [];
  const run = (name: string, more: object) => ({ ...SOUND, name, setup: () => ({ ...more, dispose: () => void disposed.push(name) }) });
  const first = run("first", {});
  const finding = await findingFor(run("p", { layr: () => undefined })).catch((error: unknown) => assert.fail(String(error)));
  assert.deepEqual(finding, {
    code: "config/bad-plugin",
    message: 'The plugin p: the member "layr" in what setup returns does nothing',
    hint: "Did you mean layer?",
  });
  await assert.rejects(testKernel({ plugins: [first as Plugin, run("second", { identfy: () => undefined }) as Plugin] }), /"identfy"/);
  assert.deepEqual(disposed, ["p", "second", "first"]);
});

test("a module that was made without definePlugin is looked at too", async () => {
  const module = { name: "p", options: {}, section: {}, create: () => SOUND };
  const { message, hint } = await findingFor(module);
  assert.deepEqual([message, hint], ['The plugin p: the member "section" in its module does nothing', "It belongs in what create returns."]);
});

test("what was meant is looked for in the other parts too", () => {
  const hint = (part: Parameters<typeof strayMember>[0], value: object): string | undefined => strayMember(part, value)?.hint;
  assert.equal(hint("plugin", { layer: 1 }), "It belongs in what setup returns.");
  assert.equal(hint("plugin", { layers: 1 }), "Did you mean layer? It belongs in what setup returns.");
  assert.equal(hint("run", { checkTools: 1 }), "Did you mean checkTool? It belongs in what create returns.");
  assert.match(hint("run", { hooks: 1 }) ?? "", /^Known there: identify, .*, dispose\. A member of your own starts with _ or x-\.$/);
  assert.match(hint("run", { layer: 1, layers: 1 }) ?? "", /^Known there/, "the one that it looks like is there already");
});

test("members of an author's own are let be: with _ or x- at the start, symbols, and all those of a class", () => {
  class Counter {
    readonly counts = new Map<string, number>();
    readonly layer = () => undefined;
  }
  const own = Object.create(null, { layer: { enumerable: true, value: 1 } });
  for (const value of [{ _cache: 1, "x-note": 2, [Symbol("own")]: 3 }, new Counter(), own]) assert.equal(strayMember("run", value), undefined);
});
