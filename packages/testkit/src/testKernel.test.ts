import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { inputError } from "@fettle/contract";
import { testKernel, testSpec } from "./index.js";

test("tools in memory take the real way through the loader, so a broken spec is a diagnostic", async () => {
  const { diagnostics, kernel } = await testKernel({ tools: { fine: () => ({}), broken: { handler: () => ({}), version: "one" } } });
  assert.deepEqual(
    diagnostics.map(({ code, file }) => [code, file]),
    [["spec/bad-format", "/memory/tools/broken.tool.yaml"]],
  );
  assert.deepEqual(
    kernel.catalog().tools.map(({ name }) => name),
    ["fine"],
  );
});

test("folders of real specs are loaded beside the tools in memory", async () => {
  const folder = mkdtempSync(join(tmpdir(), "fettle-testkit-"));
  try {
    writeFileSync(join(folder, "real.tool.yaml"), JSON.stringify(testSpec("real")));
    writeFileSync(join(folder, "real.handler.mjs"), "export default () => ({ real: true });");
    const { kernel } = await testKernel({ folders: [folder], tools: { memory: () => ({}) } });
    assert.deepEqual((await kernel.call("real")).data, { real: true });
    assert.equal((await kernel.call("memory")).kind, "ok");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("an outcome that is no error says what it is when its error is read", async () => {
  const { kernel } = await testKernel({
    tools: {
      fine: () => ({ a: 1 }),
      bad: () => {
        throw inputError("t/bad", { what: "Bad." });
      },
    },
  });
  const fine = await kernel.call("fine");
  assert.throws(() => fine.error, /expected an error, but the call ended in ok: .*"a":1/);
  assert.equal((await kernel.call("bad")).error.error_code, "t/bad");
});

test("the kernel takes a whole ask too, and the caller of the bench when none is named", async () => {
  const { kernel } = await testKernel({
    caller: { tenant: "t", principal: "ann", scopes: [] },
    tools: { who: (_args, ctx) => ({ who: ctx.caller.principal }) },
  });
  const outcome = await kernel.call({ name: "who", args: {} });
  assert.deepEqual(outcome.kind === "ok" && outcome.data, { who: "ann" });
  assert.deepEqual((await kernel.call("who", {}, { caller: { tenant: "t", principal: "bob", scopes: [] } })).data, { who: "bob" });
});

test("observers see every outcome in order, also of calls that are answered later", async () => {
  const { kernel, observed } = await testKernel({ tools: { now: () => ({ n: 1 }), later: async () => ({ n: 2 }) } });
  await kernel.call("now");
  await kernel.call("later");
  await kernel.call("nowhere");
  assert.deepEqual(
    observed.map(({ kind }) => kind),
    ["ok", "ok", "error"],
  );
});

test("a module or file that memory doesn't hold fails as on a machine", async () => {
  const { memory } = await testKernel();
  await assert.rejects(memory.files.read(`${memory.folder}/x`), { code: "ENOENT" });
  await assert.rejects(memory.files.list(`${memory.folder}/x`), { code: "ENOENT" });
  await assert.rejects(memory.modules.import(`${memory.folder}/x.js`, 0), { code: "ERR_MODULE_NOT_FOUND" });
  assert.equal(await memory.modules.resolve("x", memory.folder), undefined);
});
