// Runs the examples of every spec on the real kernel, with the plugins of fettle.config.yaml: what models are shown is what happens.
// Tools that change things are left out: give them a test of their own, over data that may be lost.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { openKernel } from "fettle/embed";

const kernel = await openKernel(fileURLToPath(new URL("../fettle.config.yaml", import.meta.url)), { strict: true });
after(() => kernel.close());

for (const { name, version, spec } of kernel.catalog().tools) {
  for (const { description, input, output, error, verify = "subset" } of spec.examples) {
    test(`${name} ${version}: ${description}`, { skip: !spec.effects?.read_only && "it changes things" }, async () => {
      const outcome = await kernel.call({ name, version, args: input });
      if (error) {
        assert.equal(outcome.kind, "error");
        assert.deepEqual(pick(outcome.error, error), error);
      } else {
        assert.equal(outcome.kind, "ok", outcome.error?.what_went_wrong);
        if (verify === "exact") assert.deepEqual(outcome.data, output);
        if (verify === "subset") assert.deepEqual(pick(outcome.data, output), output);
      }
    });
  }
}

/** As much of a value as the expected one speaks of: keys that it doesn't have are left out, at any depth. */
function pick(value, expected) {
  if (Array.isArray(value) && Array.isArray(expected)) return value.map((item, i) => pick(item, expected[i]));
  if (!isObject(value) || !isObject(expected)) return value;
  return Object.fromEntries(Object.keys(expected).flatMap((key) => (key in value ? [[key, pick(value[key], expected[key])]] : [])));
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
