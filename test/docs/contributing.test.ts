import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { definePlugin, type PluginModule, rateLimitError } from "@fettle/contract";
import { checkPluginLaws, testKernel } from "@fettle/testkit";
import ts from "typescript";

const page = readFileSync(new URL("../../CONTRIBUTING.md", import.meta.url), "utf8");
const [, recipe = ""] = /^ {3}```ts\n([\s\S]*?)^ {3}```$/m.exec(page) ?? [];
const { outputText } = ts.transpileModule(recipe.replace("export default", "const recipe ="), { compilerOptions: { target: ts.ScriptTarget.ES2022 } });
const quota: PluginModule<{ per_minute: number }> = new Function("definePlugin", "rateLimitError", `${outputText}; return recipe;`)(
  definePlugin,
  rateLimitError,
);

test("the plugin of CONTRIBUTING's recipe refuses the call after the last one in a minute, and the next minute starts afresh", async () => {
  const { kernel, clock } = await testKernel({ plugins: [quota({ per_minute: 2 })], tools: { echo: ({ text }) => ({ text }) } });
  await kernel.call("echo", { text: "a" });
  await kernel.call("echo", { text: "b" });
  assert.equal((await kernel.call("echo", { text: "c" })).error.error_code, "quota/spent");
  clock.tick(60_000);
  assert.equal((await kernel.call("echo", { text: "d" })).kind, "ok");
});

checkPluginLaws(quota({ per_minute: 1_000 }));
