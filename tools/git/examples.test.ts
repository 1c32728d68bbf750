import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type Kernel, openKernel } from "fettle/embed";
import setUp from "./git.fixture.js";
import { TOOLS } from "./test/openTools.js";

/** Every key that is expected must be there and equal; lists in order, as far as they are given. */
function assertHolds(got: unknown, expected: unknown, place = "output"): void {
  if (typeof expected !== "object" || expected === null) {
    assert.deepEqual(got, expected, place);
    return;
  }
  assert.ok(typeof got === "object" && got !== null, `${place}: expected an object, got ${JSON.stringify(got)}`);
  if (Array.isArray(expected)) assert.equal(Array.isArray(got) && got.length, expected.length, `${place}: length`);
  for (const [key, value] of Object.entries(expected)) assertHolds(Reflect.get(got, key), value, `${place}.${key}`);
}

const env: Record<string, string | undefined> = {};
const kernel: Kernel = await openKernel({ config: { tools: [TOOLS], plugins: [{ use: "@fettle/plugin-validation" }] } }, { env, strict: true });
after(() => kernel.close());

for (const { name, version, spec } of kernel.catalog().tools) {
  describe(`the examples of ${name} ${version}`, () => {
    const readOnly = spec.effects?.read_only === true;
    let dispose: (() => Promise<void>) | undefined;
    const fresh = async () => {
      await dispose?.();
      const fixture = await setUp();
      dispose = fixture.dispose;
      Object.assign(env, fixture.env);
    };
    before(fresh);
    after(() => dispose?.());

    test("show every category and every argument", () => {
      const categories = new Set(spec.examples.map((example) => example.category));
      assert.deepEqual([...categories].sort(), ["advanced", "basic", "edge_case", "negative"]);
      const shown = new Set(spec.examples.flatMap((example) => Object.keys(example.input)));
      assert.deepEqual(
        Object.keys(Object(spec.parameters["properties"])).filter((argument) => !shown.has(argument)),
        [],
      );
    });

    for (const { description, input, output, error, verify } of spec.examples) {
      test(description, async () => {
        if (!readOnly) await fresh();
        const outcome = await kernel.call({ name, version, args: JSON.parse(JSON.stringify(input)) });
        if (error) {
          assert.equal(outcome.kind, "error", JSON.stringify(outcome));
          assert.equal(outcome.kind === "error" && outcome.error.error_type, error.error_type);
          assert.equal(outcome.kind === "error" && outcome.error.error_code, error.error_code);
          return;
        }
        assert.equal(outcome.kind, "ok", JSON.stringify(outcome));
        const data = outcome.kind === "ok" ? outcome.data : undefined;
        if (verify === "exact") assert.deepEqual(data, output);
        else assertHolds(data, output);
      });
    }
  });
}

test("the fixture's hashes are the same every time", async () => {
  const heads: unknown[] = [];
  for (let i = 0; i < 2; i++) {
    const { env: own, dispose } = await setUp();
    Object.assign(env, own);
    const outcome = await kernel.call({ name: "git_status", args: {} });
    heads.push(outcome.kind === "ok" && outcome.data);
    await dispose();
  }
  assert.deepEqual(heads[0], heads[1]);
  assert.equal(Reflect.get(Object(heads[0]), "head"), "b49041e888a7b4aaaab6d8deca5c985ba154bd74");
});
