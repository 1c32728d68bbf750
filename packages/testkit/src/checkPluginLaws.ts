import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject, Outcome } from "@fettle/contract";
import { LoadFailed, type PluginInput } from "@fettle/kernel";
import { type TestBench, testKernel } from "./testKernel.js";

/**
 * Declares tests of what every plugin must hold, on the real kernel. Call it at the top level of a test file.
 *
 * @param plugin - with options under which an ordinary call passes
 * @param settings - `section`: a valid section for the tools of these tests, where the plugin needs one; `args`: arguments that pass
 * @example checkPluginLaws(quota({ per_minute: 1_000 }));
 */
export function checkPluginLaws(plugin: PluginInput, settings: { readonly section?: JsonObject; readonly args?: JsonObject } = {}): void {
  const name = nameOf(plugin);
  const args = settings.args ?? { text: "a" };
  const section: JsonObject = settings.section ? { [name]: settings.section } : {};
  const bench = (): Promise<TestBench> =>
    testKernel({
      plugins: [plugin],
      tools: {
        sync: { handler: (given: JsonObject) => ({ given }), ...section },
        later: { handler: async (given: JsonObject) => ({ given }), ...section },
        fails: {
          handler: () => {
            throw new Error("secret-inside");
          },
          ...section,
        },
        fails_later: {
          handler: async () => {
            throw new Error("secret-inside");
          },
          ...section,
        },
      },
    });
  const law = (sentence: string, check: (bench: TestBench) => Promise<void>): void => {
    test(`${name}: ${sentence}`, async () => {
      const running = await bench();
      try {
        await check(running);
      } finally {
        await running.kernel.close();
      }
    });
  };

  law("it loads without a finding", async ({ diagnostics }) => {
    assert.deepEqual(diagnostics, []);
  });

  law("an ordinary call passes, answered at once or later", async ({ kernel }) => {
    for (const tool of ["sync", "later"]) {
      const outcome = await kernel.call(tool, args);
      assert.equal(outcome.kind, "ok", `${tool} ended in ${JSON.stringify(outcome)}`);
      assert.equal(outcome.tool?.name, tool);
    }
  });

  law("a fault of the handler comes out as an error and leaks nothing", async ({ kernel }) => {
    for (const tool of ["fails", "fails_later"]) {
      const outcome = await kernel.call(tool, args);
      assert.equal(outcome.error.error_type, "internal_error");
      assert.doesNotMatch(JSON.stringify(outcome), /secret-inside/);
    }
  });

  law("a tool that doesn't exist stays an error", async ({ kernel }) => {
    const outcome = await kernel.call("nowhere", args);
    assert.equal(outcome.kind, "error");
    assert.equal(outcome.tool, undefined);
  });

  law("a cancelled call ends", async ({ kernel }) => {
    const outcome = await kernel.call("later", args, { signal: AbortSignal.abort() });
    assert.equal(outcome.kind, "error");
  });

  law("the caller's arguments are left as they were", async ({ kernel }) => {
    const given = structuredClone(args);
    await kernel.call("sync", given);
    assert.deepEqual(given, args);
  });

  law("its notes are under its own name", async ({ kernel, observed }) => {
    await kernel.call("sync", args);
    await kernel.call("fails", args);
    const foreign = observed.flatMap((outcome: Outcome) => Object.keys(outcome.notes)).filter((key) => !key.startsWith(`${name}.`));
    assert.deepEqual(foreign, []);
  });

  law("it answers ten calls at once as it answers one", async ({ kernel }) => {
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => kernel.call("later", args)));
    assert.deepEqual([...new Set(outcomes.map(({ kind }) => kind))], ["ok"]);
  });

  law("it can be closed twice, and starts again after", async ({ kernel }) => {
    await kernel.close();
    await kernel.close();
    const again = await bench();
    assert.equal((await again.kernel.call("sync", args)).kind, "ok");
    await again.kernel.close();
  });

  test(`${name}: options that its schema doesn't know are refused`, async () => {
    if (!isConfigured(plugin)) return;
    const wrong = { module: plugin.module, with: { ...plugin.with, "not-an-option": 1 } };
    await assert.rejects(
      testKernel({ plugins: [wrong] }),
      (error: unknown) => error instanceof LoadFailed && error.diagnostics.some(({ code }) => code === "config/bad-options"),
    );
  });
}

function isConfigured(plugin: PluginInput): plugin is Extract<PluginInput, { module: unknown }> {
  return "module" in plugin;
}

function nameOf(plugin: PluginInput): string {
  return isConfigured(plugin) ? plugin.module.name : plugin.name;
}
